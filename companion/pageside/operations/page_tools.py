"""What the app's own code offers in its page: listed and called as data of that page, never as tools of the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.world import World

_MARGIN_SECONDS = 2.0
"""The page ends a tool that takes too long; only if it cannot even do that does the companion."""


async def list_tools(world: World, watcher: Watcher, *, page: str | None) -> dict[str, Any]:
    """`{"page", "tools": [{"name", "description", "inputSchema", "readOnly"?}]}`."""
    chosen = await choose_page(world, watcher, page)
    answered, answer = await world.pages.calls.ask(chosen.id, "list_tools", {})
    tools = answer.get("tools") if isinstance(answer, dict) else None
    return {"page": answered.summary(), "tools": tools if isinstance(tools, list) else []}


async def call_tool(
    world: World,
    watcher: Watcher,
    name: str,
    arguments: Mapping[str, Any],
    *,
    seconds: float,
    page: str | None,
) -> dict[str, Any]:
    """`{"page", "value", "type"}`; raises what the page says: no such tool, arguments that do not fit, what it threw.

    The page checks the arguments: its schema may be hostile, and then costs nobody else anything.
    """
    chosen = await choose_page(world, watcher, page)
    args = {"name": name, "arguments": dict(arguments), "timeoutMs": round(seconds * 1000)}
    limit = seconds + _MARGIN_SECONDS
    answered, answer = await world.pages.calls.ask(chosen.id, "call_tool", args, seconds=limit)
    result = answer if isinstance(answer, dict) else {}
    return {
        "page": answered.summary(),
        "value": result.get("value"),
        "type": str(result.get("type", "undefined")),
    }
