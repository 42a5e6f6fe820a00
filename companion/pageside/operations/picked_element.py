"""What the user picked, as a node of Chrome: the same element that snapshots and `inspect_element` see."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Any

from pageside.chrome.bridge import element_of, place_of, uid_of
from pageside.chrome.browser import Browser
from pageside.chrome.documents import Handle
from pageside.chrome.find import Target, find
from pageside.chrome.tab import Tab
from pageside.errors import ElementNotFound, PagesideError
from pageside.hubs.page import Page
from pageside.hubs.sessions import Watcher
from pageside.operations.choose_tab import choose_tab
from pageside.operations.gate import may_look, reach_page
from pageside.operations.refind import find_again, pages_of
from pageside.operations.world import World

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Picked:
    """The element, and how it was found: by its id, else by the inspection's selector or its text."""

    tab: Tab
    element: Handle
    by: str
    approximate: bool = False


async def of_inspection(world: World, watcher: Watcher, inspection: str) -> Picked:
    """Raises `InspectionNotFound`, `ElementNotFound`, and what finding a tab raises."""
    item = world.inspections.get(inspection)
    for page in pages_of(world, item)[:1]:
        await reach_page(world, page)
    pages = _likely(world, str(item.get("url", "")))
    for page in pages if "elementId" in item else ():
        found = await _of_page(world.chromes.of(watcher), page, item["elementId"])
        if found is not None:
            return found
    again = await find_again(world, item)
    for page in pages if "elementId" in again else ():
        found = await _of_page(world.chromes.of(watcher), page, again["elementId"])
        if found is not None:
            return replace(found, by=again.get("by", "selector"), approximate=again["found"] == "approximate")
    selector = item.get("selector")
    if not selector or again.get("found") == "lost":
        raise ElementNotFound(f"The element of inspection {inspection} is gone from the page.")
    tab = await _tab_of(world, watcher, pages)
    return Picked(tab, await find(tab, Target(selector=selector)), "selector")


def _likely(world: World, url: str) -> list[Page]:
    """Pages that show the inspection's URL first."""
    return sorted(world.pages.all(), key=lambda page: page.url != url)


async def _of_page(chrome: Browser, page: Page, element_id: str) -> Picked | None:
    place = await place_of(chrome, page.secret, page.url)
    handle = await element_of(place, element_id) if place is not None else None
    return Picked(place.tab, handle, "id") if place is not None and handle is not None else None


async def _tab_of(world: World, watcher: Watcher, pages: list[Page]) -> Tab:
    for page in pages:
        place = await place_of(world.chromes.of(watcher), page.secret, page.url)
        if place is not None:
            return place.tab
    return await choose_tab(world, watcher)


async def in_chrome(
    world: World, watcher: Watcher, element_id: object, page_id: str | None = None
) -> Picked | None:
    """The element where a connected Chrome shows it, most likely in the page of that id; None where none does."""
    chrome = world.chromes.of(watcher)
    if chrome.endpoint is None or not isinstance(element_id, str):
        return None
    try:
        for page in sorted(world.pages.all(), key=lambda page: page.id != page_id):
            if not may_look(world, page):
                continue
            found = await _of_page(chrome, page, element_id)
            if found is not None:
                return found
    except PagesideError as error:
        # It only adds to an answer that is complete without it.
        log.info("Chrome does not show %s: %s", element_id, error.message)
    return None


async def chrome_view(world: World, watcher: Watcher, shown: Picked | None) -> dict[str, Any]:
    """`{"chrome": {"pageId", "uid"}}`: how Chrome's tools call the element; {} where it is not `shown`."""
    if shown is None:
        return {}
    try:
        uid = await uid_of(shown.element)
    except PagesideError as error:
        log.info("Chrome does not name the element: %s", error.message)
        return {}
    return {"chrome": {"pageId": world.chromes.of(watcher).number(shown.tab.id), "uid": uid}}
