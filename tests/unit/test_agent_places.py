"""Where agents keep their files: setup writes where the doctor reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageside.core.agent_files import AGENTS, Agent
from pageside.setup.agent_places import below_home, is_in_use, read_files, written_file

CODEX = next(agent for agent in AGENTS if agent.id == "codex")


@pytest.fixture
def codex_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "moved"
    home.mkdir()
    monkeypatch.setenv("CODEX_HOME", str(home))
    return home


def test_codex_is_looked_for_where_its_own_variable_says(tmp_path: Path, codex_home: Path) -> None:
    assert is_in_use(CODEX, tmp_path)
    assert written_file(CODEX, tmp_path) == codex_home / "config.toml"
    assert below_home(".claude.json") == Path.home() / ".claude.json"


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.id)
@pytest.mark.usefixtures("codex_home")
def test_what_setup_writes_the_agent_reads(agent: Agent, tmp_path: Path) -> None:
    assert written_file(agent, tmp_path) in [file for file, _ in read_files(agent, tmp_path)]
