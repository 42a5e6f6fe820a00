"""What is kept of pictures, and for how long."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from pageside.core.pictures import MAX_PICTURE_BYTES, Picture, from_page
from pageside.errors import NoPicture, StoreFailed
from pageside.hubs import pictures as hub
from pageside.hubs.pictures import RecentPictures
from pageside.store import picture_rows as rows
from pageside.store.inspections import Inspections
from support.changes import create, full_disk, set_status
from support.pictures import drawn, png


def taken(at: int, size: int = 100) -> Picture:
    return Picture("image/png", 20, 10.5, 2, "chrome", at, bytes(size))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "inspections.sqlite3"


@pytest.fixture
async def queue(path: Path) -> AsyncIterator[Inspections]:
    store = await Inspections.open(path)
    yield store
    await store.close()


async def notes(queue: Inspections, *names: str) -> None:
    assert all(result["ok"] for result in await queue.apply([create(name) for name in names]))


def test_a_picture_of_a_page_is_taken_as_it_is_told() -> None:
    picture = from_page(drawn(png(), width=12.5, height=3, scale=0.5), 17)
    assert picture == Picture("image/png", 12.5, 3, 0.5, "page", 17, png())


def test_a_picture_may_show_more_than_its_element() -> None:
    picture = from_page(drawn(png(), left=12.5, top=-3), 17)
    assert (picture.left, picture.top) == (12.5, -3)
    for bad in (float("nan"), "2", None, True, 10**6):
        with pytest.raises(NoPicture, match="no usable left"):
            from_page(drawn(png(), left=bad), 1)


@pytest.mark.parametrize("size", [MAX_PICTURE_BYTES, MAX_PICTURE_BYTES + 10])
def test_a_picture_has_a_limit(size: int) -> None:
    answer = drawn(png().ljust(size, b"\0"))
    if size == MAX_PICTURE_BYTES:
        assert len(from_page(answer, 1).data) == size
    else:
        with pytest.raises(NoPicture, match="at most 700000 bytes"):
            from_page(answer, 1)


@pytest.mark.parametrize("width", [0, float("nan"), float("inf"), True, "2", None, 10**6])
def test_a_size_is_a_number_that_means_something(width: object) -> None:
    with pytest.raises(NoPicture, match="no usable width"):
        from_page(drawn(png(), width=width), 1)


async def test_a_kept_picture_and_a_reason_outlive_the_process(queue: Inspections, path: Path) -> None:
    await notes(queue, "one", "two", "three")
    await queue.pictures.keep("one", taken(5))
    await queue.pictures.fail("two", "It was gone.", 6)
    again = await Inspections.open(path)
    assert await again.pictures.get("one") == taken(5)
    assert await again.pictures.get("two") is None
    assert [again.pictures.failure(name) for name in ("one", "two", "three")] == [None, "It was gone.", None]
    assert [again.pictures.is_settled(name) for name in ("one", "two", "three")] == [True, True, False]
    await again.close()


async def test_only_the_newest_pictures_are_kept(
    queue: Inspections, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MAX_ROWS", 3)
    names = ["newest", "old", "older", "oldest"]
    await notes(queue, *names)
    for age, name in enumerate(names):
        await queue.pictures.keep(name, taken(100 - age))
    assert queue.pictures.ids() == ["newest", "old", "older"]
    assert "only the newest" in str(queue.pictures.failure("oldest"))
    assert await queue.pictures.get("oldest") is None
    again = await Inspections.open(path)
    assert sorted(again.pictures.ids()) == ["newest", "old", "older"]
    assert "only the newest" in str(again.pictures.failure("oldest"))
    await again.close()


async def test_all_pictures_together_have_a_limit(
    queue: Inspections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MAX_BYTES", 250)
    await notes(queue, "one", "two", "three")
    for at, name in enumerate(("one", "two", "three")):
        await queue.pictures.keep(name, taken(at))
    assert queue.pictures.ids() == ["two", "three"]
    await queue.pictures.keep("three", taken(9, 200))
    assert queue.pictures.ids() == ["three"]


async def test_two_hundred_pictures_are_kept_of_two_hundred_and_one(queue: Inspections) -> None:
    names = [f"note-{n}" for n in range(201)]
    await notes(queue, *names)
    for at, name in enumerate(names):
        await queue.pictures.keep(name, taken(at))
    assert queue.pictures.ids() == names[1:]


async def test_pictures_of_deleted_inspections_are_gone_after_a_restart_at_the_latest(
    queue: Inspections, path: Path
) -> None:
    await notes(queue, "one", "two")
    for name in ("one", "two"):
        await queue.pictures.keep(name, taken(1))
    await queue.apply([set_status("one", "deleted")])
    again = await Inspections.open(path)
    assert again.pictures.ids() == ["two"]
    await again.close()
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT inspection FROM pictures").fetchall() == [("two",)]
    connection.close()


async def test_a_file_without_pictures_gets_room_for_them(path: Path) -> None:
    queue = await Inspections.open(path)
    await notes(queue, "one")
    await queue.close()
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE pictures")
    connection.execute("PRAGMA user_version=1")
    connection.close()
    again = await Inspections.open(path)
    assert [item["id"] for item in again.all()] == ["one"]
    await again.pictures.keep("one", taken(1))
    assert again.damaged is None
    await again.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    connection.close()


async def test_a_file_that_knows_no_offsets_learns_them_and_keeps_its_pictures(path: Path) -> None:
    queue = await Inspections.open(path)
    await notes(queue, "old", "new")
    await queue.pictures.keep("old", taken(1))
    await queue.close()
    connection = sqlite3.connect(path)
    for column in ("left_px", "top_px"):
        connection.execute(f"ALTER TABLE pictures DROP COLUMN {column}")
    connection.close()
    again = await Inspections.open(path)
    assert await again.pictures.get("old") == taken(1)
    offset = replace(taken(2), left=20, top=7.5)
    await again.pictures.keep("new", offset)
    assert await again.pictures.get("new") == offset
    await again.close()


async def test_pictures_that_cannot_be_read_cost_nothing_else(path: Path) -> None:
    queue = await Inspections.open(path)
    await notes(queue, "one")
    await queue.close()
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE pictures")
    connection.execute("CREATE TABLE pictures (something TEXT)")
    connection.close()
    again = await Inspections.open(path)
    assert [item["id"] for item in again.all()] == ["one"]
    await again.pictures.keep("one", taken(1))
    assert await again.pictures.get("one") == taken(1)
    await again.close()


async def test_a_disk_without_room_for_a_picture_says_so(queue: Inspections) -> None:
    await notes(queue, "one")
    with full_disk(), pytest.raises(StoreFailed):
        await queue.pictures.keep("one", taken(1, 100_000))
    assert not queue.pictures.is_settled("one")
    await queue.pictures.keep("one", taken(1))
    assert queue.pictures.has("one")


async def _instantly(picture: Picture) -> Picture:
    return picture


async def test_picks_are_remembered_for_a_while_and_only_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "MAX_PICTURES", 3)
    recent = RecentPictures(seconds=0.05)
    for n in range(5):
        assert (await recent.take("page", f"p{n}", _instantly(taken(n)))).taken_at == n
    assert [recent.find("page", f"p{n}") is not None for n in range(5)] == [False, False, True, True, True]
    assert recent.named("p4") is recent.find("page", "p4")
    later = asyncio.Event()
    asyncio.get_running_loop().call_later(0.06, later.set)
    await later.wait()
    assert recent.named("p4") is None
    recent.stop()


async def test_a_second_pick_of_an_element_takes_the_place_of_the_first() -> None:
    recent = RecentPictures()
    await recent.take("page", "p1", _instantly(taken(1)))
    await recent.take("page", "p1", _instantly(taken(2)))
    newest = recent.find("page", "p1")
    assert newest is not None
    assert (await newest).taken_at == 2
    recent.stop()


async def test_stopping_ends_what_is_being_taken() -> None:
    recent = RecentPictures()

    async def never() -> Picture:
        await asyncio.Event().wait()
        return taken(1)

    task = recent.take("page", "p1", never())
    recent.stop()
    with pytest.raises(asyncio.CancelledError):
        await task
