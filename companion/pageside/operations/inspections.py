"""The agent's side of the queue: look, wait, claim, report, finish."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any

from pageside.core import inspections as rules
from pageside.core import replies as threads
from pageside.core import status as machine
from pageside.core.inspections import Item
from pageside.errors import InspectionNotFound, InvalidArguments, PagesideError
from pageside.hubs.sessions import Watcher
from pageside.operations import drift
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report, World

PAGE_SIZE = 50
_ORDER = re.compile(r"-?\d{1,17}(\.\d{1,20})?(e-?\d{1,3})?")


async def list_page(
    world: World, statuses: Sequence[str] | None, cursor: str | None
) -> tuple[list[dict[str, Any]], int, str | None]:
    """(up to 50 summaries, how many there are in all, the next cursor or None)."""
    items = world.inspections.living(statuses)
    start = _after(items, cursor)
    chosen = items[start : start + PAGE_SIZE]
    more = start + PAGE_SIZE < len(items)
    return await drift.summaries(world, chosen), len(items), _cursor(chosen[-1]) if more else None


def _cursor(item: Item) -> str:
    order, timestamp, inspection_id = rules.place(item)
    return f"{order!r}~{timestamp}~{inspection_id}"


def _after(items: Sequence[Item], cursor: str | None) -> int:
    if cursor is None:
        return 0
    order, _, rest = cursor.partition("~")
    stamp, tilde, inspection_id = rest.partition("~")
    if not tilde or not _ORDER.fullmatch(order) or not stamp.isdecimal() or len(stamp) > 15:
        raise InvalidArguments("'cursor' is not one that list_inspections gave.", data={"argument": "cursor"})
    last = (float(order), int(stamp), inspection_id)
    return sum(1 for item in items if rules.place(item) <= last)


def current(world: World, watcher: Watcher) -> str | None:
    """What the agent works on; of agents that cannot be told apart, only if there is no doubt."""
    if not watcher.shared:
        return watcher.inspection
    working = world.claims.working(watcher.key)
    return working[0] if len(working) == 1 else None


async def update(
    world: World,
    watcher: Watcher,
    inspection_id: str | None,
    status: str,
    message: str | None,
    progress: Any,
) -> dict[str, Any]:
    """Change an inspection, by default the one that this agent works on; durable when this returns."""
    wanted = inspection_id or current(world, watcher)
    if wanted is None:
        raise InspectionNotFound(
            "'inspectionId' is missing, and it is not known which inspection you work on.",
            fix="Name it; claim one with status 'in-progress'.",
        )
    claiming = status == "in-progress"
    world.claims.check(wanted, watcher.key, claiming=claiming)
    if claiming:
        # Before the write, so that of two agents at once only one gets through.
        world.inspections.get(wanted)
        world.claims.take(wanted, watcher.key, watcher.name)
    try:
        item = await world.inspections.transition(
            wanted, status, message=message, progress=progress, agent=watcher.name
        )
    except PagesideError:
        if claiming and world.inspections.get(wanted)["status"] != "in-progress":
            world.claims.end(wanted)
        raise
    if claiming:
        world.claims.take(wanted, watcher.key, watcher.name)
        watcher.inspection = wanted
    elif watcher.inspection == wanted:
        watcher.inspection = None
    said = heard(world, watcher, item)
    return {
        "inspectionId": wanted,
        "status": item["status"],
        "revision": item["rev"],
        "allowedNext": machine.allowed(item["status"], "agent"),
        **({"replies": said} if said else {}),
    }


def heard(world: World, watcher: Watcher, item: Item) -> list[dict[str, Any]]:
    """What the user said of `item` since this agent last heard of it, once."""
    return threads.shown(world.heard.tell(watcher.key, item["id"], item.get("replies", [])))


async def wait_for_next(world: World, watcher: Watcher, seconds: float, report: Report) -> Item | None:
    """The first pending inspection that no other agent has, as soon as there is one; None after `seconds`.

    It is reserved for this agent for a minute: two agents that wait never get the same one. What the agent works on
    comes first, as soon as the user has said something of it that the agent has not heard.
    """

    # Where agents of one name cannot be told apart, what one was handed is not free for the other.
    owner = "" if watcher.shared else watcher.key

    def replied() -> Item | None:
        working = current(world, watcher)
        for item in world.inspections.living(["in-progress"]):
            thread = item.get("replies", [])
            if item["id"] == working and world.heard.news(watcher.key, item["id"], thread):
                return item
        return None

    def free() -> Item | None:
        pending = world.inspections.living(["pending"])
        return next((i for i in pending if world.claims.is_free(i["id"], owner)), None)

    async def one_more(limit: float) -> bool:
        if replied() or free():
            return True
        try:
            async with asyncio.timeout(limit):
                await world.inspections.changed()
        except TimeoutError:
            return False
        return (replied() or free()) is not None

    await wait_with_progress(one_more, seconds, report, "Waiting for the user to pick something")
    item = replied()
    if item is not None:
        return item
    item = free()
    if item is not None:
        world.claims.reserve(item["id"], watcher.key, watcher.name)
    return item
