"""Ask the user to point, or look at what a selector names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pageside.hubs.sessions import Watcher
from pageside.hubs.tickets import PICKS
from pageside.operations.choose_page import choose_page
from pageside.operations.tickets import Answered, Asking, StillOpen, put
from pageside.operations.world import World


async def ask(world: World, watcher: Watcher, tool: str, asking: Asking) -> Answered | StillOpen:
    """Show the crosshair, and wait."""
    outcome = await put(world, watcher, tool, PICKS, asking, {})
    return outcome if isinstance(outcome, StillOpen) else replace(outcome, result=_slim(outcome.result))


async def look(
    world: World, watcher: Watcher, tool: str, args: Mapping[str, Any], *, page: str | None
) -> Answered:
    """Describe what `args` name; no user is asked."""
    chosen = await choose_page(world, watcher, page)
    answered, seen = await world.pages.calls.ask(chosen.id, tool, dict(args))
    return Answered(answered.summary(), _slim(seen))


_HEAVY = ("styles", "computedStyles", "html", "attributes")
"""What an element of an area goes without: fifty of them would be a hundred thousand characters."""


def _slim(context: Any) -> Any:
    """An area whose elements are short; anything else as it is. A selector gives the whole of one."""
    if not isinstance(context, dict) or not isinstance(context.get("elements"), list):
        return context
    return {**context, "elements": [slim_element(element) for element in context["elements"]]}


def slim_element(element: Any) -> Any:
    """An element's context without its heavy parts."""
    source = element.get("sourceInfo") if isinstance(element, dict) else None
    info = source.get("elementInfo") if isinstance(source, dict) else None
    if not isinstance(source, dict) or not isinstance(info, dict):
        return element
    light = {key: value for key, value in info.items() if key not in _HEAVY}
    return {**element, "sourceInfo": {**source, "elementInfo": light}}
