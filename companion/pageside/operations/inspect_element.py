"""Why an element of a Chrome tab looks as it does: boxes, computed styles, cascade, and a marked picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pageside.chrome.activity import settled
from pageside.chrome.capture import Image
from pageside.chrome.documents import Handle, call
from pageside.chrome.find import Target, find
from pageside.chrome.marking import Marked, marked
from pageside.chrome.sources import maps_of
from pageside.chrome.styles import Inspected, inspect
from pageside.chrome.tab import Tab
from pageside.hubs.sessions import Watcher
from pageside.operations.choose_tab import choose_tab
from pageside.operations.gate import reach_tab
from pageside.operations.picked_element import of_inspection
from pageside.operations.world import World


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an agent asks for: which element of which tab, and how much of it."""

    element: Target | None = None
    """None: that of the inspection."""
    inspection: str | None = None
    tab: str | int | None = None
    properties: Sequence[str] | None = None
    pseudo_elements: bool = False
    screenshot: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """JSON data as the contract has it, and the picture."""

    data: dict[str, Any]
    image: Image | None


async def inspect_element(world: World, watcher: Watcher, wanted: Wanted) -> Found:
    """Raises `MultipleTabs`, `TabNotFound`, `ElementNotFound` and what Chrome may say."""
    tab, element, by = await _element(world, watcher, wanted)
    async with tab.lock:
        inspected = await inspect(
            tab,
            element,
            properties=wanted.properties,
            pseudo_elements=wanted.pseudo_elements,
            project=world.project,
            maps=maps_of(tab),
        )
        taken = await marked(tab, element) if wanted.screenshot else None
        title = await call(element.document, "tagOf", element)
        url = await tab.evaluate("location.href")
    shown = {"id": world.chromes.of(watcher).number(tab.id), "url": url}
    data = {"element": title, "tab": shown, **by, **_told(inspected), **_picture(taken)}
    return Found(data, taken.image if taken is not None else None)


async def _element(world: World, watcher: Watcher, wanted: Wanted) -> tuple[Tab, Handle, dict[str, Any]]:
    """After what the last action set off has had its effect."""
    if wanted.inspection is not None:
        picked = await of_inspection(world, watcher, wanted.inspection)
        await reach_tab(world, picked.tab)
        await settled(picked.tab)
        doubt = {"approximate": True} if picked.approximate else {}
        return picked.tab, picked.element, {"found_by": picked.by, **doubt}
    assert wanted.element is not None
    tab = await choose_tab(world, watcher, wanted.tab)
    await settled(tab)
    return tab, await find(tab, wanted.element), {}


def _told(inspected: Inspected) -> dict[str, Any]:
    boxes = inspected.boxes
    pseudo = {"pseudo_elements": inspected.pseudo_elements} if inspected.pseudo_elements else {}
    return {
        "box_model": boxes.rectangles() if boxes is not None else None,
        **({"quads": boxes.rounded()} if boxes is not None and boxes.is_turned() else {}),
        "cascade_rules": inspected.cascade_rules,
        **pseudo,
        "computed_styles": inspected.computed_styles,
    }


def _picture(taken: Marked | None) -> dict[str, Any]:
    """The picture itself goes beside the data."""
    if taken is None:
        return {}
    if taken.image is None:
        return {"picture": None, "why_no_picture": taken.why_not}
    image = taken.image
    size = {"width": image.width, "height": image.height, "scale": round(image.scale, 3)}
    return {"picture": {"mimeType": image.mime, **size}}
