"""The agents that can be set up: where each keeps its MCP servers, and what the entry of one looks like there.

What is known of each, and from where and when, stands in `docs/agents.md`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from pageside.contract import CHANNEL
from pageside.core.loopback import NAMES

SERVER = "pageside"
"""The name of the entry."""

Place = Literal["project", "home"]
Form = Literal["jsonc", "toml"]


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent, as its own documentation tells of it."""

    id: str
    name: str
    files: tuple[str, ...]
    """The first is made when none is there; below the project, or below the user's folder."""
    keys: tuple[str, ...]
    """Where its servers are in the file."""
    signs: tuple[str, ...]
    """Files and folders of a project that show that it is in use there."""
    home_signs: tuple[str, ...]
    """The same, below the user's folder."""
    programs: tuple[str, ...]
    more: Mapping[str, Any]
    """What its entry needs besides the command."""
    next_step: str
    place: Place = "project"
    form: Form = "jsonc"
    project: str | None = None
    """What it puts in the place of the project's folder; None where it starts servers there anyway."""
    one_list: bool = False
    """Whether program and arguments are one list."""

    @property
    def is_shared(self) -> bool:
        """Whether others who work on the project get the same file."""
        return self.place == "project" and self.project != FOLDER


FOLDER = "<folder>"
"""The project's folder on this machine."""
_WORKSPACE = "${workspaceFolder}"

_CLAUDE = Agent(
    "claude",
    "Claude Code",
    files=(".mcp.json",),
    keys=("mcpServers",),
    signs=(".mcp.json", ".claude", "CLAUDE.md"),
    home_signs=(".claude", ".claude.json"),
    programs=("claude",),
    more={},
    next_step="start it anew in the project and approve the server (/mcp shows it)",
)
_CURSOR = Agent(
    "cursor",
    "Cursor",
    files=(".cursor/mcp.json",),
    keys=("mcpServers",),
    signs=(".cursor",),
    home_signs=(".cursor",),
    programs=("cursor", "cursor-agent"),
    more={},
    next_step="switch the server on in Settings > MCP",
    project=_WORKSPACE,
)
_VSCODE = Agent(
    "vscode",
    "VS Code",
    files=(".vscode/mcp.json",),
    keys=("servers",),
    signs=(".vscode",),
    home_signs=(
        ".vscode",
        ".vscode-insiders",
        *(
            f"{base}/{name}"
            for base in (".config", "Library/Application Support", "AppData/Roaming")
            for name in ("Code", "Code - Insiders")
        ),
    ),
    programs=("code", "code-insiders"),
    more={"type": "stdio"},
    next_step="open .vscode/mcp.json and press Start above the server, then trust it",
    project=_WORKSPACE,
)
_WINDSURF = Agent(
    "windsurf",
    "Windsurf",
    files=(".codeium/windsurf/mcp_config.json",),
    keys=("mcpServers",),
    signs=(".windsurf", ".windsurfrules"),
    home_signs=(".codeium/windsurf",),
    programs=("windsurf",),
    more={},
    next_step="press Refresh in the list of MCP servers; it has one list for all projects, this one is in it now",
    place="home",
    project=FOLDER,
)
_CODEX = Agent(
    "codex",
    "Codex",
    files=(".codex/config.toml",),
    keys=("mcp_servers",),
    signs=(".codex",),
    home_signs=(".codex",),
    programs=("codex",),
    # It waits 10 s by default: too little for a first download.
    more={"startup_timeout_sec": 60},
    next_step="start it anew in the project (/mcp shows the server)",
    place="home",
    form="toml",
)
_GEMINI = Agent(
    "gemini",
    "Gemini CLI",
    files=(".gemini/settings.json",),
    keys=("mcpServers",),
    signs=(".gemini", "GEMINI.md"),
    home_signs=(".gemini",),
    programs=("gemini",),
    more={},
    next_step="start it anew in the project (/mcp shows the server)",
)
_OPENCODE = Agent(
    "opencode",
    "opencode",
    files=("opencode.json", "opencode.jsonc"),
    keys=("mcp",),
    signs=("opencode.json", "opencode.jsonc", ".opencode"),
    home_signs=(".config/opencode",),
    programs=("opencode",),
    # It waits 5 s for the list of tools by default.
    more={"type": "local", "enabled": True, "timeout": 60_000},
    next_step="start it anew in the project",
    one_list=True,
)
OPENCODE_2 = replace(
    _OPENCODE, keys=("mcp", "servers"), more={"type": "local", "timeout": {"startup": 60_000}}
)
"""In a file that is written in the form of its second version, which reads that of the first as well."""
_ZED = Agent(
    "zed",
    "Zed",
    files=(".zed/settings.json",),
    keys=("context_servers",),
    signs=(".zed",),
    home_signs=(".config/zed", "AppData/Roaming/Zed"),
    programs=("zed", "zeditor"),
    more={"source": "custom"},
    next_step="trust the project; .zed/settings.json names this folder now, so keep that entry out of commits",
    project=FOLDER,
)

AGENTS = (_CLAUDE, _CURSOR, _VSCODE, _WINDSURF, _CODEX, _GEMINI, _OPENCODE, _ZED)


def entry(agent: Agent, command: Sequence[str], folder: str) -> dict[str, Any]:
    """What stands in the agent's file: `command` with what tells it the project, and what the agent needs more."""
    argv = [*command]
    if agent.project is not None:
        argv += ["--project", folder if agent.project == FOLDER else agent.project]
    first = {key: agent.more[key] for key in ("type", "source") if key in agent.more}
    program = {"command": argv} if agent.one_list else {"command": argv[0], "args": argv[1:]}
    return first | program | dict(agent.more)


def argv_of(found: Any) -> list[str] | None:
    """Program and arguments of an entry that is there; None if it does not start a program."""
    if not isinstance(found, dict):
        return None
    command, args = found.get("command"), found.get("args", [])
    words = [command, *args] if isinstance(command, str) and isinstance(args, list) else command
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        return None
    return words


def url_key_of(found: Any) -> str | None:
    """Under which key an entry that is there names a URL."""
    keys = ("url", "serverUrl", "httpUrl")
    return next((key for key in keys if isinstance(found, dict) and isinstance(found.get(key), str)), None)


MCP_PATHS = (CHANNEL["mcp"], "/mcp", f"{CHANNEL['mcp']}/sse")
"""Where a companion speaks MCP, and a dev server that passes on to it."""


def is_our_url(url: str) -> bool:
    """Whether that can be a companion of this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    is_here = parts.scheme == "http" and parts.hostname in NAMES
    return is_here and parts.path.rstrip("/") in MCP_PATHS


_OWN_WORD = re.compile(r"pageside(?:\.exe)?(?:(?:@|==).+)?", re.IGNORECASE)


def is_ours(argv: Sequence[str] | None) -> bool:
    """Whether that starts `pageside stdio`, in one of the ways there are."""
    if argv is None or "stdio" not in argv:
        return False
    before = argv[: argv.index("stdio")]
    return any(_OWN_WORD.fullmatch(re.split(r"[/\\]", word)[-1]) for word in before)


def own_flags(argv: Sequence[str]) -> list[str]:
    """What a user has put behind `stdio`, apart from the project's folder."""
    flags = list(argv[argv.index("stdio") + 1 :])
    if "--project" in flags:
        at = flags.index("--project")
        del flags[at : at + 2]
    return [flag for flag in flags if not flag.startswith("--project=")]


def update(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an entry of ours that have to change so that it starts what is wanted; flags of a user stay."""
    flags = own_flags(argv_of(found) or ["stdio"])
    new = dict(wanted)
    if isinstance(new["command"], list):
        new["command"] = [*new["command"], *flags]
    else:
        new["args"] = [*new["args"], *flags]
    told = ("command", "args", "type")
    return {key: value for key, value in new.items() if key in told and found.get(key) != value}
