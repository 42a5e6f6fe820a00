"""What to do about an error, said with the tools that the agents of a toolset have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import wraps

from pageside.contract import TOOLS
from pageside.errors import PagesideError
from pageside.toolsets.base import Advise, Answer, Args, Context, Handler

_TOOL_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


def own_words(prefix: str, fixes: Mapping[str, str]) -> Advise:
    """Advice that names no tool but those that begin with `prefix`: where it would, it is that of `fixes`, by code."""
    others = {
        name for each in TOOLS if not each.startswith(prefix) for name in (each, each.removeprefix("chrome_"))
    }

    def advise(error: PagesideError) -> None:
        if not others.isdisjoint(_TOOL_NAME.findall(error.fix)):
            error.fix = fixes.get(error.error_code, error.fix)

    return advise


def advised(handler: Handler, advise: Advise) -> Handler:
    """The same handler; `advise` may change what its errors say."""

    @wraps(handler)
    async def handle(context: Context, args: Args) -> Answer:
        try:
            return await handler(context, args)
        except PagesideError as error:
            advise(error)
            raise

    return handle
