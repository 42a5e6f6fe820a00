"""What to do about an error, said with the tools that the agents of a toolset have."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from pageside.errors import PagesideError
from pageside.toolsets.base import Answer, Args, Context, Handler


def advised(handler: Handler, advise: Callable[[PagesideError], None]) -> Handler:
    """The same handler; `advise` may change what its errors say."""

    @wraps(handler)
    async def handle(context: Context, args: Args) -> Answer:
        try:
            return await handler(context, args)
        except PagesideError as error:
            advise(error)
            raise

    return handle
