"""What the app's own code offers in its page: listed and called as data of that page, never as tools of the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.read_page import value_of
from pageside.operations.world import World


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
    args = {"name": name, "arguments": dict(arguments)}
    return await value_of(world, watcher, "call_tool", args, seconds=seconds, page=page)
