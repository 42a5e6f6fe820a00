"""Which connected pages a tab of the extension shows: as Chrome tells, if it shows the same tab, else by the URL."""

from __future__ import annotations

import logging

from pageside.errors import PagesideError
from pageside.hubs.page import MAX_TEXT, Page
from pageside.hubs.sessions import Watcher
from pageside.hubs.tabs import ExtensionTab
from pageside.operations.world import World

log = logging.getLogger(__name__)


async def pages_in(world: World, watcher: Watcher, tab: ExtensionTab) -> list[Page]:
    """By the URL it may be more than one: who cannot tell which it is, has to heed all."""
    pages = world.pages.all()
    known = await _by_target(world, watcher, tab.target_id) if pages and tab.target_id else None
    return known if known is not None else [page for page in pages if _same(page.url, tab.url)]


async def _by_target(world: World, watcher: Watcher, target_id: str) -> list[Page] | None:
    """None unless the agent's Chrome, connected already, shows that tab."""
    chrome = world.chromes.of(watcher)
    try:
        tabs = await chrome.look()
        if target_id not in [each.id for each in tabs or ()]:
            return None
        return await world.tab_pages.of(await chrome.tab(target_id), world.pages.all(), world.pages.get)
    except PagesideError as error:
        log.debug("Chrome does not tell what the tab shows: %s", error)
        return None


def _same(one: str, other: str) -> bool:
    return bool(one) and _document(one) == _document(other)


def _document(url: str) -> str:
    return url[:MAX_TEXT].partition("#")[0]
