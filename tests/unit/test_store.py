"""The queue outlives the process: acknowledged is on disk, and disk and memory are always the same."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pageside.contract import LIMITS
from pageside.errors import BadTransition, InspectionNotFound, StoreFailed
from pageside.store import inspections as module
from pageside.store.database import Database
from pageside.store.inspections import Inspections
from support.changes import (
    accept,
    create,
    edit,
    full_disk,
    on_disk,
    order,
    reply,
    restore,
    set_status,
    unprivileged,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "inspections.sqlite3"


@pytest.fixture
async def queue(path: Path) -> AsyncIterator[Inspections]:
    store = await Inspections.open(path)
    yield store
    await store.close()


async def applied(queue: Inspections, *changes: Any) -> list[Any]:
    """The revision of each change, or the code with which it was refused."""
    results = await queue.apply(changes)
    return [result["rev"] if result["ok"] else result["error"]["code"] for result in results]


def same(queue: Inspections, path: Path) -> bool:
    return on_disk(path) == {item["id"]: item for item in queue.all()}


async def test_what_was_acknowledged_is_on_disk_and_there_again_after_a_restart(
    queue: Inspections, path: Path
) -> None:
    assert await applied(queue, create("one"), create("two"), edit("one", "Bigger")) == [1, 1, 2]
    assert await applied(queue, set_status("two", "deleted")) == [2]
    assert same(queue, path)
    again = await Inspections.open(path)
    assert again.all() == queue.all()
    assert (len(again.living()), again.damaged) == (1, None)
    await again.close()


async def test_a_change_is_applied_once_even_over_a_restart(queue: Inspections, path: Path) -> None:
    changes = [create("one"), edit("one", "Bigger"), set_status("one", "deleted")]
    first = await queue.apply(changes)
    assert await queue.apply(list(reversed(changes))) == list(reversed(first))
    again = await Inspections.open(path)
    assert await again.apply(changes) == first
    assert await again.apply([*changes, *changes]) == [*first, *first]
    assert again.all() == queue.all()
    await again.close()


async def test_a_refused_change_changes_nothing_and_may_succeed_later(queue: Inspections, path: Path) -> None:
    await applied(queue, create("one"))
    reopen = set_status("one", "pending", message="again")
    await queue.transition("one", "in-progress")
    before = queue.all()
    assert await applied(queue, reopen) == ["BAD_TRANSITION"]
    assert (queue.all(), same(queue, path)) == (before, True)
    await queue.transition("one", "completed", message="Done")
    assert await applied(queue, reopen) == [4]


REFUSED: list[tuple[Any, str]] = [
    (create("a b"), "INVALID_ARGUMENTS"),
    (create("big", sourceInfo={"html": "x" * LIMITS["itemBytes"]}), "INVALID_ARGUMENTS"),
    (create("long", "x" * (LIMITS["descriptionChars"] + 1)), "INVALID_ARGUMENTS"),
    (restore("bad", status="gone"), "INVALID_ARGUMENTS"),
    (edit("nobody", "x"), "INSPECTION_NOT_FOUND"),
    (edit("one", 5), "INVALID_ARGUMENTS"),
    (edit("dead", "x"), "BAD_TRANSITION"),
    (set_status("nobody", "deleted"), "INSPECTION_NOT_FOUND"),
    (set_status("one", "gone"), "BAD_TRANSITION"),
    (set_status("one", None), "BAD_TRANSITION"),
    (set_status("one", "in-progress"), "BAD_TRANSITION"),
    (set_status("one", "completed", message="by the page"), "BAD_TRANSITION"),
    (set_status("done", "pending", message=5), "INVALID_ARGUMENTS"),
    (set_status("one", ["deleted"]), "BAD_TRANSITION"),
    (set_status("dead", "pending"), "BAD_TRANSITION"),
    (reply("nobody", "x"), "INSPECTION_NOT_FOUND"),
    (reply("one", ""), "INVALID_ARGUMENTS"),
    (reply("dead", "x"), "BAD_TRANSITION"),
    (accept("one"), "BAD_TRANSITION"),
    (order("one", "first"), "INVALID_ARGUMENTS"),
    (order("dead", 1), "BAD_TRANSITION"),
    ({"change": "c", "kind": "drop"}, "INVALID_ARGUMENTS"),
    ({"change": "c", "kind": ["edit"]}, "INVALID_ARGUMENTS"),
    ({"change": "c", "kind": "status", "inspection": ["one"], "status": "deleted"}, "INSPECTION_NOT_FOUND"),
    ({"change": "a b", "kind": "create", "item": {"id": "x"}}, "INVALID_ARGUMENTS"),
    ({"kind": "create", "item": {"id": "x"}}, "INVALID_ARGUMENTS"),
    (["not an object"], "INVALID_ARGUMENTS"),
    (None, "INVALID_ARGUMENTS"),
]


@pytest.mark.parametrize(("change", "code"), REFUSED)
async def test_an_illegal_change_is_refused_with_its_code_and_the_others_are_applied(
    queue: Inspections, path: Path, change: Any, code: str
) -> None:
    await applied(queue, create("one"), create("dead"), set_status("dead", "deleted"))
    await applied(queue, restore("done", status="completed", message="Done"))
    before = queue.all()
    assert await applied(queue, change) == [code]
    assert queue.all() == before
    assert await applied(queue, change, create("two")) == [code, 1]
    assert same(queue, path)


async def test_deleting_twice_and_creating_again_bring_nothing_back(queue: Inspections) -> None:
    await applied(queue, create("one"), set_status("one", "deleted"))
    assert await applied(queue, set_status("one", "deleted"), create("one"), restore("one", rev=9)) == [
        2,
        2,
        2,
    ]
    assert queue.living() == []
    with pytest.raises(InspectionNotFound, match="the user deleted it"):
        queue.get("one")


async def test_of_what_was_deleted_the_newest_are_remembered(
    queue: Inspections, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pageside.core.tombstones.MOST", 3)
    await queue.apply([create("kept"), *(create(f"gone-{number}") for number in range(5))])
    for number in range(5):
        await queue.transition(f"gone-{number}", "deleted")
    await queue.apply([create("gone-4")])
    remembered = {"kept", "gone-2", "gone-3", "gone-4"}
    assert {item["id"] for item in queue.all()} == remembered
    assert same(queue, path)
    assert [item["id"] for item in queue.living()] == ["kept"]


async def test_what_was_deleted_long_ago_is_forgotten_when_the_queue_is_opened(
    queue: Inspections, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await queue.apply([create("kept"), create("gone"), set_status("gone", "deleted")])
    monkeypatch.setattr("pageside.core.tombstones.KEPT_MS", -1000)
    again = await Inspections.open(path)
    assert [item["id"] for item in again.all()] == ["kept"]
    assert same(again, path)
    await again.close()


async def test_the_queue_holds_so_many_and_deleting_makes_room(
    queue: Inspections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "inspections", 2)
    await applied(queue, create("one"), create("two"))
    assert await applied(queue, create("three"), create("two")) == ["INVALID_ARGUMENTS", 1]
    assert await applied(queue, set_status("one", "deleted"), create("three")) == [2, 1]


async def test_two_writers_at_once_count_revisions_without_gaps(queue: Inspections, path: Path) -> None:
    await applied(queue, create("one"))
    reports = [queue.transition("one", "in-progress", agent=f"agent {n}") for n in range(20)]
    edits = [queue.apply([edit("one", f"text {n}")]) for n in range(20)]
    revisions = [item["rev"] for item in await asyncio.gather(*reports)]
    revisions += [results[0]["rev"] for results in await asyncio.gather(*edits)]
    assert sorted(revisions) == list(range(2, 42))
    assert same(queue, path)


async def test_who_waits_for_a_change_is_woken_with_it_in_place(queue: Inspections) -> None:
    seen: list[str] = []
    queue.listen(lambda items: seen.extend(item["id"] for item in items))
    waiting = asyncio.create_task(queue.changed())
    await asyncio.sleep(0)
    await applied(queue, create("one"))
    await asyncio.wait_for(waiting, 5)
    assert (seen, [item["id"] for item in queue.living()]) == (["one"], ["one"])


async def test_items_are_told_oldest_first(queue: Inspections) -> None:
    await applied(queue, create("b", timestamp=20), create("a", timestamp=20), create("c", timestamp=10))
    assert [item["id"] for item in queue.all()] == ["c", "a", "b"]
    assert queue.living(["completed"]) == []


async def test_the_user_orders_the_queue_replies_and_accepts_and_a_repeated_change_counts_once(
    queue: Inspections, path: Path
) -> None:
    await applied(queue, create("a", timestamp=10), create("b", timestamp=20), create("c", timestamp=30))
    said = reply("a", "Bigger, please", at=25)
    first = [order("c", 15), said, order("a", 40.5)]
    assert await applied(queue, *first, *first) == [2, 2, 3, 2, 2, 3]
    assert [item["id"] for item in queue.living()] == ["c", "b", "a"]
    (heard,) = queue.get("a")["replies"]
    assert (heard["id"], heard["text"], heard["at"]) == (said["change"], "Bigger, please", 25)
    await queue.transition("a", "completed", message="Bigger now.")
    assert await applied(queue, accept("a"), accept("a")) == [5, 5]
    assert same(queue, path)


async def test_an_agents_question_stands_in_the_thread_on_disk(queue: Inspections, path: Path) -> None:
    await applied(queue, create("one"))
    await queue.say("one", {"from": "agent", "name": "Ada", "kind": "question", "text": "Which green?"})
    item = await queue.say("one", {"from": "user", "kind": "answer", "text": "Moss"})
    assert [(each["kind"], each["text"]) for each in item["replies"]] == [
        ("question", "Which green?"),
        ("answer", "Moss"),
    ]
    assert same(queue, path)
    with pytest.raises(InspectionNotFound):
        await queue.say("nobody", {"from": "user", "text": "x"})


@pytest.mark.parametrize("place", ["before the write", "during the write", "after the write"])
async def test_a_caller_that_gives_up_leaves_disk_and_memory_the_same(
    queue: Inspections, path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    reached, released = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    write = Database.write

    def slow(self: Database, *args: Any, **more: Any) -> None:
        if place == "after the write":
            write(self, *args, **more)
        loop.call_soon_threadsafe(reached.set)
        released.wait(5)
        if place != "after the write":
            write(self, *args, **more)

    await applied(queue, create("one"))
    monkeypatch.setattr(Database, "write", slow)
    calls = [
        asyncio.create_task(queue.transition("one", "in-progress")),
        asyncio.create_task(queue.apply([edit("one", "Bigger")])),
    ]
    if place != "before the write":
        await asyncio.wait_for(reached.wait(), 5)
    else:
        await asyncio.sleep(0)
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    released.set()
    assert all(call.cancelled() for call in calls)
    monkeypatch.setattr(Database, "write", write)
    await applied(queue, create("the lock is free again"))
    assert same(queue, path)


async def test_a_full_disk_refuses_the_change_and_takes_it_when_there_is_room(
    queue: Inspections, path: Path
) -> None:
    await applied(queue, create("one"))
    before, change = queue.all(), create("two")
    with full_disk():
        for _ in range(3):
            with pytest.raises(StoreFailed, match="could not be written"):
                await queue.apply([change])
        with pytest.raises(StoreFailed):
            await queue.transition("one", "in-progress")
    assert (queue.all(), same(queue, path)) == (before, True)
    assert await applied(queue, change) == [1]
    assert same(queue, path)


async def test_a_refused_transition_writes_nothing(queue: Inspections, path: Path) -> None:
    await applied(queue, create("one"))
    with pytest.raises(BadTransition):
        await queue.transition("one", "pending")
    assert queue.get("one")["rev"] == 1
    assert same(queue, path)


async def test_the_file_is_private(queue: Inspections, path: Path) -> None:
    await applied(queue, create("one"))
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


async def test_a_folder_that_refuses_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "target").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("missing/queue", "folder", "link", "dangling"):
        with pytest.raises(StoreFailed, match=Path(name).name):
            await Inspections.open(tmp_path / name)
    assert (tmp_path / "target").read_bytes() == b""
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no modes there")
def test_a_read_only_folder_refuses(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with unprivileged(), pytest.raises(StoreFailed, match="queue cannot be opened"):
        asyncio.run(Inspections.open(tmp_path / "queue"))
    assert list(tmp_path.iterdir()) == []


async def test_a_file_of_a_newer_pageside_is_left_alone(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(StoreFailed, match="newer"):
        await Inspections.open(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("content", [b"not a database", b"\0" * 5000, b"SQLite format 3\0" + b"\xff" * 4080])
def test_a_damaged_file_is_kept_aside_and_the_empty_queue_works(path: Path, content: bytes) -> None:
    async def use() -> Path | None:
        queue = await Inspections.open(path)
        assert queue.all() == []
        assert await applied(queue, create("one")) == [1]
        assert same(queue, path)
        await queue.close()
        return queue.damaged

    path.write_bytes(content)
    aside = asyncio.run(use())
    assert aside is not None
    assert aside.read_bytes() == content


async def test_of_a_file_with_one_damaged_row_the_others_are_taken_over(
    queue: Inspections, path: Path
) -> None:
    await applied(queue, create("one"), create("two"), create("three"))
    kept = [item for item in queue.all() if item["id"] != "two"]
    connection = sqlite3.connect(path)
    connection.execute("UPDATE inspections SET item = CAST(X'7BFF' AS TEXT) WHERE id = 'two'")
    connection.commit()
    connection.close()
    again = await Inspections.open(path)
    assert (again.damaged is not None, again.all(), same(again, path)) == (True, kept, True)
    await again.close()


@pytest.fixture(scope="module")
def good_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("good") / "queue"

    async def fill() -> None:
        queue = await Inspections.open(path)
        await queue.apply([create(f"note-{n}", "x" * 200) for n in range(20)])
        await queue.close()

    asyncio.run(fill())
    return path.read_bytes()


@hypothesis_settings(max_examples=60)
@given(st.data())
def test_whatever_happened_to_the_file_there_is_a_queue_that_works(
    good_file: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(good_file) - 1) | st.integers(0, 100))
    garbage = data.draw(st.binary(min_size=1, max_size=40))
    cut = data.draw(st.none() | st.integers(0, len(good_file)))
    content = (good_file[:start] + garbage + good_file[start + len(garbage) :])[:cut]
    path = tmp_path_factory.mktemp("bad") / "queue"
    path.write_bytes(content)

    async def use() -> str:
        try:
            queue = await Inspections.open(path)
        except StoreFailed as error:
            return error.message
        try:
            assert await applied(queue, create("fresh")) == [1]
            assert same(queue, path)
        finally:
            await queue.close()
        return ""

    # The format number is a part of the file that may be hit, too.
    why_not = asyncio.run(use())
    assert why_not == "" or "newer" in why_not


async def test_changes_are_remembered_for_two_weeks(
    queue: Inspections, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_800_000_000_000
    monkeypatch.setattr(module, "_now_ms", lambda: now)
    first = [create("one"), edit("one", "Bigger")]
    await applied(queue, *first)
    now += 14 * 24 * 3600 * 1000
    await applied(queue, edit("one", "Smaller"))
    assert await applied(queue, first[1]) == [2]
    now += 1
    await applied(queue, edit("one", "Smallest"))
    assert await applied(queue, first[1]) == [5]


def numbers(queue: Inspections) -> dict[str, int]:
    return {item["id"]: item["number"] for item in queue.living()}


async def test_a_number_stays_with_its_inspection_whatever_becomes_of_the_others(
    queue: Inspections, path: Path
) -> None:
    await queue.apply([create("one"), create("two"), create("three")])
    await queue.transition("two", "in-progress")
    await queue.transition("two", "completed", message="Done.")
    await queue.apply([set_status("one", "deleted"), accept("two"), order("three", 1), create("four")])
    assert numbers(queue) == {"two": 2, "three": 3, "four": 4}
    await queue.apply([set_status("two", "pending"), edit("three", "Bigger")])
    again = await Inspections.open(path)
    assert numbers(again) == {"two": 2, "three": 3, "four": 4}
    # What a page brings back has its number again, as long as no other has it.
    await again.apply([restore("lost", number=2), restore("back", number=9), create("new", number=20)])
    assert numbers(again) == {"two": 2, "three": 3, "four": 4, "lost": 5, "back": 9, "new": 10}
    await again.close()


async def test_inspections_from_before_there_were_numbers_get_theirs_once_by_age(path: Path) -> None:
    old = {"sourceInfo": {}, "description": "", "status": "pending", "updated": 1, "rev": 3}
    made = [
        {**old, "id": "b", "timestamp": 2},
        {**old, "id": "a", "timestamp": 1, "number": "spoiled"},
        {**old, "id": "gone", "timestamp": 0, "status": "deleted"},
    ]

    def before() -> None:
        database = Database(path)
        database.write(made)
        database.close()

    await asyncio.to_thread(before)
    queue = await Inspections.open(path)
    assert (numbers(queue), {item["rev"] for item in queue.living()}) == ({"a": 1, "b": 2}, {4})
    assert same(queue, path)
    assert await applied(queue, set_status("a", "deleted")) == [5]
    await queue.close()
    again = await Inspections.open(path)
    assert numbers(again) == {"b": 2}
    await again.close()
