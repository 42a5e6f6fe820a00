"""Where the agents of this machine and this project keep what they know of MCP servers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from pageside.core.agent_files import SERVER, Agent

_OF_USERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "claude": ((".claude.json", "mcpServers"),),
    "vscode": (
        (".config/Code/User/mcp.json", "servers"),
        ("Library/Application Support/Code/User/mcp.json", "servers"),
        ("AppData/Roaming/Code/User/mcp.json", "servers"),
    ),
    "opencode": ((".config/opencode/opencode.json", "mcp"), (".config/opencode/opencode.jsonc", "mcp")),
    "zed": ((".config/zed/settings.json", "context_servers"),),
}
"""Files below the user's folder that setup writes nothing to, each with its key."""


def is_in_use(agent: Agent, root: Path) -> bool:
    """Whether the project, the user's folder or PATH shows it."""
    places = [*(root / sign for sign in agent.signs), *map(below_home, agent.home_signs)]
    return any(map(os.path.lexists, places)) or any(map(shutil.which, agent.programs))


def below_home(name: str) -> Path:
    """That file or folder of the user; what Codex has in `.codex`, it has where $CODEX_HOME says, if it is set."""
    first, _, rest = name.partition("/")
    moved = os.environ.get("CODEX_HOME") if first == ".codex" else None
    return Path(moved, rest) if moved else Path.home() / name


def written_file(agent: Agent, root: Path) -> Path:
    """The one that gets our entry: the first that is there."""
    files = [root / file if agent.place == "project" else below_home(file) for file in agent.files]
    return next((file for file in files if os.path.lexists(file)), files[0])


def read_files(agent: Agent, root: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Every file that the agent reads in this project, and under which keys an entry of ours is there."""
    keys = (*agent.keys, SERVER)
    yield from ((root / file, keys) for file in agent.files)
    yield from ((below_home(file), keys) for file in agent.files)
    for name, key in _OF_USERS.get(agent.id, ()):
        yield below_home(name), (key, SERVER)
    if agent.id == "claude":
        yield below_home(".claude.json"), ("projects", str(root), "mcpServers", SERVER)
