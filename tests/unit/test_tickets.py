"""Tickets: one an agent, picks one after the other on a page, ten minutes each."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pageside.errors import Cancelled, CommandTimeout, TicketNotFound
from pageside.hubs.tickets import QUESTIONS, Ticket, Tickets


class User:
    """Is asked, and points when the test says so."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[str] = asyncio.Queue()
        self.answers: dict[str, asyncio.Future[Any]] = {}

    async def point(self, ticket_id: str) -> Any:
        self.answers[ticket_id] = asyncio.get_running_loop().create_future()
        self.asked.put_nowait(ticket_id)
        return await self.answers[ticket_id]

    async def next(self) -> str:
        return await asyncio.wait_for(self.asked.get(), 5)

    async def answers_next(self, result: Any) -> str:
        ticket_id = await self.next()
        self.answers[ticket_id].set_result(result)
        return ticket_id


def start(hub: Tickets, user: User, agent: str, page: str = "page", kind: str = "pick_element") -> Ticket:
    return hub.start(agent, kind, page, user.point)


async def test_an_answer_is_kept_until_it_is_collected_once() -> None:
    hub, user = Tickets(), User()
    ticket = start(hub, user, "Ada")
    assert not await hub.wait(ticket, 0)
    await user.answers_next("#buy")
    assert await hub.wait(ticket, 5)
    assert hub.get(ticket.id, "Ada", "pick_element") is ticket
    assert hub.collect(ticket) == "#buy"
    with pytest.raises(TicketNotFound):
        hub.get(ticket.id, "Ada", "pick_element")


@pytest.mark.parametrize(("agent", "kind"), [("Bob", "pick_element"), ("Ada", "pick_area")])
async def test_a_ticket_is_its_agents_and_of_its_kind(agent: str, kind: str) -> None:
    hub, user = Tickets(), User()
    ticket = start(hub, user, "Ada")
    with pytest.raises(TicketNotFound):
        hub.get(ticket.id, agent, kind)
    hub.stop()


async def test_picks_of_a_page_are_asked_one_after_the_other() -> None:
    hub, user = Tickets(), User()
    tickets = [start(hub, user, f"agent {n}") for n in range(3)]
    elsewhere = start(hub, user, "somebody else", page="another page")
    assert {await user.next(), await user.next()} == {tickets[0].id, elsewhere.id}
    assert [hub.position(ticket) for ticket in [*tickets, elsewhere]] == [0, 1, 2, 0]
    user.answers[tickets[0].id].set_result("first")
    assert await user.answers_next("second") == tickets[1].id
    assert await user.next() == tickets[2].id
    assert hub.position(tickets[2]) == 0
    hub.stop()


async def test_a_new_pick_of_an_agent_ends_its_earlier_one_and_nobody_elses() -> None:
    hub, user = Tickets(), User()
    earlier, other = start(hub, user, "Ada"), start(hub, user, "Bob")
    assert await user.next() == earlier.id
    later = start(hub, user, "Ada", kind="pick_area")
    assert await hub.wait(earlier, 5)
    with pytest.raises(Cancelled, match="New inspect request started"):
        hub.collect(earlier)
    assert await user.answers_next("for Bob") == other.id
    assert await user.answers_next("for Ada") == later.id
    assert await hub.wait(later, 5)
    assert (hub.collect(other), hub.collect(later)) == ("for Bob", "for Ada")


async def test_a_waiting_pick_that_is_cancelled_leaves_the_line() -> None:
    hub, user = Tickets(), User()
    first, second, third = (start(hub, user, f"agent {n}") for n in range(3))
    await user.next()
    hub.cancel_agent("agent 1", "the agent's session ended")
    assert await hub.wait(second, 5)
    assert hub.position(third) == 1
    user.answers[first.id].set_result("x")
    assert await user.next() == third.id
    hub.stop()


async def test_a_pick_that_nobody_answers_ends_with_its_time() -> None:
    hub, user = Tickets(seconds=0.05), User()
    asked, waiting = start(hub, user, "Ada"), start(hub, user, "Bob")
    assert 0 < hub.seconds_left(asked) <= 0.05
    for ticket in (asked, waiting):
        assert await hub.wait(ticket, 5)
        with pytest.raises(CommandTimeout, match="Timeout: No element selected"):
            hub.collect(ticket)
    assert hub.seconds_left(asked) == 0


async def test_an_answer_that_nobody_collects_is_forgotten_at_last() -> None:
    hub, user = Tickets(seconds=0.02), User()
    ticket = start(hub, user, "Ada")
    await user.answers_next("#buy")
    loop = asyncio.get_running_loop()
    while loop.time() < ticket.deadline + 0.02:
        await hub.wait(start(hub, user, "Bob"), 0.01)
    start(hub, user, "Bob")
    with pytest.raises(TicketNotFound):
        hub.get(ticket.id, "Ada", "pick_element")
    hub.stop()


async def test_picks_go_with_the_page_that_reloads() -> None:
    hub, user = Tickets(), User()
    first, second = start(hub, user, "Ada"), start(hub, user, "Bob")
    await user.next()
    hub.page_connected("reloaded", "page")
    third = start(hub, user, "Cy", page="reloaded")
    assert {ticket.page for ticket in (first, second, third)} == {"reloaded"}
    assert [hub.position(ticket) for ticket in (first, second, third)] == [0, 1, 2]
    user.answers[first.id].set_result("x")
    assert await user.answers_next("y") == second.id
    assert await user.next() == third.id
    hub.stop()


async def test_a_page_that_is_gone_leaves_no_line_behind() -> None:
    hub, user = Tickets(), User()
    start(hub, user, "Ada")
    await user.next()
    hub.page_gone("page")
    again = start(hub, user, "Bob")
    assert await user.next() == again.id
    hub.stop()


async def test_a_stop_tells_everybody() -> None:
    hub, user = Tickets(), User()
    tickets = [start(hub, user, f"agent {n}") for n in range(3)]
    await user.next()
    hub.stop()
    for ticket in tickets:
        assert await hub.wait(ticket, 5)
        with pytest.raises(Cancelled, match="the companion stopped"):
            hub.collect(ticket)


async def test_questions_wait_for_no_turn_and_stand_in_a_line_of_their_own() -> None:
    hub, user = Tickets(), User()
    pick = start(hub, user, "Ada")
    first = hub.start("Bob", "ask_user", "page", user.point, lane=QUESTIONS)
    second = hub.start("Cy", "choose_element", "page", user.point, lane=QUESTIONS)
    asked = {await user.next() for _ in range(3)}
    assert asked == {pick.id, first.id, second.id}
    assert [hub.position(ticket) for ticket in (pick, first, second)] == [0, 0, 1]
    user.answers[first.id].set_result("blue")
    assert await hub.wait(first, 5)
    assert (hub.collect(first), hub.position(second)) == ("blue", 0)
    hub.stop()


async def test_a_question_ends_the_agents_pick_and_its_own_time_has_its_own_words() -> None:
    hub, user = Tickets(seconds=0.05), User()
    pick = start(hub, user, "Ada")
    question = hub.start("Ada", "ask_user", "page", user.point, lane=QUESTIONS)
    assert await hub.wait(pick, 5)
    with pytest.raises(Cancelled, match="New question asked"):
        hub.collect(pick)
    assert await hub.wait(question, 5)
    with pytest.raises(CommandTimeout, match="The user did not answer"):
        hub.collect(question)
