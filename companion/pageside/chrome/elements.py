"""The markup of all elements that a selector matches, without secrets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pageside.chrome.documents import Document, call
from pageside.chrome.find import Target, in_frame, in_other_frame, inner_frame, other_frames, selector_error
from pageside.chrome.tab import Tab
from pageside.errors import ScriptFailed


@dataclass(frozen=True, slots=True)
class Markup:
    """One element's outer HTML: `cut` characters of it are missing, or all of the `inside` elements in it."""

    html: str
    cut: int = 0
    inside: int = 0
    hidden: bool = False
    """It is not drawn: `display: none`, `visibility: hidden` and the like."""


@dataclass(frozen=True, slots=True)
class Markups:
    """How many elements match, and the first ones of them."""

    count: int
    elements: tuple[Markup, ...]


async def markups(tab: Tab, selector: str, *, limit: int, chars: int) -> Markups:
    """The first `limit` matches, each cut to `chars`; raises `InvalidArguments` (INVALID_SELECTOR).

    Shadow roots and frames are searched where the page itself has no match; ` >>> ` goes into them.
    """
    try:
        found = await in_frame(tab, tab.id, _look(selector, limit, chars))
        found = found or await _in_frames(tab, selector, limit, chars)
    except ScriptFailed as error:
        raise selector_error(str(Target(selector=selector)), error) from None
    return found or Markups(0, ())


async def _in_frames(tab: Tab, selector: str, limit: int, chars: int) -> Markups | None:
    """In those of other origins, whose documents have toolkits of their own."""
    way = await inner_frame(tab, selector)
    if way is not None:
        return await in_other_frame(tab, way[0], _look(way[1], limit, chars))
    for frame_id in await other_frames(tab):
        found = await in_other_frame(tab, frame_id, _look(selector, limit, chars))
        if found is not None:
            return found
    return None


def _look(selector: str, limit: int, chars: int) -> Callable[[Document], Awaitable[Markups | None]]:
    """None if the document has no match."""

    async def look(document: Document) -> Markups | None:
        told = await call(document, "markups", selector, limit, chars)
        return _markups(told) if told["count"] else None

    return look


def _markups(told: dict[str, Any]) -> Markups:
    return Markups(told["count"], tuple(Markup(**each) for each in told["elements"]))
