"""Tools whose document is replaced while they run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from pageside.chrome.session import CommandFailed
from pageside.errors import PageDisconnected
from pageside.toolsets.base import LOOKS, Answer, Args, Context, Tool, run

CONTEXT = cast(Context, None)
"""Handlers of these tests look at nothing."""
GONE = CommandFailed("DOM.requestNode", {"message": "Cannot find context with specified id"})
ANSWER = Answer(said="found")


class Handler:
    """Fails with these, one after the other, then answers."""

    def __init__(self, failures: Sequence[CommandFailed]) -> None:
        self.runs, self._failures = 0, list(failures)

    async def __call__(self, _context: Context, _args: Args) -> Answer:
        self.runs += 1
        if self._failures:
            raise self._failures.pop(0)
        return ANSWER


def tool(handler: Handler, *, only_looks: bool) -> Tool:
    hints: dict[str, Any] = {"annotations": {"readOnlyHint": only_looks}}
    return Tool("look", hints, handler)


async def test_a_tool_that_only_looks_looks_again() -> None:
    handler = Handler([GONE] * (LOOKS - 1))
    assert await run(tool(handler, only_looks=True), CONTEXT, {}) is ANSWER
    assert handler.runs == LOOKS


async def test_a_page_that_never_stays_is_told() -> None:
    handler = Handler([GONE] * LOOKS)
    with pytest.raises(PageDisconnected, match="look ended because the page was reloaded or left meanwhile"):
        await run(tool(handler, only_looks=True), CONTEXT, {})
    assert handler.runs == LOOKS


async def test_what_acts_is_not_done_twice() -> None:
    handler = Handler([GONE])
    with pytest.raises(PageDisconnected, match="whether it took effect is unknown"):
        await run(tool(handler, only_looks=False), CONTEXT, {})
    assert handler.runs == 1


async def test_other_refusals_of_chrome_are_told_at_once() -> None:
    handler = Handler([CommandFailed("DOM.focus", {"message": "Element is not focusable"})])
    with pytest.raises(CommandFailed, match="not focusable"):
        await run(tool(handler, only_looks=True), CONTEXT, {})
    assert handler.runs == 1
