"""Ask the user to point, or look at what a selector names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pageside.hubs.picks import PICKS
from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.tickets import StillOpen, Wanted, put
from pageside.operations.world import Report, World

WAITING = "Waiting for the user to point"


@dataclass(frozen=True, slots=True)
class Picked:
    """What was seen, and where."""

    page: dict[str, Any]
    context: Any


async def ask(
    world: World,
    watcher: Watcher,
    tool: str,
    *,
    page: str | None,
    ticket: str | None,
    reason: str | None,
    wait: float,
    report: Report,
) -> Picked | StillOpen:
    """Show the crosshair and wait `wait` seconds at most; with `ticket`, go on waiting for that one."""
    wanted = Wanted(tool, PICKS, page, ticket, wait, WAITING)
    outcome = await put(world, watcher, wanted, {"reason": reason or ""}, report)
    return outcome if isinstance(outcome, StillOpen) else Picked(outcome.page, _slim(outcome.result))


async def look(
    world: World, watcher: Watcher, tool: str, args: Mapping[str, Any], *, page: str | None
) -> Picked:
    """Describe what `args` name; no user is asked."""
    chosen = await choose_page(world, watcher, page)
    seen = await world.pages.call(chosen.id, tool, dict(args))
    return Picked(chosen.summary(), _slim(seen))


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
