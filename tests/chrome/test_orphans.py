"""A Chrome that a companion left behind: ended on proof, and nothing else ever is."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from pageside.chrome import orphans
from pageside.chrome.orphans import RECORD, Launched

if sys.platform == "win32":
    pytest.skip("processes end otherwise there", allow_module_level=True)


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Launched]]:
    """A process with our profile in its command line, and the record of it."""
    profile = tmp_path / "profile-abc"
    profile.mkdir()
    (profile / "cookies").write_text("x")
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import time; print('up', flush=True); time.sleep(60)",
            f"--user-data-dir={profile}",
        ],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    launched = Launched(process.pid, psutil.Process(process.pid).create_time(), str(profile))
    orphans.remember(tmp_path, launched)
    yield process, launched
    process.kill()
    process.communicate()


Sleeper = tuple[subprocess.Popen[bytes], Launched]


def test_an_orphan_is_ended_on_proof(tmp_path: Path, sleeper: Sleeper) -> None:
    process, launched = sleeper
    assert orphans.is_alive(launched)
    assert orphans.end_orphan(tmp_path)
    process.wait(5)
    assert list(tmp_path.iterdir()) == []


def test_its_children_end_with_it(tmp_path: Path) -> None:
    profile = tmp_path / "profile-abc"
    profile.mkdir()
    script = (
        "import subprocess, sys; c = subprocess.Popen(['sleep', '60']); print(c.pid, flush=True); c.wait()"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(profile)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    child = psutil.Process(int(process.stdout.readline()))
    orphans.remember(tmp_path, Launched(process.pid, psutil.Process(process.pid).create_time(), str(profile)))
    assert orphans.end_orphan(tmp_path)
    process.communicate(timeout=5)
    psutil.wait_procs([child], timeout=5)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


CHANGES: dict[str, Callable[[Launched], Launched]] = {
    "another start time": lambda one: dataclasses.replace(one, start_time=one.start_time - 60),
    "no start time": lambda one: dataclasses.replace(one, start_time=0.0),
    "a start time that is no number": lambda one: dataclasses.replace(one, start_time=float("nan")),
    "another process": lambda one: dataclasses.replace(one, pid=os.getpid()),
    "another profile": lambda one: dataclasses.replace(one, profile=one.profile + "d"),
    "a number that cannot be": lambda one: dataclasses.replace(one, pid=-1),
    "a number that is too large": lambda one: dataclasses.replace(one, pid=10**30),
    "init": lambda one: dataclasses.replace(one, pid=1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_without_proof_no_process_is_ended(
    tmp_path: Path, sleeper: Sleeper, change: Callable[[Launched], Launched]
) -> None:
    process, launched = sleeper
    orphans.remember(tmp_path, change(launched))
    assert not orphans.end_orphan(tmp_path)
    assert process.poll() is None
    assert not (tmp_path / RECORD).exists()


def test_a_recycled_number_hits_nobody(tmp_path: Path, sleeper: Sleeper) -> None:
    """The number is in use again: by a process of the same time, with another command line."""
    process, launched = sleeper
    other = subprocess.Popen(["sleep", "60"])
    try:
        started = psutil.Process(other.pid).create_time()
        orphans.remember(tmp_path, Launched(other.pid, started, launched.profile))
        assert not orphans.end_orphan(tmp_path)
        assert (other.poll(), process.poll()) == (None, None)
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "null",
        "[1, 2, 3]",
        "[" * 50_000,
        '{"pid": 1}',
        '{"pid": "1", "start_time": 1, "profile": "x"}',
        '{"pid": true, "start_time": 1, "profile": "x"}',
        '{"pid": 1, "start_time": "1", "profile": "x"}',
        '{"pid": 1, "start_time": 1, "profile": 7}',
        '{"pid": 1, "start_time": 1, "profile": "x", "more": 1}',
        "\x00\xff",
    ],
)
def test_a_damaged_record_ends_nothing_and_goes(tmp_path: Path, content: str) -> None:
    (tmp_path / RECORD).write_text(content, encoding="latin-1")
    assert orphans.recall(tmp_path) is None
    assert not orphans.end_orphan(tmp_path)
    assert not (tmp_path / RECORD).exists()


def test_a_record_with_a_foreign_folder_never_removes_it(tmp_path: Path, sleeper: Sleeper) -> None:
    process, launched = sleeper
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / "keep").mkdir()
    (folder / "profile-link").symlink_to(tmp_path / "profile-abc")
    foreign = (
        launched.profile,
        str(tmp_path),
        str(folder),
        str(folder / "keep"),
        f"{folder}/profile-x/../keep",
        f"{folder}/profile-x/../../profile-abc",
        f"{folder}/profile-link",
        "profile-abc",
        "/",
        "",
    )
    for profile in foreign:
        shown = {"pid": process.pid, "start_time": launched.start_time, "profile": profile}
        (folder / RECORD).write_text(json.dumps(shown))
        assert not orphans.end_orphan(folder)
        assert process.poll() is None
        assert (tmp_path / "profile-abc" / "cookies").exists()
        assert (folder / "keep").exists()


def test_a_link_in_place_of_the_record_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("x")
    (tmp_path / RECORD).symlink_to(target)
    orphans.remember(tmp_path, Launched(1, 1.0, str(tmp_path / "profile-a")))
    assert target.read_text() == "x"
    assert not (tmp_path / RECORD).is_symlink()
