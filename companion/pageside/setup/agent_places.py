"""Where the agents of this machine and this project keep what they know of MCP servers."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pageside.core.agent_files import SERVER, Agent

Keys = tuple[str, ...]

_VSCODE_USERS = tuple(
    f"{base}/{name}/User/mcp.json"
    for name in ("Code", "Code - Insiders")
    for base in (".config", "Library/Application Support", "AppData/Roaming")
)
_OPENCODE_KEYS: tuple[Keys, ...] = (("mcp",), ("mcp", "servers"))
"""Of its first version, which the second reads too, and of the second alone."""
_OPENCODE = tuple((f"opencode.{ending}", keys) for ending in ("json", "jsonc") for keys in _OPENCODE_KEYS)

_OF_PROJECTS: dict[str, tuple[tuple[str, Keys], ...]] = {
    "opencode": (*_OPENCODE, *((f".opencode/{name}", keys) for name, keys in _OPENCODE)),
}
_OF_USERS: dict[str, tuple[tuple[str, Keys], ...]] = {
    "claude": ((".claude.json", ("mcpServers",)),),
    "vscode": tuple((name, ("servers",)) for name in _VSCODE_USERS),
    "opencode": tuple((f".config/opencode/{name}", keys) for name, keys in _OPENCODE),
    "zed": tuple(
        (f"{base}/settings.json", ("context_servers",)) for base in (".config/zed", "AppData/Roaming/Zed")
    ),
}
"""Files below the project and the user's folder that setup writes nothing to, each with where servers are in it."""

_MOVED_BY = {
    ".codex": "CODEX_HOME",
    ".claude": "CLAUDE_CONFIG_DIR",
    ".claude.json": "CLAUDE_CONFIG_DIR",
    ".config": "XDG_CONFIG_HOME",
}
"""The variable that says where a user has that folder instead, or in which folder that file."""
AGENTS_VARIABLES = frozenset(_MOVED_BY.values())


def is_in_use(agent: Agent, root: Path) -> bool:
    """Whether the project, the user's folder or PATH shows it."""
    places = [*(root / sign for sign in agent.signs), *map(below_home, agent.home_signs)]
    return any(map(os.path.lexists, places)) or any(map(shutil.which, agent.programs))


def below_home(name: str) -> Path:
    """That file or folder of the user, or where an agent's own variable, or XDG_CONFIG_HOME, says that it is."""
    first, _, rest = name.partition("/")
    moved = _moved(first, name)
    if not moved:
        return Path.home() / name
    return Path(moved, first if first.endswith(".json") else rest)


def _moved(first: str, name: str) -> str:
    folder = os.environ.get(_MOVED_BY.get(first, ""), "")
    if first != ".config":
        return folder
    # A relative one means nothing, and Zed heeds it on Linux alone.
    is_heeded = os.path.isabs(folder) and (sys.platform == "linux" or not name.startswith(".config/zed"))
    return folder if is_heeded else ""


def written_file(agent: Agent, root: Path) -> Path:
    """The one that gets our entry: the first that is there."""
    files = [root / file if agent.place == "project" else below_home(file) for file in agent.files]
    return next((file for file in files if os.path.lexists(file)), files[0])


def read_files(agent: Agent, root: Path) -> Iterator[tuple[Path, Keys]]:
    """Every file that the agent reads in this project, and under which keys an entry of ours is there."""
    keys = (*agent.keys, SERVER)
    yield from ((root / file, keys) for file in agent.files)
    yield from ((root / file, (*above, SERVER)) for file, above in _OF_PROJECTS.get(agent.id, ()))
    yield from ((below_home(file), keys) for file in agent.files)
    yield from ((below_home(file), (*above, SERVER)) for file, above in _OF_USERS.get(agent.id, ()))
    if agent.id == "claude":
        yield below_home(".claude.json"), ("projects", str(root), "mcpServers", SERVER)
