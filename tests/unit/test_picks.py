"""Pick tickets: one an agent, one after the other on a page, ten minutes each."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pageside.errors import Cancelled, CommandTimeout, TicketNotFound
from pageside.hubs.picks import QUESTIONS, Picks, Ticket


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


def start(picks: Picks, user: User, agent: str, page: str = "page", kind: str = "pick_element") -> Ticket:
    return picks.start(agent, kind, page, user.point)


async def test_an_answer_is_kept_until_it_is_collected_once() -> None:
    picks, user = Picks(), User()
    ticket = start(picks, user, "Ada")
    assert not await picks.wait(ticket, 0)
    await user.answers_next("#buy")
    assert await picks.wait(ticket, 5)
    assert picks.get(ticket.id, "Ada", "pick_element") is ticket
    assert picks.collect(ticket) == "#buy"
    with pytest.raises(TicketNotFound):
        picks.get(ticket.id, "Ada", "pick_element")


@pytest.mark.parametrize(("agent", "kind"), [("Bob", "pick_element"), ("Ada", "pick_area")])
async def test_a_ticket_is_its_agents_and_of_its_kind(agent: str, kind: str) -> None:
    picks, user = Picks(), User()
    ticket = start(picks, user, "Ada")
    with pytest.raises(TicketNotFound):
        picks.get(ticket.id, agent, kind)
    picks.stop()


async def test_picks_of_a_page_are_asked_one_after_the_other() -> None:
    picks, user = Picks(), User()
    tickets = [start(picks, user, f"agent {n}") for n in range(3)]
    elsewhere = start(picks, user, "somebody else", page="another page")
    assert {await user.next(), await user.next()} == {tickets[0].id, elsewhere.id}
    assert [picks.position(ticket) for ticket in [*tickets, elsewhere]] == [0, 1, 2, 0]
    user.answers[tickets[0].id].set_result("first")
    assert await user.answers_next("second") == tickets[1].id
    assert await user.next() == tickets[2].id
    assert picks.position(tickets[2]) == 0
    picks.stop()


async def test_a_new_pick_of_an_agent_ends_its_earlier_one_and_nobody_elses() -> None:
    picks, user = Picks(), User()
    earlier, other = start(picks, user, "Ada"), start(picks, user, "Bob")
    assert await user.next() == earlier.id
    later = start(picks, user, "Ada", kind="pick_area")
    assert await picks.wait(earlier, 5)
    with pytest.raises(Cancelled, match="New inspect request started"):
        picks.collect(earlier)
    assert await user.answers_next("for Bob") == other.id
    assert await user.answers_next("for Ada") == later.id
    assert await picks.wait(later, 5)
    assert (picks.collect(other), picks.collect(later)) == ("for Bob", "for Ada")


async def test_a_waiting_pick_that_is_cancelled_leaves_the_line() -> None:
    picks, user = Picks(), User()
    first, second, third = (start(picks, user, f"agent {n}") for n in range(3))
    await user.next()
    picks.cancel_agent("agent 1", "the agent's session ended")
    assert await picks.wait(second, 5)
    assert picks.position(third) == 1
    user.answers[first.id].set_result("x")
    assert await user.next() == third.id
    picks.stop()


async def test_a_pick_that_nobody_answers_ends_with_its_time() -> None:
    picks, user = Picks(seconds=0.05), User()
    asked, waiting = start(picks, user, "Ada"), start(picks, user, "Bob")
    assert 0 < picks.seconds_left(asked) <= 0.05
    for ticket in (asked, waiting):
        assert await picks.wait(ticket, 5)
        with pytest.raises(CommandTimeout, match="Timeout: No element selected"):
            picks.collect(ticket)
    assert picks.seconds_left(asked) == 0


async def test_an_answer_that_nobody_collects_is_forgotten_at_last() -> None:
    picks, user = Picks(seconds=0.02), User()
    ticket = start(picks, user, "Ada")
    await user.answers_next("#buy")
    loop = asyncio.get_running_loop()
    while loop.time() < ticket.deadline + 0.02:
        await picks.wait(start(picks, user, "Bob"), 0.01)
    start(picks, user, "Bob")
    with pytest.raises(TicketNotFound):
        picks.get(ticket.id, "Ada", "pick_element")
    picks.stop()


async def test_picks_go_with_the_page_that_reloads() -> None:
    picks, user = Picks(), User()
    first, second = start(picks, user, "Ada"), start(picks, user, "Bob")
    await user.next()
    picks.page_connected("reloaded", "page")
    third = start(picks, user, "Cy", page="reloaded")
    assert {ticket.page for ticket in (first, second, third)} == {"reloaded"}
    assert [picks.position(ticket) for ticket in (first, second, third)] == [0, 1, 2]
    user.answers[first.id].set_result("x")
    assert await user.answers_next("y") == second.id
    assert await user.next() == third.id
    picks.stop()


async def test_a_page_that_is_gone_leaves_no_line_behind() -> None:
    picks, user = Picks(), User()
    start(picks, user, "Ada")
    await user.next()
    picks.page_gone("page")
    again = start(picks, user, "Bob")
    assert await user.next() == again.id
    picks.stop()


async def test_a_stop_tells_everybody() -> None:
    picks, user = Picks(), User()
    tickets = [start(picks, user, f"agent {n}") for n in range(3)]
    await user.next()
    picks.stop()
    for ticket in tickets:
        assert await picks.wait(ticket, 5)
        with pytest.raises(Cancelled, match="the companion stopped"):
            picks.collect(ticket)


async def test_questions_wait_for_no_turn_and_stand_in_a_line_of_their_own() -> None:
    picks, user = Picks(), User()
    pick = start(picks, user, "Ada")
    first = picks.start("Bob", "ask_user", "page", user.point, lane=QUESTIONS)
    second = picks.start("Cy", "choose_element", "page", user.point, lane=QUESTIONS)
    asked = {await user.next() for _ in range(3)}
    assert asked == {pick.id, first.id, second.id}
    assert [picks.position(ticket) for ticket in (pick, first, second)] == [0, 0, 1]
    user.answers[first.id].set_result("blue")
    assert await picks.wait(first, 5)
    assert (picks.collect(first), picks.position(second)) == ("blue", 0)
    picks.stop()


async def test_a_question_ends_the_agents_pick_and_its_own_time_has_its_own_words() -> None:
    picks, user = Picks(seconds=0.05), User()
    pick = start(picks, user, "Ada")
    question = picks.start("Ada", "ask_user", "page", user.point, lane=QUESTIONS)
    assert await picks.wait(pick, 5)
    with pytest.raises(Cancelled, match="New question asked"):
        picks.collect(pick)
    assert await picks.wait(question, 5)
    with pytest.raises(CommandTimeout, match="The user did not answer"):
        picks.collect(question)
