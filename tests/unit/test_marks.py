"""Each watcher reads on where it stopped, repeats and late ends included, whatever others read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.chrome.console import Console
from pageside.chrome.network import Network
from pageside.chrome.session import Params, Session
from pageside.core.marks import MAX_MARKS, START, Mark, Marks
from pageside.core.portions import portion
from pageside.errors import ChromeError


class Wire:
    """Connects a session with nobody."""

    async def send(self, session: Session, method: str, params: Params, seconds: float) -> dict[str, Any]:
        raise AssertionError(method)

    def end_calls(self, session: Session, error: ChromeError, allowed: tuple[str, ...]) -> None: ...

    def add(self, session: Session) -> None: ...

    def drop(self, session: Session) -> None: ...


class Page:
    """What Chrome would tell of a page."""

    def __init__(self, size: int = 5) -> None:
        self.session = Session(Wire(), "1")
        self.console = Console(size)
        self.network = Network(size, lambda work: work.close())
        self.console.watch(self.session, "page")
        self.network.watch(self.session, "page")

    def logs(self, *texts: str) -> None:
        for text in texts:
            argument = {"type": "string", "value": text}
            self.session.emit("Runtime.consoleAPICalled", {"type": "log", "args": [argument], "timestamp": 1})

    def asks(self, key: str) -> None:
        request = {"url": f"http://shop/{key}", "method": "GET"}
        asked = {"requestId": key, "request": request, "timestamp": 1, "type": "Fetch"}
        self.session.emit("Network.requestWillBeSent", asked)

    def gets(self, key: str) -> None:
        self.session.emit("Network.loadingFinished", {"requestId": key, "timestamp": 2})

    def read(self, mark: Mark) -> tuple[list[tuple[str, int]], Mark]:
        told = [(entry.text, entry.count) for entry in self.console.since(mark)]
        return told, self.console.end


def test_a_message_that_comes_again_is_news_as_often_as_it_came() -> None:
    page = Page()
    page.logs("a", "b", "b")
    told, mark = page.read(START)
    assert told == [("a", 1), ("b", 2)]
    assert page.read(mark) == ([], mark)
    page.logs("b", "b", "c")
    assert page.read(mark)[0] == [("b", 2), ("c", 1)]


def test_what_made_room_before_it_was_read_is_counted_what_was_cleared_is_not() -> None:
    page = Page(size=2)
    page.logs("a")
    mark = page.console.end
    page.logs("b", "c", "d", "e")
    assert page.console.missed(mark) == 2
    assert page.console.missed(START) == 3
    page.console.clear()
    assert page.console.missed(START) == 0
    page.logs("f")
    assert page.read(mark)[0] == [("f", 1)]
    assert page.console.missed(mark) == 0


@given(st.lists(st.sampled_from(["a", "b", "read"])))
def test_nothing_is_lost_and_nothing_told_twice(steps: list[str]) -> None:
    page, mark, told = Page(size=1000), START, list[str]()
    for step in [*steps, "read"]:
        if step == "read":
            news, mark = page.read(mark)
            told += [text for text, count in news for _ in range(count)]
        else:
            page.logs(step)
    assert told == [step for step in steps if step != "read"]


def test_a_request_that_was_under_way_comes_again_when_it_has_ended() -> None:
    page = Page()
    page.asks("slow")
    page.asks("quick")
    page.gets("quick")
    told = page.network.since(START)
    assert [request.outcome for request in told] == ["pending", "finished"]
    mark = page.network.after(START, told, told)
    assert page.network.since(mark) == []
    page.asks("new")
    page.gets("slow")
    assert [request.key for request in page.network.since(mark)] == ["slow", "new"]
    # Told only in part, the rest stays to be told.
    first = page.network.since(mark)[:1]
    mark = page.network.after(mark, first, first)
    assert [request.key for request in page.network.since(mark)] == ["new"]


def test_requests_that_were_passed_over_stay_to_be_told() -> None:
    page = Page(size=3)
    for name in ("a", "b", "c"):
        page.asks(name)
    page.gets("a")
    mark = START
    for _ in range(2):
        since = page.network.since(mark)
        mark = page.network.after(mark, since, [request for request in since if request.key == "b"])
        # Also those that are still under way.
        assert [request.key for request in page.network.since(mark)] == ["a", "c"]
    assert page.network.missed(mark) == 0
    page.asks("d")
    page.asks("e")
    assert [request.key for request in page.network.since(mark)] == ["c", "d", "e"]
    assert page.network.missed(mark) == 1


def test_marks_are_forgotten_with_their_watcher_and_kept_within_bounds() -> None:
    marks = Marks()
    marks.set("one", "console", Mark(5))
    marks.set("two", "console", Mark(7))
    assert (marks.get("one", "console"), marks.get("one", "network")) == (Mark(5), START)
    marks.forget("one")
    assert (marks.get("one", "console"), marks.get("two", "console")) == (START, Mark(7))
    for number in range(MAX_MARKS + 10):
        marks.set("three", f"watch {number}", Mark(number))
        marks.get("two", "console")
    assert len(marks) == MAX_MARKS
    assert marks.get("two", "console") == Mark(7)


@given(st.lists(st.integers(0, 50), min_size=1), st.integers(1, 200), st.booleans())
def test_a_portion_fits_and_is_as_large_as_it_can_be(sizes: list[int], room: int, newest: bool) -> None:
    part = portion(sizes, room, newest=newest)
    chosen = sizes[part]
    assert chosen == (sizes[-len(chosen) :] if newest else sizes[: len(chosen)])
    assert sum(chosen) <= room or len(chosen) == 1
    if len(chosen) < len(sizes):
        following = sizes[part.start - 1] if newest else sizes[part.stop]
        assert sum(chosen) + following > room


def test_a_portion_of_nothing_is_nothing() -> None:
    assert [1][portion([], 10, newest=False)] == []


@pytest.mark.parametrize("newest", [True, False])
def test_a_portion_is_never_empty(newest: bool) -> None:
    assert [99][portion([99], 10, newest=newest)] == [99]
