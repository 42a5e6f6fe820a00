"""What a page says of itself, and scripts that run in it."""

from __future__ import annotations

from typing import Any

from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.world import World

_MARGIN_SECONDS = 2.0
"""The page ends what takes too long; only if it cannot even do that does the companion."""


async def run_script(
    world: World, watcher: Watcher, code: str, *, seconds: float, page: str | None
) -> dict[str, Any]:
    """`{"page", "value", "type"}`; raises what the script threw as EXECUTION_ERROR."""
    return await value_of(world, watcher, "run_script", {"code": code}, seconds=seconds, page=page)


async def value_of(
    world: World, watcher: Watcher, tool: str, args: dict[str, Any], *, seconds: float, page: str | None
) -> dict[str, Any]:
    """`{"page", "value", "type"}`: what a page tool gives that runs code of others, for `seconds` at most."""
    chosen = await choose_page(world, watcher, page)
    args = {**args, "timeoutMs": round(seconds * 1000)}
    limit = seconds + _MARGIN_SECONDS
    answered, answer = await world.pages.calls.ask(chosen.id, tool, args, seconds=limit)
    result = answer if isinstance(answer, dict) else {}
    return {
        "page": answered.summary(),
        "value": result.get("value"),
        "type": str(result.get("type", "undefined")),
    }


async def page_info(world: World, watcher: Watcher, *, page: str | None) -> dict[str, Any]:
    """`{"page", "info", "pages", "project"}`: the bound or named page in detail, the others in short."""
    chosen = await choose_page(world, watcher, page)
    answered, info = await world.pages.calls.ask(chosen.id, "page_info", {})
    return {
        "page": answered.summary(),
        "info": info if isinstance(info, dict) else {},
        "pages": [other.summary() for other in world.pages.all()],
        "project": str(world.project),
    }


_NETWORK = """performance.getEntriesByType('resource').slice(-200).map((entry) => ({
  url: entry.name,
  type: entry.initiatorType,
  status: entry.responseStatus,
  startMs: Math.round(entry.startTime * 100) / 100,
  durationMs: Math.round(entry.duration * 100) / 100,
  bytes: entry.transferSize,
}))"""


async def network_entries(world: World, page_id: str) -> list[dict[str, Any]]:
    """The page's last 200 resource timings (Resource Timing API): no headers, no bodies."""
    answer = await world.pages.calls.call(page_id, "run_script", {"code": _NETWORK, "timeoutMs": 5000})
    value = answer.get("value") if isinstance(answer, dict) else None
    return value if isinstance(value, list) else []
