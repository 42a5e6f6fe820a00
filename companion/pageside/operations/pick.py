"""Ask the user to point, or look at what a selector names."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pageside.hubs.picks import Ticket
from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report, World

WAITING = "Waiting for the user to point"
"""No word of the page: progress is not marked as untrusted."""


@dataclass(frozen=True, slots=True)
class Picked:
    """What was seen, and where."""

    page: dict[str, Any]
    context: Any


@dataclass(frozen=True, slots=True)
class StillOpen:
    """The user has not answered yet."""

    page: dict[str, Any]
    ticket: str
    position: int
    seconds_left: float


async def ask(
    world: World,
    watcher: Watcher,
    tool: str,
    *,
    page: str | None,
    ticket: str | None,
    reason: str | None,
    wait: float,
    report: Report,
) -> Picked | StillOpen:
    """Show the crosshair and wait `wait` seconds at most; with `ticket`, go on waiting for that one."""
    opened = await _continue_or_start(world, watcher, tool, page, ticket, reason)
    try:
        await wait_with_progress(lambda seconds: world.picks.wait(opened, seconds), wait, report, WAITING)
    except asyncio.CancelledError:
        world.picks.cancel(opened, "the agent cancelled the call")
        raise
    if opened.task.done():
        seen = world.picks.collect(opened)
        return Picked(_summary(world, opened.page), _slim(seen))
    left = round(world.picks.seconds_left(opened), 1)
    return StillOpen(_summary(world, opened.page), opened.id, world.picks.position(opened), left)


async def _continue_or_start(
    world: World,
    watcher: Watcher,
    tool: str,
    page: str | None,
    ticket: str | None,
    reason: str | None,
) -> Ticket:
    if ticket is not None:
        return world.picks.get(ticket, watcher.key, tool)
    chosen = await choose_page(world, watcher, page)

    async def run(ticket_id: str) -> Any:
        args = {"ticket": ticket_id, "agent": watcher.name, "reason": reason or ""}
        return await world.pages.call(opened.page, tool, args)

    # `run` starts at its turn, when the page may have been reloaded: the ticket knows where it is now.
    opened = world.picks.start(watcher.key, tool, chosen.id, run, alone=not watcher.shared)
    return opened


async def look(
    world: World, watcher: Watcher, tool: str, args: Mapping[str, Any], *, page: str | None
) -> Picked:
    """Describe what `args` name; no user is asked."""
    chosen = await choose_page(world, watcher, page)
    seen = await world.pages.call(chosen.id, tool, dict(args))
    return Picked(chosen.summary(), _slim(seen))


_HEAVY = ("styles", "computedStyles", "html", "attributes")
"""What an element of an area goes without: fifty of them would be a hundred thousand characters."""


def _slim(context: Any) -> Any:
    """An area whose elements are short; anything else as it is. A selector gives the whole of one."""
    if not isinstance(context, dict) or not isinstance(context.get("elements"), list):
        return context
    return {**context, "elements": [_slim_element(element) for element in context["elements"]]}


def _slim_element(element: Any) -> Any:
    source = element.get("sourceInfo") if isinstance(element, dict) else None
    info = source.get("elementInfo") if isinstance(source, dict) else None
    if not isinstance(source, dict) or not isinstance(info, dict):
        return element
    light = {key: value for key, value in info.items() if key not in _HEAVY}
    return {**element, "sourceInfo": {**source, "elementInfo": light}}


def _summary(world: World, page_id: str) -> dict[str, Any]:
    page = world.pages.get(page_id)
    return page.summary() if page is not None else {"id": page_id}
