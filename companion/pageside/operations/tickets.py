"""Requests that wait for a person, longer than one call of an agent: asked, continued by their ticket, collected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pageside.hubs.sessions import Watcher
from pageside.hubs.tickets import Lane, Ticket
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
class Asking:
    """How an agent asks: on which page, why, and for how many seconds; with `ticket`, what it has asked before."""

    page: str | None
    ticket: str | None
    reason: str
    wait: float
    report: Report


Around = Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""Asks by calling what it is given, and does what belongs to it before and after."""


async def put(
    world: World,
    watcher: Watcher,
    tool: str,
    lane: Lane,
    asking: Asking,
    args: Mapping[str, Any],
    around: Around | None = None,
) -> Answered | StillOpen:
    """Ask by that page tool, or go on waiting, for `asking.wait` seconds at most; raises what ended the request."""
    if asking.ticket is not None:
        ticket = world.tickets.get(asking.ticket, watcher.key, tool)
    else:
        given = {**args, "reason": asking.reason, "agent": watcher.name}
        ticket = await _start(world, watcher, tool, lane, asking.page, given, around)
    try:
        await wait_with_progress(
            lambda seconds: world.tickets.wait(ticket, seconds), asking.wait, asking.report, lane.waiting
        )
    except asyncio.CancelledError:
        world.tickets.cancel(ticket, "the agent cancelled the call")
        raise
    if ticket.task.done():
        result = world.tickets.collect(ticket)
        return Answered(_summary(world, ticket.page), result)
    left = round(world.tickets.seconds_left(ticket), 1)
    return StillOpen(_summary(world, ticket.page), ticket.id, world.tickets.position(ticket), left)


async def _start(
    world: World,
    watcher: Watcher,
    tool: str,
    lane: Lane,
    page: str | None,
    args: Mapping[str, Any],
    around: Around | None,
) -> Ticket:
    chosen = await choose_page(world, watcher, page)

    async def run(ticket_id: str) -> Any:
        async def asked() -> Any:
            return await world.pages.calls.call(opened.page, tool, {**args, "ticket": ticket_id})

        return await (around(asked) if around is not None else asked())

    # `run` starts at its turn, when the page may have been reloaded: the ticket knows where it is now.
    opened = world.tickets.start(watcher.key, tool, chosen.id, run, alone=not watcher.shared, lane=lane)
    return opened


def _summary(world: World, page_id: str) -> dict[str, Any]:
    page = world.pages.get(page_id)
    return page.summary() if page is not None else {"id": page_id}
