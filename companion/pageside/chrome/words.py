"""Elements that somebody means by a few words: told by the pages of a tab, ranked by `core/word_match`."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from pageside.chrome.documents import Document, call
from pageside.chrome.find import foreign_documents, in_frame
from pageside.chrome.session import CALL_SECONDS, CommandFailed
from pageside.chrome.tab import Tab
from pageside.core.word_match import Candidate, rank
from pageside.errors import CommandTimeout

MAX_CANDIDATES = 4000
"""Of one document; a page has some hundred."""
MAX_NEAR = 80
FOREIGN_SECONDS = 5.0
"""For what a frame of another origin gathers; it may hang."""


@dataclass(frozen=True, slots=True)
class Found:
    """`ref` is the element's uid; `rect` (x, y, width, height in CSS px of the viewport) is None in foreign frames."""

    ref: str
    tag: str
    role: str
    text: str
    rect: tuple[int, int, int, int] | None
    score: float
    near: str = ""
    """What stands beside it, where others are called the same."""


async def find_by_words(tab: Tab, query: str, limit: int = 10) -> list[Found]:
    """The elements that make sense, best first; through shadow roots and frames."""
    told = await _told(tab, query)
    # Half a second for the thousands of elements of a large page.
    matches = await asyncio.to_thread(rank, query, [_candidate(each) for _, each in told], limit)
    found = [_found(*told[match.index], score=match.score) for match in matches]
    called = Counter((each.role, each.text) for each in found)
    return [each if called[each.role, each.text] > 1 else replace(each, near="") for each in found]


async def _told(tab: Tab, query: str) -> list[tuple[bool, dict[str, Any]]]:
    """Each with whether its place in the viewport is known."""
    first = await in_frame(tab, tab.id, lambda document: _of(document, query))
    foreign = await foreign_documents(tab)
    inner = await asyncio.gather(
        *(_of(each, query, FOREIGN_SECONDS) for each in foreign), return_exceptions=True
    )
    rows = [(True, each) for each in first]
    for answer in inner:
        if isinstance(answer, list):
            rows += [(False, each) for each in answer]
        elif not isinstance(answer, CommandFailed | CommandTimeout):
            # Only a frame that went away or hangs meanwhile is no news.
            raise answer
    return rows


async def _of(document: Document, query: str, seconds: float = CALL_SECONDS) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = await call(document, "gather", query, MAX_CANDIDATES, seconds=seconds)
    return told


def _candidate(told: dict[str, Any]) -> Candidate:
    return Candidate(
        role=told["role"],
        name=told["name"],
        label=told["label"],
        text=told["text"],
        hints=told["hints"],
        around=told["around"],
        tag=told["tag"],
        acts=told["acts"],
        seen=told["box"][2] > 0 and told["box"][3] > 0,
        in_view=told["inView"],
        disabled=told["disabled"],
    )


def _found(is_placed: bool, told: dict[str, Any], *, score: float) -> Found:
    text = told["name"] or told["label"] or told["text"]
    x, y, width, height = told["box"]
    rect = (x, y, width, height) if is_placed else None
    near = str(told["around"])[:MAX_NEAR]
    return Found(told["uid"], told["tag"], told["role"], text, rect, score, near)
