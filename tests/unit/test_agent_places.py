"""Where agents keep their files: setup writes where the doctor reads, and both go where a user's variables say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pageside.core.agent_files import AGENTS, Agent
from pageside.core.nested import below
from pageside.setup.agent_places import AGENTS_VARIABLES, below_home, is_in_use, read_files, written_file

BY_ID = {agent.id: agent for agent in AGENTS}
ROAMING = "AppData/Roaming"
MAC = "Library/Application Support"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, with nothing in it; nothing on PATH, and none of the agents' variables."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in AGENTS_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where all of the variables say that things are."""
    folder = tmp_path / "moved"
    folder.mkdir()
    for name in AGENTS_VARIABLES:
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setattr(sys, "platform", "linux")
    return folder


def read_by(agent: str, root: Path) -> list[tuple[Path, tuple[str, ...]]]:
    return list(dict.fromkeys(read_files(BY_ID[agent], root)))


@pytest.mark.parametrize(
    ("name", "where"),
    [
        (".codex", "."),
        (".codex/config.toml", "config.toml"),
        (".claude", "."),
        (".claude.json", ".claude.json"),
        (".config/zed/settings.json", "zed/settings.json"),
        (".config/opencode/opencode.json", "opencode/opencode.json"),
        (".config/Code - Insiders/User/mcp.json", "Code - Insiders/User/mcp.json"),
    ],
)
def test_what_a_variable_moves_is_looked_for_where_it_says(moved: Path, name: str, where: str) -> None:
    assert below_home(name) == moved / where


@pytest.mark.parametrize(
    "name", [".claude.jsonc", ".cursor/mcp.json", ".codeium/windsurf/mcp_config.json", "x"]
)
@pytest.mark.usefixtures("moved")
def test_what_no_variable_moves_is_in_the_users_folder(home: Path, name: str) -> None:
    assert below_home(name) == home / name


@pytest.mark.parametrize("value", ["", "relative/config"])
def test_an_empty_variable_and_a_relative_xdg_folder_move_nothing(
    home: Path, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", value)
    monkeypatch.setenv("CODEX_HOME", "")
    assert below_home(".config/opencode") == home / ".config" / "opencode"
    assert below_home(".codex") == home / ".codex"


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_zed_heeds_the_xdg_folder_on_linux_alone_and_opencode_everywhere(
    home: Path, moved: Path, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert below_home(".config/zed/settings.json") == home / ".config" / "zed" / "settings.json"
    assert below_home(".config/opencode") == moved / "opencode"


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.id)
@pytest.mark.parametrize("is_moved", [False, True])
def test_what_setup_writes_the_agent_reads(
    agent: Agent, is_moved: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if is_moved:
        request.getfixturevalue("moved")
    assert written_file(agent, tmp_path) in [file for file, _ in read_files(agent, tmp_path)]


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("claude", ".claude.json"),
        ("vscode", ".config/Code/User/mcp.json"),
        ("vscode", ".config/Code - Insiders/User/mcp.json"),
        ("vscode", f"{MAC}/Code - Insiders/User/mcp.json"),
        ("vscode", f"{ROAMING}/Code - Insiders/User/mcp.json"),
        ("opencode", ".config/opencode/opencode.jsonc"),
        ("zed", ".config/zed/settings.json"),
        ("zed", f"{ROAMING}/Zed/settings.json"),
    ],
)
def test_the_users_own_files_are_read_on_every_platform(
    agent: str, name: str, home: Path, tmp_path: Path
) -> None:
    keys = (*BY_ID[agent].keys, "pageside")
    assert (home / name, keys) in read_by(agent, tmp_path)


def test_opencode_is_read_in_both_of_its_forms_and_folders(tmp_path: Path) -> None:
    read = read_by("opencode", tmp_path)
    for name in ("opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"):
        assert (tmp_path / name, ("mcp", "pageside")) in read
        assert (tmp_path / name, ("mcp", "servers", "pageside")) in read


@pytest.mark.parametrize(
    ("agent", "sign"),
    [
        ("vscode", ".vscode-insiders"),
        ("vscode", f"{ROAMING}/Code - Insiders"),
        ("zed", f"{ROAMING}/Zed"),
        ("opencode", ".config/opencode"),
        ("claude", ".claude"),
    ],
)
def test_an_agent_is_in_use_where_its_folder_is(agent: str, sign: str, home: Path, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    assert not is_in_use(BY_ID[agent], root)
    (home / sign).mkdir(parents=True)
    assert is_in_use(BY_ID[agent], root)


@pytest.mark.parametrize(
    ("agent", "sign"), [("codex", "."), ("claude", ".claude.json"), ("opencode", "opencode")]
)
def test_an_agent_is_in_use_where_its_variable_leads(
    agent: str, sign: str, moved: Path, tmp_path: Path
) -> None:
    (moved / sign).mkdir(exist_ok=True)
    assert is_in_use(BY_ID[agent], tmp_path / "shop")


def test_what_is_deep_in_other_peoples_data_is_found_or_none() -> None:
    data = {"a": {"b": [1]}, "c": None}
    assert below(data) is data
    assert below(data, "a", "b") == [1]
    assert [below(data, *keys) for keys in (("a", "b", "0"), ("c", "x"), ("x",))] == [None, None, None]
    assert below("text", "a") is None
