"""Tickets: requests to the user that live for ten minutes, longer than any single call of an agent.

An agent has one open request: a new one cancels its earlier one. Those of several agents on one page queue: picks
here, questions in the page, which shows how many there are.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from pageside.errors import Cancelled, CommandTimeout, TicketNotFound

TICKET_SECONDS = 600.0
"""How long the user has, and how long an answer that nobody collected is kept."""

Run = Callable[[str], Awaitable[Any]]
"""Asks the page; gets the ticket's id, returns what the user picked or answered."""


@dataclass(frozen=True, slots=True)
class Lane:
    """Requests of one sort; where they take turns, the page has one of them at a time."""

    name: str
    takes_turns: bool
    starts: str
    """Why the agent's earlier request ends."""
    late: str
    waiting: str
    """For whoever follows the progress. No word of the page: progress is not marked as untrusted."""


PICKS = Lane(
    "pick",
    takes_turns=True,
    starts="New inspect request started",
    late="Timeout: No element selected",
    waiting="Waiting for the user to point",
)
QUESTIONS = Lane(
    "question",
    takes_turns=False,
    starts="New question asked",
    late="Timeout: The user did not answer",
    waiting="Waiting for the user to answer",
)


@dataclass(slots=True)
class Ticket:
    """One request. `page` is where it was asked; `deadline` is on the loop's clock, in seconds."""

    id: str
    agent: str
    kind: str
    lane: Lane
    page: str
    deadline: float
    task: asyncio.Task[Any] = field(repr=False)
    why_cancelled: str = ""


class Tickets:
    """All open tickets of a companion."""

    def __init__(self, seconds: float = TICKET_SECONDS) -> None:
        self._seconds = seconds
        self._tickets: dict[str, Ticket] = {}
        self._turns: dict[str, asyncio.Lock] = {}

    def start(
        self, agent: str, kind: str, page: str, run: Run, *, alone: bool = True, lane: Lane = PICKS
    ) -> Ticket:
        """Open a ticket; `alone`: the agent's earlier one ends, and is told why."""
        if alone:
            self.cancel_agent(agent, lane.starts)
        self._forget_old()
        ticket_id = secrets.token_urlsafe(9)
        deadline = asyncio.get_running_loop().time() + self._seconds
        task = asyncio.create_task(self._take_turn(ticket_id, page, run, deadline, lane))
        # A result that nobody collects must not end as a warning of the loop.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        ticket = Ticket(ticket_id, agent, kind, lane, page, deadline, task)
        self._tickets[ticket_id] = ticket
        return ticket

    async def _take_turn(self, ticket_id: str, page: str, run: Run, deadline: float, lane: Lane) -> Any:
        turn: AbstractAsyncContextManager[Any] = nullcontext()
        if lane.takes_turns:
            turn = self._turns.setdefault(page, asyncio.Lock())
        try:
            async with asyncio.timeout_at(deadline), turn:
                return await run(ticket_id)
        except TimeoutError:
            raise CommandTimeout(lane.late) from None

    def get(self, ticket_id: str, agent: str, kind: str) -> Ticket:
        """The agent's own ticket of that kind; raises `TicketNotFound`."""
        ticket = self._tickets.get(ticket_id)
        if ticket is None or ticket.agent != agent or ticket.kind != kind:
            raise TicketNotFound(f"You have no open request {ticket_id!r} of this kind.")
        return ticket

    def position(self, ticket: Ticket) -> int:
        """0 when the user is being asked, else how many of its lane come before it on its page."""
        before = 0
        for other in self._tickets.values():
            if other is ticket:
                break
            before += (other.page, other.lane) == (ticket.page, ticket.lane) and not other.task.done()
        return before

    def seconds_left(self, ticket: Ticket) -> float:
        return max(0.0, ticket.deadline - asyncio.get_running_loop().time())

    async def wait(self, ticket: Ticket, seconds: float) -> bool:
        """True when the ticket is done within `seconds`."""
        done, _ = await asyncio.wait({ticket.task}, timeout=seconds)
        return bool(done)

    def collect(self, ticket: Ticket) -> Any:
        """The result of a ticket that is done, once; raises what ended it."""
        self._tickets.pop(ticket.id, None)
        if ticket.task.cancelled():
            raise Cancelled(f"The request was withdrawn: {ticket.why_cancelled or 'cancelled'}.")
        return ticket.task.result()

    def cancel(self, ticket: Ticket, why: str) -> None:
        """Take the request back from the page; whoever waits for it gets `Cancelled`."""
        ticket.why_cancelled = why
        ticket.task.cancel()

    def cancel_agent(self, agent: str, why: str) -> None:
        """Take back everything that this agent asks."""
        for ticket in self._tickets.values():
            if ticket.agent == agent and not ticket.task.done():
                self.cancel(ticket, why)

    def cancel_page(self, page: str, why: str) -> None:
        """Take back everything that is asked on that page."""
        for ticket in self._tickets.values():
            if ticket.page == page and not ticket.task.done():
                self.cancel(ticket, why)

    def stop(self) -> None:
        """Take back everything."""
        for ticket in self._tickets.values():
            self.cancel(ticket, "the companion stopped")

    # What becomes of pages: later picks queue where the earlier ones went

    def page_connected(self, page: str, predecessor: str | None) -> None:
        if predecessor is None:
            return
        if predecessor in self._turns:
            self._turns[page] = self._turns.pop(predecessor)
        for ticket in self._tickets.values():
            if ticket.page == predecessor:
                ticket.page = page

    def page_gone(self, page: str) -> None:
        self._turns.pop(page, None)

    def _forget_old(self) -> None:
        limit = asyncio.get_running_loop().time() - self._seconds
        old = [t.id for t in self._tickets.values() if t.task.done() and t.deadline < limit]
        for ticket_id in old:
            del self._tickets[ticket_id]
