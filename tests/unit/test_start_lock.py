"""One process at a time starts a companion; a lock that nobody holds any more holds nobody up."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pageside.processes import start_lock


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / start_lock.FILE


def test_one_of_many_that_begin_at_once_gets_it(file: Path) -> None:
    with ThreadPoolExecutor(8) as many:
        taken = list(many.map(lambda _n: start_lock.take(file), range(8)))
    assert len([release for release in taken if release is not None]) == 1


def test_it_is_held_by_one_until_it_is_released(file: Path) -> None:
    release = start_lock.take(file)
    assert release is not None
    assert start_lock.take(file) is None
    assert json.loads(file.read_text())["pid"] == os.getpid()
    assert file.stat().st_mode & 0o777 == 0o600
    release()
    assert not file.exists()
    assert start_lock.take(file) is not None


def test_a_release_leaves_the_lock_of_somebody_else(file: Path) -> None:
    release = start_lock.take(file)
    assert release is not None
    file.write_text('{"pid": 1, "time": 1}')
    release()
    assert file.exists()


NO_PROCESS = 2**31 - 1
OLD = time.time() - start_lock.STALE_SECONDS - 1
STALE = [
    json.dumps({"pid": NO_PROCESS, "time": time.time() * 1000}),
    json.dumps({"pid": NO_PROCESS, "time": time.time()}),
    json.dumps({"pid": os.getpid(), "time": OLD * 1000}),
    json.dumps({"pid": os.getpid(), "time": OLD}),
]


@pytest.mark.parametrize("content", STALE, ids=["gone", "gone, in s", "old", "old, in s"])
def test_a_stale_lock_is_taken_over_and_then_held(file: Path, content: str) -> None:
    file.write_text(content)
    assert start_lock.take(file) is not None
    assert start_lock.take(file) is None
    assert json.loads(file.read_text())["pid"] == os.getpid()
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("content", ["", "{", '{"pid": "1"}'])
def test_a_lock_that_is_being_written_is_respected_for_a_moment(file: Path, content: str) -> None:
    file.write_text(content)
    assert start_lock.take(file) is None
    before = time.time() - start_lock.UNREADABLE_STALE_SECONDS - 1
    os.utime(file, (before, before))
    assert start_lock.take(file) is not None


def test_a_living_holder_is_respected_whichever_language_wrote_the_time(file: Path) -> None:
    for now in (time.time(), time.time() * 1000):
        file.write_text(json.dumps({"pid": os.getpid(), "time": now}))
        assert start_lock.take(file) is None
