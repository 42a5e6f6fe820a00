"""The text of a tab as one reads it: the article if it is one, else all that is seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pageside.chrome.documents import Document, script, unwrap
from pageside.chrome.find import foreign_documents, in_frame
from pageside.chrome.session import CommandFailed
from pageside.chrome.tab import Tab

READ_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Reading:
    """`lines` are paragraphs, with headings and list items marked as in Markdown."""

    is_article: bool
    title: str
    byline: str
    lines: list[str] = field(default_factory=list)


async def read_text(tab: Tab) -> Reading:
    """An article without what surrounds it; of anything else the visible text, that of all frames too."""
    reading = await in_frame(tab, tab.id, _read)
    if reading.is_article:
        return reading
    lines = list(reading.lines)
    for document in await foreign_documents(tab):
        lines += await _lines(document)
    return replace(reading, lines=lines)


async def _lines(document: Document) -> list[str]:
    try:
        return (await _read(document)).lines
    except CommandFailed:
        # A frame that went away meanwhile says nothing.
        return []


async def _read(document: Document) -> Reading:
    answer = await document.session(
        "Runtime.evaluate",
        seconds=READ_SECONDS,
        expression=f"({script('reader')})()",
        contextId=document.context,
        returnByValue=True,
    )
    told: dict[str, Any] = unwrap(answer)
    return Reading(told["isArticle"], told["title"], told["byline"], told["lines"])
