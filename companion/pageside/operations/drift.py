"""The source of inspections: a fingerprint when a note arrives, and what has become of it when somebody reads."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pageside.core import drift as rules
from pageside.core.inspections import Item, summary
from pageside.operations.world import World

log = logging.getLogger(__name__)

MAX_BYTES = 1_000_000
READ_SECONDS = 2.0
"""For all files of one request: a note does not wait longer for its fingerprint."""
_SAVED_LATER_MS = 2_000
"""A file that was saved so much after the note is not the one that the note is about."""

_WHY = {
    "none": "It had no fingerprint of its source when it was made.",
    "no-source": "No place in the source is known for it.",
    "outside": "The file lies outside the project.",
    "large": f"The file is larger than {MAX_BYTES} bytes.",
    "missing": "There was no such file or line when it was made.",
    "later": "The file had been saved again before it arrived.",
    "unreadable": "The file could not be read.",
}


class _Unreadable(Exception):
    """Why a file has no text to look at; the name of one of `_WHY`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


async def apply(world: World, changes: Sequence[Any]) -> list[dict[str, Any]]:
    """The user's changes, as `Inspections.apply`; new notes get a fingerprint of their source."""
    return await world.inspections.apply(changes, await _fingerprints(world.project, changes))


async def _fingerprints(project: Path, changes: Iterable[Any]) -> dict[str, rules.Fingerprint]:
    """By the ids of new items. One that comes back after a loss has none: what it was about may have changed since."""
    items = [item for change in changes if (item := _new_item(change)) is not None]
    if not items:
        return {}
    try:
        async with asyncio.timeout(READ_SECONDS):
            marks = await asyncio.to_thread(lambda: [_fingerprint(project, item) for item in items])
    except TimeoutError:
        log.warning("the project's files cannot be read in time: notes get no fingerprint")
        marks = [{"why": "unreadable"} for _ in items]
    return {item["id"]: mark for item, mark in zip(items, marks, strict=True)}


def _new_item(change: Any) -> Item | None:
    """What a change creates, if it names a file; anything that is not of the agreed form is refused elsewhere."""
    if not isinstance(change, dict) or change.get("kind") != "create" or change.get("restore") is True:
        return None
    item = change.get("item")
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return None
    source = item.get("sourceInfo")
    file = source.get("file") if isinstance(source, dict) else None
    return item if isinstance(file, str) and file else None


def _fingerprint(project: Path, item: Item) -> rules.Fingerprint:
    file, line, column = (item["sourceInfo"].get(field) for field in ("file", "line", "column"))
    if type(line) is not int:
        return {"why": "no-source"}
    try:
        text = _read(project, file, item.get("timestamp"))
    except _Unreadable as error:
        return {"why": error.why}
    mark = None if text is None else rules.fingerprint(text, line, column if type(column) is int else 1)
    return mark or {"why": "missing"}


def _read(project: Path, named: str, saved_before: object = None) -> str | None:
    """The file's text; None where there is no such file. Links are followed first, so that none leads out. Blocks."""
    try:
        path = (project / named).resolve()
        if not path.is_relative_to(project.resolve()):
            raise _Unreadable("outside")
        if not path.is_file():
            return None
        stat = path.stat()
        if stat.st_size > MAX_BYTES:
            raise _Unreadable("large")
        if isinstance(saved_before, int | float) and stat.st_mtime * 1000 > saved_before + _SAVED_LATER_MS:
            raise _Unreadable("later")
        return path.read_text("utf-8", "replace")
    except (OSError, ValueError) as error:
        raise _Unreadable("unreadable") from error


async def drifts(world: World, items: Sequence[Item]) -> list[rules.Drift]:
    """What has become of the source of each, in order; see `pageside.core.drift`, and `{"state": "unknown", "why"}`."""

    def look() -> list[rules.Drift]:
        texts: dict[str, str | _Unreadable | None] = {}
        return [_drift(world.project, item, texts) for item in items]

    try:
        async with asyncio.timeout(READ_SECONDS):
            return await asyncio.to_thread(look)
    except TimeoutError:
        return [_unknown("unreadable") for _ in items]


def _drift(project: Path, item: Item, texts: dict[str, str | _Unreadable | None]) -> rules.Drift:
    """`texts` holds what was read already."""
    file = item["sourceInfo"].get("file")
    mark = item.get("fingerprint", {"why": "none" if file else "no-source"})
    if "why" in mark:
        return _unknown(mark["why"])
    if file not in texts:
        try:
            texts[file] = _read(project, file)
        except _Unreadable as error:
            texts[file] = error
    text = texts[file]
    return _unknown(text.why) if isinstance(text, _Unreadable) else rules.drift(mark, text)


def _unknown(why: str) -> rules.Drift:
    return {"state": "unknown", "why": _WHY.get(why, _WHY["none"])}


async def with_drift(world: World, item: Item) -> dict[str, Any]:
    """The item as agents see it: what has become of its source instead of the fingerprint."""
    [source] = await drifts(world, [item])
    return {**shown(item), "source": source}


async def summaries(world: World, items: Sequence[Item]) -> list[dict[str, Any]]:
    """Short, with the line where it is now; `source` where the source is not what it was."""
    found = await drifts(world, items)
    return [_short(item, source) for item, source in zip(items, found, strict=True)]


def _short(item: Item, source: rules.Drift) -> dict[str, Any]:
    short = summary(item)
    if source["state"] == "unchanged" or not short["file"]:
        return short
    return {**short, "line": source.get("line", short["line"]), "source": source}


def shown(item: Item) -> dict[str, Any]:
    """Without what only the companion needs."""
    return {field: value for field, value in item.items() if field != "fingerprint"}
