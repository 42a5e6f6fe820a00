"""Requests that wait for a person, longer than one call of an agent: asked, continued by their ticket, collected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pageside.hubs.picks import Lane, Ticket
from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report, World


@dataclass(frozen=True, slots=True)
class Answered:
    """What the page gave, and which page."""

    page: dict[str, Any]
    result: Any


@dataclass(frozen=True, slots=True)
class StillOpen:
    """The user has not answered yet."""

    page: dict[str, Any]
    ticket: str
    position: int
    seconds_left: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page tool that asks the user, for one agent; with `ticket`, the one that was asked before."""

    tool: str
    lane: Lane
    page: str | None
    ticket: str | None
    wait: float
    waiting: str
    """For whoever follows the progress. No word of the page: progress is not marked as untrusted."""


Around = Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""Asks by calling what it is given, and does what belongs to it before and after."""


async def put(
    world: World,
    watcher: Watcher,
    wanted: Wanted,
    args: Mapping[str, Any],
    report: Report,
    around: Around | None = None,
) -> Answered | StillOpen:
    """Ask, or go on waiting, for `wanted.wait` seconds at most; raises what ended the request."""
    ticket = await _continue_or_start(world, watcher, wanted, args, around)
    try:
        waits = wait_with_progress(
            lambda seconds: world.picks.wait(ticket, seconds), wanted.wait, report, wanted.waiting
        )
        await waits
    except asyncio.CancelledError:
        world.picks.cancel(ticket, "the agent cancelled the call")
        raise
    if ticket.task.done():
        result = world.picks.collect(ticket)
        return Answered(_summary(world, ticket.page), result)
    left = round(world.picks.seconds_left(ticket), 1)
    return StillOpen(_summary(world, ticket.page), ticket.id, world.picks.position(ticket), left)


async def _continue_or_start(
    world: World, watcher: Watcher, wanted: Wanted, args: Mapping[str, Any], around: Around | None
) -> Ticket:
    if wanted.ticket is not None:
        return world.picks.get(wanted.ticket, watcher.key, wanted.tool)
    chosen = await choose_page(world, watcher, wanted.page)

    async def run(ticket_id: str) -> Any:
        given = {**args, "ticket": ticket_id, "agent": watcher.name}

        async def asked() -> Any:
            return await world.pages.call(opened.page, wanted.tool, given)

        return await (around(asked) if around is not None else asked())

    # `run` starts at its turn, when the page may have been reloaded: the ticket knows where it is now.
    opened = world.picks.start(
        watcher.key, wanted.tool, chosen.id, run, alone=not watcher.shared, lane=wanted.lane
    )
    return opened


def _summary(world: World, page_id: str) -> dict[str, Any]:
    page = world.pages.get(page_id)
    return page.summary() if page is not None else {"id": page_id}
