"""The JSON that Python and TypeScript share, loaded once.

Each constant holds one file of this folder as plain data: `STATUS` (the status machine), `EVENTS` and
`STORAGE` (names in the page), `CHANNEL` (routes, headers, limits, times in ms), `TOOLS` and `PROMPTS`
(what agents see), `NOTE` (what a note may say besides its text), `TABS` (the tab socket), `FIXES` (error
code → what to do).
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final


def _load(name: str) -> Any:
    return json.loads(files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8"))


STATUS: Final[dict[str, Any]] = _load("status")
EVENTS: Final[dict[str, str]] = _load("events")
STORAGE: Final[dict[str, Any]] = _load("storage")
CHANNEL: Final[dict[str, Any]] = _load("channel")
NOTE: Final[dict[str, Any]] = _load("note")
GATE: Final[dict[str, Any]] = _load("gate")
TABS: Final[dict[str, Any]] = _load("tabs")
FIXES: Final[dict[str, str]] = _load("errors")
_TOOL_FILES = (
    "tools",
    "ask_tools",
    "chrome_tools",
    "loop_tools",
    "server_tools",
    "relay_tools",
    "browser_tools",
    "kapture_tools",
)
TOOLS: Final[dict[str, dict[str, Any]]] = {tool["name"]: tool for file in _TOOL_FILES for tool in _load(file)}
PROMPTS: Final[list[dict[str, Any]]] = _load("prompts")

LIMITS: Final[dict[str, int]] = CHANNEL["limits"]
SCRIPTS: Final[dict[str, str]] = {
    name: path.removeprefix("/") for name, path in CHANNEL["routes"].items() if path.endswith(".js")
}
"""The built files of the client, by the names of their routes."""
TIMING: Final[dict[str, int]] = CHANNEL["timing"]
PAGE_TOOLS: Final[dict[str, dict[str, Any]]] = CHANNEL["pageTools"]
