"""The registry counts only while its very process lives, whatever stands in the file."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.errors import StoreFailed
from pageside.processes import registry, state
from support.text import json_values

ENTRY = registry.Entry(
    pid=os.getpid(),
    start_time=registry.own_start_time(),
    port=6137,
    project="/home/ada/shop",
    page_token="p" * 43,
    plugin_token="q" * 43,
    agent_token="a" * 43,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return state.project_state(tmp_path / "state", tmp_path)


def test_an_entry_of_a_living_process_is_found(folder: Path) -> None:
    registry.publish(folder, ENTRY)
    assert registry.living(folder) == ENTRY.to_json()


def test_files_are_private_and_so_is_their_folder(folder: Path) -> None:
    registry.publish(folder, ENTRY)
    state.agent_token(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert sorted(file.name for file in folder.iterdir()) == ["agent-token", registry.FILE]


def test_a_process_of_the_same_number_that_started_later_is_another(folder: Path) -> None:
    registry.publish(folder, replace(ENTRY, start_time=ENTRY.start_time - 60))
    assert registry.living(folder) is None


def test_a_dead_process_does_not_count_even_before_it_is_reaped(folder: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    started = registry.start_time(process.pid) or 0.0
    registry.publish(folder, replace(ENTRY, pid=process.pid, start_time=started))
    assert registry.living(folder) is not None
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert registry.living(folder) is None
    process.communicate()
    assert registry.living(folder) is None


odd = json_values | st.sampled_from([os.getpid(), 0, -1, 2**31, 2**63, 10**400, True])


@given(odd, odd, odd)
def test_whatever_stands_in_the_file_nothing_is_raised(
    tmp_path_factory: pytest.TempPathFactory, pid: Any, start: Any, port: Any
) -> None:
    folder = tmp_path_factory.getbasetemp() / "odd" / "entry"
    folder.mkdir(parents=True, exist_ok=True)
    entry = {"pid": pid, "startTime": start, "port": port}
    (folder / registry.FILE).write_text(json.dumps(entry))
    found = registry.living(folder)
    assert found is None or (found["pid"], type(found["port"])) == (os.getpid(), int)
    registry.others(folder.parent, Path("/home/ada/shop"))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_is_no_entry(folder: Path, content: bytes) -> None:
    (folder / registry.FILE).write_bytes(content)
    assert registry.living(folder) is None
    registry.withdraw(folder)


def test_a_companion_takes_back_only_its_own_entry(folder: Path) -> None:
    registry.publish(folder, replace(ENTRY, pid=1))
    registry.withdraw(folder)
    assert (folder / registry.FILE).exists()
    registry.publish(folder, ENTRY)
    registry.withdraw(folder)
    registry.withdraw(folder)
    assert not (folder / registry.FILE).exists()


def test_others_are_the_companions_of_other_projects(tmp_path: Path) -> None:
    home = tmp_path / "state"
    for project, port in (("/home/ada/shop", 6137), ("/home/ada/blog", 6138)):
        entry = replace(ENTRY, project=project, port=port)
        registry.publish(state.project_state(home, Path(project)), entry)
    (home / "file").write_text("not a folder")
    assert registry.others(home, Path("/home/ada/shop")) == ["/home/ada/blog (port 6138)"]
    assert registry.others(tmp_path / "nowhere", Path("/")) == []


def test_a_folder_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    folder = state.project_state(tmp_path, tmp_path)
    folder.chmod(0o777)
    assert state.project_state(tmp_path, tmp_path) == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_link_or_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = state.project_state(tmp_path / "state", tmp_path)
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreFailed, match="is a link"):
        state.project_state(tmp_path / "state", tmp_path)
    folder.unlink()
    folder.write_text("")
    with pytest.raises(StoreFailed):
        state.project_state(tmp_path / "state", tmp_path)
    with pytest.raises(StoreFailed, match="cannot be used"):
        state.project_state(folder, tmp_path)


def test_the_agent_token_is_kept_and_a_damaged_one_replaced(folder: Path) -> None:
    token = state.agent_token(folder)
    assert len(token) >= 43
    assert state.agent_token(folder) == token
    (folder / "agent-token").write_text('{"token": "short"}')
    fresh = state.agent_token(folder)
    assert fresh != token
    assert state.agent_token(folder) == fresh


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_no_rest(folder: Path) -> None:
    registry.publish(folder, ENTRY)
    before = (folder / registry.FILE).read_bytes()
    with pytest.raises(TypeError):
        state.write_private(folder / registry.FILE, {"port": object()})
    (folder / "agent-token").mkdir()
    with pytest.raises(StoreFailed, match="agent-token"):
        state.agent_token(folder)
    assert (folder / registry.FILE).read_bytes() == before
    assert sorted(file.name for file in folder.iterdir()) == ["agent-token", registry.FILE]
