"""Ask the user to point, or look at what a selector names."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pageside.hubs.pages import Page
from pageside.hubs.picks import Ticket
from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report, World


@dataclass(frozen=True, slots=True)
class Picked:
    """What was seen, and where."""

    page: dict[str, Any]
    context: Any


@dataclass(frozen=True, slots=True)
class StillOpen:
    """The user has not answered yet."""

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
        message = f"Waiting for the user to point on {_where(world, opened)}"
        await wait_with_progress(lambda seconds: world.picks.wait(opened, seconds), wait, report, message)
    except asyncio.CancelledError:
        world.picks.cancel(opened, "the agent cancelled the call")
        raise
    if opened.task.done():
        seen = world.picks.collect(opened)
        return Picked(_summary(world, opened.page), seen)
    return StillOpen(opened.id, world.picks.position(opened), round(world.picks.seconds_left(opened), 1))


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
    opened = world.picks.start(watcher.key, tool, chosen.id, run)
    return opened


async def look(
    world: World, watcher: Watcher, tool: str, args: Mapping[str, Any], *, page: str | None
) -> Picked:
    """Describe what `args` name; no user is asked."""
    chosen = await choose_page(world, watcher, page)
    seen = await world.pages.call(chosen.id, tool, dict(args))
    return Picked(chosen.summary(), seen)


def _where(world: World, ticket: Ticket) -> str:
    page = world.pages.get(ticket.page)
    return _name(page) if page is not None else "a page that is reloading"


def _name(page: Page) -> str:
    return page.url or page.id


def _summary(world: World, page_id: str) -> dict[str, Any]:
    page = world.pages.get(page_id)
    return page.summary() if page is not None else {"id": page_id}
