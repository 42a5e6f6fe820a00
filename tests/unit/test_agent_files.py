"""What each agent's entry looks like: as the docs show it, and known again in all its forms."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pageside.core.agent_files import AGENTS, Agent, argv_of, entry, is_ours, update

DOCS = Path(__file__).resolve().parents[2] / "docs" / "agents.md"


def documented(agent: Agent) -> Any:
    """The block below the agent's heading."""
    found = re.search(rf"^### {agent.name}\n\n```(\w+)\n(.*?)```", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return tomllib.loads(found[2]) if found[1] == "toml" else json.loads(found[2])


@pytest.mark.parametrize("agent", AGENTS, ids=[agent.id for agent in AGENTS])
def test_the_entry_is_that_of_the_docs_and_ours(agent: Agent) -> None:
    made = entry(agent, ("pageside", "stdio"), "/path/to/project")
    assert documented(agent) == {agent.keys[0]: {"pageside": made}}
    assert is_ours(argv_of(made))
    assert update(made, made) == {}
    row = next(line for line in DOCS.read_text().splitlines() if line.startswith(f"| {agent.name} |"))
    assert f"`{agent.keys[0]}`" in row
    assert all(file in row for file in agent.files)


@pytest.mark.parametrize(
    "argv",
    [
        "pageside stdio",
        "/opt/x/bin/pageside stdio --client-id me",
        "C:\\py\\Scripts\\Pageside.exe stdio",
        "uvx pageside@0.0.9 stdio",
        "pipx run --spec pageside==1.0 pageside stdio",
        "/usr/bin/python3 -P -m pageside stdio",
    ],
)
def test_each_way_to_start_the_bridge_is_ours(argv: str) -> None:
    assert is_ours(argv.split())


@pytest.mark.parametrize(
    "found",
    [
        {"command": "npx", "args": ["-y", "pageside-tools", "stdio"]},
        {"command": "pageside", "args": ["serve"]},
        {"url": "http://127.0.0.1:6137/__mcp__"},
        {"command": {"path": "pageside", "args": ["stdio"]}},
        {"command": ["pageside", 1]},
        {"command": []},
        "pageside stdio",
        None,
    ],
)
def test_anything_else_is_somebody_elses(found: Any) -> None:
    assert not is_ours(argv_of(found))


def test_an_update_keeps_the_flags_and_the_keys_of_the_user() -> None:
    wanted = {"command": "pageside", "args": ["stdio", "--project", "/new"]}
    found = {
        "command": "/old/pageside",
        "args": ["stdio", "--toolsets", "all", "--project", "/old", "--no-chrome"],
        "env": {"A": "b"},
    }
    assert update(found, wanted) == {
        "command": "pageside",
        "args": ["stdio", "--project", "/new", "--toolsets", "all", "--no-chrome"],
    }
