"""A picture that is asked for while one document gives way to the next."""

from __future__ import annotations

import re
from collections.abc import Coroutine
from typing import Any, cast

import pytest

from pageside.chrome.capture import capture
from pageside.chrome.session import CommandFailed
from pageside.chrome.tab import Tab

NOBODY = "Not attached to an active page"
UNDRAWN = "Unable to capture screenshot"


class Changing:
    """As much of a tab as `capture` needs; Chrome refuses its first pictures for these reasons."""

    def __init__(self, *reasons: str) -> None:
        self._reasons = list(reasons)
        self.asked: list[str] = []

    async def session(self, method: str, **_params: Any) -> dict[str, Any]:
        self.asked.append(method)
        if method == "Page.captureScreenshot" and self._reasons:
            raise CommandFailed(method, {"message": self._reasons.pop(0)})
        return {"data": "picture"}

    async def evaluate(self, expression: str) -> Any:
        self.asked.append(expression)

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        work.close()


@pytest.mark.parametrize("reason", [NOBODY, UNDRAWN])
async def test_it_shows_the_next_document_once_that_answers(reason: str) -> None:
    tab = Changing(reason)
    assert await capture(cast(Tab, tab), format="png") == "picture"
    pictures = [each for each in tab.asked if each != "Page.startScreencast"]
    assert pictures == ["Page.captureScreenshot", "0", "Page.captureScreenshot"]


@pytest.mark.parametrize(
    "reasons", [("Cannot take screenshot with 0 width.",), (NOBODY, NOBODY), (NOBODY, UNDRAWN)]
)
async def test_what_does_not_get_better_is_told(reasons: tuple[str, ...]) -> None:
    with pytest.raises(CommandFailed, match=re.escape(reasons[-1])):
        await capture(cast(Tab, Changing(*reasons)), format="png")
