"""The log of what agents do: whose it is, who is told of it, and how often."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

from pageside.hubs.activity import KEPT, PUSH_SECONDS, TOLD_AT_ONCE, Activity
from pageside.hubs.brakes import Brakes

News = dict[str, list[dict[str, Any]]]


def one(activity: Activity, page: str | None = "a", outcome: str = "ok", **more: Any) -> int:
    call = activity.begin("chrome_click", "input", "Ada", "#buy")
    if page is not None:
        activity.reached(call, page)
    activity.end(call, outcome, 12, **more)
    return call.id


async def test_a_call_belongs_to_the_page_that_it_reached_else_to_the_project() -> None:
    activity = Activity()
    here, there, nowhere = one(activity), one(activity, "b"), one(activity, None)
    one(activity, None, silent=True)
    assert [each["id"] for each in activity.entries("a")] == [here, nowhere]
    assert [each["id"] for each in activity.entries("b")] == [there, nowhere]
    assert [each["id"] for each in activity.entries("c")] == [nowhere]


async def test_the_log_goes_on_with_the_document_that_takes_the_pages_place() -> None:
    activity = Activity()
    first = one(activity)
    activity.follow("a", "a2")
    activity.follow("a", "a2")
    assert [each["id"] for each in activity.entries("a2")] == [first]
    assert activity.entries("a") == []


async def test_the_newest_are_kept() -> None:
    activity = Activity()
    last = [one(activity) for _ in range(KEPT + 5)][-1]
    kept = activity.entries("a", KEPT * 2)
    assert (len(kept), kept[-1]["id"]) == (KEPT, last)


async def test_a_running_call_is_there_until_it_ends() -> None:
    activity = Activity()
    call = activity.begin("chrome_click", "input", "Ada", "#buy")
    activity.reached(call, "a")
    activity.reached(call, "a")
    assert activity.presses_in("a") is None, "it is not let in yet"
    call.is_let_in = True
    assert activity.running("a") == activity.running(None) == [call]
    assert "outcome" not in activity.entries("a")[0]
    assert activity.presses_in("a") is call
    activity.end(call, "CANCELLED_BY_USER", 3)
    assert activity.running("a") == []
    assert activity.entries("a")[0]["outcome"] == "CANCELLED_BY_USER"
    assert activity.presses_in("a") is call, "a moment ago it did"
    assert activity.presses_in("b") is None


async def test_a_flood_of_calls_is_told_at_most_ten_times_a_second() -> None:
    told: asyncio.Queue[tuple[float, News]] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    activity = Activity(lambda news: told.put_nowait((loop.time(), news)))
    times: list[float] = []
    for _ in range(3):
        for _ in range(1000):
            one(activity)
        at, news = await told.get()
        times.append(at)
        assert [each["id"] for each in news["a"]] == list(
            range(activity.begun - TOLD_AT_ONCE + 1, activity.begun + 1)
        )
    assert told.empty()
    assert min(later - earlier for earlier, later in pairwise(times)) >= PUSH_SECONDS * 0.9
    assert PUSH_SECONDS == 0.1
    activity.stop()


async def test_what_concerns_one_page_is_told_to_no_other() -> None:
    told: asyncio.Queue[News] = asyncio.Queue()
    activity = Activity(told.put_nowait)
    one(activity), one(activity, "b")
    news = await told.get()
    assert {page: [each["id"] for each in entries] for page, entries in news.items()} == {
        "": [],
        "a": [1],
        "b": [2],
    }
    activity.stop()


async def test_a_pause_goes_on_with_the_page_and_holds_no_other() -> None:
    brakes = Brakes()
    brakes.pause("a", True)
    assert (brakes.is_paused("a"), brakes.is_paused("b")) == (True, False)
    brakes.follow(None, "a2")
    assert not brakes.is_paused("a2")
    brakes.follow("a", "a2")
    assert (brakes.is_paused("a2"), brakes.is_paused("a")) == (True, True), "it may be there after all"
    brakes.pause("a2", False)
    assert not brakes.is_paused("a")
    brakes.everywhere = True
    assert brakes.is_paused("b")
    assert brakes.state("b") == {"paused": False, "everywhere": True, "policy": {}}


async def test_questions_on_a_page_are_waited_for_also_over_a_reload() -> None:
    brakes = Brakes()
    assert brakes.answered("a") is None
    with brakes.asking("a"):
        with brakes.asking("a"):
            brakes.follow("a", "a2")
            waited = brakes.answered("a2")
            assert waited is not None
        assert not waited.is_set()
    assert waited.is_set()
    assert brakes.answered("a2") is None
