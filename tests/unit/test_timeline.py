"""One order for everything that happens, by page and its successors, bounded."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pageside.core.modules import same_file
from pageside.core.timeline import KINDS, LEVELS, Entry, Kind, Level, Wanted
from pageside.hubs.timeline import MAX_DATA, MAX_DOCUMENTS, MAX_GONE, MAX_LINES, ROOM, Timeline

kinds: st.SearchStrategy[Any] = st.sampled_from(KINDS)
levels: st.SearchStrategy[Any] = st.sampled_from(LEVELS)
pages = st.sampled_from([None, "a", "b"])
told = st.tuples(st.integers(0, 50), kinds, levels, pages)


@given(st.lists(told, max_size=40), pages, st.integers(0, 45), st.none() | st.integers(0, 50), levels)
def test_a_reading_is_what_was_wanted_in_the_order_of_time(
    entries: list[tuple[int, Kind, Level, str | None]],
    page: str | None,
    after: int,
    since: int | None,
    level: Level,
) -> None:
    timeline = Timeline(now=lambda: 1000.0)
    added = [timeline.add(kind, "x", level=graver, page=of, at=at) for at, kind, graver, of in entries]
    wanted = Wanted(after=after, since=since, level=level)
    found = timeline.read(page, wanted)
    expected = [
        entry
        for entry in added
        if (page is None or entry.page in (page, None))
        and entry.seq > after
        and (since is None or entry.at >= since)
        and LEVELS.index(entry.level) >= LEVELS.index(level)
    ]
    assert sorted(found, key=lambda entry: entry.seq) == expected
    assert [(e.at, e.seq) for e in found] == sorted((e.at, e.seq) for e in found)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=60))
def test_documents_that_follow_each_other_share_one_line(reloads: list[tuple[int, int]]) -> None:
    """Any tree of reloads and window.open: what is told of a page stands where its first document began."""
    timeline = Timeline()
    first: dict[str, str] = {}
    newest: dict[int, str] = {}
    for number, (tab, _) in enumerate(reloads):
        page, before = f"p{number}", newest.get(tab)
        timeline.page_connected(page, before)
        first[page] = first[before] if before is not None else page
        newest[tab] = page
        assert timeline.line(page) == first[page]
        assert timeline.add("action", "x", page=page).page == first[page]


def test_a_tab_that_is_reloaded_for_ever_takes_no_more_room() -> None:
    timeline = Timeline()
    timeline.page_connected("p0", None)
    for number in range(1, 500):
        timeline.page_connected(f"p{number}", f"p{number - 1}")
    timeline.add("action", "clicked", page="p499")
    assert timeline.documents("p0") == [f"p{n}" for n in range(500 - MAX_DOCUMENTS, 500)]
    assert timeline.line("p498") == "p0", "a report that comes late finds its line"
    assert timeline.line("p1") == "p1", "what was forgotten takes no room"


def test_lines_are_bounded_and_those_of_pages_that_are_gone_go_first() -> None:
    timeline = Timeline()
    timeline.page_connected("quiet", None)
    timeline.add("action", "clicked", page="quiet")
    for number in range(3 * MAX_LINES):
        timeline.page_connected(f"p{number}", None)
        timeline.add("action", "clicked", page=f"p{number}")
        timeline.page_gone(f"p{number}")
    assert len(timeline.read("quiet")) == 1
    assert len(timeline.read(None)) == 1 + MAX_GONE
    for number in range(3 * MAX_LINES):
        timeline.add("action", "clicked", page=f"never-connected-{number}")
    assert len(timeline.read(None)) <= MAX_LINES


def test_a_page_that_floods_its_console_pushes_out_nothing_else() -> None:
    timeline = Timeline()
    timeline.add("update", "hot update", page="loud", data={"event": "applied", "stamps": [1]})
    timeline.add("call", "click by Ada", page="loud")
    timeline.add("console", "one", page="calm", level="error")
    timeline.add("update", "sent")
    for number in range(5000):
        timeline.add("console", f"line {number} {'x' * 100}", page="loud", level="error")
        timeline.add("request", f"GET /{number}", page="loud", level="error")
    assert [e.text for e in timeline.read("loud", Wanted(kinds=("update", "call")))] == [
        "hot update",
        "click by Ada",
        "sent",
    ]
    assert [e.text for e in timeline.read("calm", Wanted(kinds=("console",)))] == ["one"]
    consoles = timeline.read("loud", Wanted(kinds=("console",)))
    assert len(consoles) <= ROOM["console"][0]
    assert timeline.dropped("loud", Wanted(kinds=("console",))) == 5000 - len(consoles)
    assert timeline.dropped("loud", Wanted(kinds=("update",))) == 0
    assert timeline.dropped("calm") == 0


def test_what_is_told_is_bounded_and_without_secrets() -> None:
    timeline = Timeline()
    many = [{"path": f"/src/{n}.ts"} for n in range(10_000)]
    entry = timeline.add("update", "x" * 100_000, data={"event": "sent", "updates": many, "token": "abc"})
    assert len(repr(entry)) < MAX_DATA + 10_000
    assert entry.data["event"] == "sent"
    assert "abc" not in repr(entry)


def test_nothing_happens_in_the_future() -> None:
    timeline = Timeline(now=lambda: 1000.0)
    assert timeline.add("console", "x", at=5000.0).at == 1000.0
    assert timeline.add("console", "x", at=500.0).at == 500.0


async def test_who_waits_for_later_entries_gets_them_and_a_listener_can_stop() -> None:
    timeline = Timeline()
    heard: list[Entry] = []
    stop = timeline.listen(heard.append)
    waiting = asyncio.create_task(timeline.later(1))
    timeline.add("action", "one")
    await asyncio.sleep(0)
    assert not waiting.done()
    timeline.add("action", "two")
    await asyncio.wait_for(waiting, 5)
    stop()
    timeline.add("action", "three")
    assert [entry.text for entry in heard] == ["one", "two"]


def test_an_inspection_has_its_own_entries_and_the_updates_of_its_file() -> None:
    timeline = Timeline()
    timeline.add("status", "made", inspection="i1")
    timeline.add("status", "made", inspection="i2")
    timeline.add("update", "other", data={"event": "sent", "updates": [{"path": "/src/B.tsx"}]})
    timeline.add("update", "own", data={"event": "change", "file": "src/A.tsx"})
    timeline.add("update", "by URL", data={"event": "applied", "updates": [{"path": "/src/A.tsx?t=1"}]})
    found = timeline.read(None, Wanted(inspection="i1", file="src/A.tsx"))
    assert [entry.text for entry in found] == ["made", "own", "by URL"]


def test_one_file_has_many_names() -> None:
    names = [
        "src/App.tsx",
        "/src/App.tsx",
        "./src/App.tsx?t=12",
        "src\\App.tsx",
        "/home/ada/shop/src/App.tsx",
    ]
    assert all(same_file("src/App.tsx", name) for name in names)
    assert same_file("apps/web/src/App.tsx", "/src/App.tsx")
    assert same_file("/@fs/home/ada/shared/ui.ts", "/home/ada/shared/ui.ts")
    assert not same_file("src/App.tsx", "src/pages/App.tsx")
    assert not same_file("pages/App.tsx", "src/pages/App.tsx")
    assert not same_file("/one/src/App.tsx", "/other/src/App.tsx")
    assert not same_file("", "src/App.tsx")
    assert not same_file("/", "src/App.tsx")
