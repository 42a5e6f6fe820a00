"""What happened to a page, in one order, as an agent reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pageside.core.timeline import Entry, Wanted
from pageside.hubs.sessions import Watcher
from pageside.operations.update_watch import checked_cursor, page_to_watch
from pageside.operations.world import World

MAX_TEXT = 500
_OURS = ("event", "server", "stamp")
"""Fields of an entry by which Pageside tells things apart; its text says them."""


async def read_timeline(world: World, watcher: Watcher, asked: Mapping[str, Any]) -> dict[str, Any]:
    """`{"page"?, "entries", "next", "left", "dropped"}`: the newest that fit `limit`, or those next after `after`.

    `asked`: the tool's arguments. Raises `InvalidArguments`, `InspectionNotFound` and what choosing a page does.
    """
    inspection = asked.get("inspectionId")
    item = world.inspections.get(inspection) if inspection is not None else None
    wanted = Wanted(
        after=checked_cursor(world, "after", asked.get("after", 0)),
        since=asked.get("since"),
        until=asked.get("until"),
        level=asked["level"],
        kinds=tuple(asked.get("kinds", ())),
        inspection=inspection,
        file=str(item["sourceInfo"].get("file") or "") if item is not None else "",
    )
    page = await _page(world, watcher, asked.get("page"), is_of_inspection=item is not None)
    return _portion(world, page, wanted, int(asked["limit"]), onward="after" in asked)


async def _page(world: World, watcher: Watcher, wanted: str | None, *, is_of_inspection: bool) -> str | None:
    """The page to read, gone or not; None for all of them: an inspection may be worked on in several."""
    if wanted is not None and world.timeline.knows(wanted):
        return wanted
    if wanted is None and is_of_inspection:
        return None
    chosen = await page_to_watch(world, watcher, wanted)
    return chosen.id if chosen is not None else None


def _portion(world: World, page: str | None, wanted: Wanted, limit: int, *, onward: bool) -> dict[str, Any]:
    timeline = world.timeline
    found = timeline.read(page, wanted)
    if onward:
        first = set(sorted(entry.seq for entry in found)[:limit])
        shown = [entry for entry in found if entry.seq in first]
    else:
        shown = found[-limit:]
    left = len(found) - len(shown)
    told = {
        "entries": [_told(world, entry, names_page=page is None) for entry in shown],
        "next": max(entry.seq for entry in shown) if onward and left else timeline.seq,
        "left": left,
        "dropped": timeline.dropped(page, wanted),
    }
    connected = world.pages.get(page) if page is not None else None
    return {"page": connected.summary(), **told} if connected is not None else told


def _told(world: World, entry: Entry, *, names_page: bool) -> dict[str, Any]:
    """An entry, its page where several are read, and of its data what its text does not say."""
    told = {**entry.to_json(), "text": _short(entry.text)}
    data = {key: _short(value) for key, value in entry.data.items() if key not in _OURS and _is_plain(value)}
    told.pop("data", None)
    if data:
        told["data"] = data
    if names_page and entry.page is not None:
        told["page"] = (world.timeline.documents(entry.page) or [entry.page])[-1]
    return told


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float)


def _short(value: Any) -> Any:
    return f"{value[:MAX_TEXT]}…" if isinstance(value, str) and len(value) > MAX_TEXT else value


def page_timeline(world: World, page: str, limit: int) -> Sequence[dict[str, Any]]:
    """The newest entries of that page and of the project."""
    return [_told(world, entry, names_page=False) for entry in world.timeline.read(page)[-limit:]]
