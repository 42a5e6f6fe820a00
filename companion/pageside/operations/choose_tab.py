"""Which tab an agent means: the one it names or selected, else its page's own, else the only one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pageside.chrome.bridge import place_of
from pageside.chrome.browser import TabInfo
from pageside.chrome.tab import Tab
from pageside.errors import MultipleTabs, TabDisconnected, TabNotFound
from pageside.hubs.sessions import Watcher
from pageside.operations.gate import reach_new_tab, reach_tab, shows_console
from pageside.operations.world import World

_BLANK = ("chrome://", "about:", "edge://")
"""Tabs that nobody means who does not name them."""


async def choose_tab(world: World, watcher: Watcher, wanted: str | int | None = None) -> Tab:
    """The tab, attached; raises `TabNotFound` or `MultipleTabs` with `available_tabs`, and what the door raises."""
    tab = await _chosen(world, watcher, wanted)
    await reach_tab(world, tab)
    return tab


async def _chosen(world: World, watcher: Watcher, wanted: str | int | None) -> Tab:
    selected = world.chosen_tabs.get(watcher.key)
    chrome = world.chromes.of(watcher)
    known = chrome.known_tab(selected) if wanted is None else None
    if known is not None:
        return known
    tabs = await chrome.tabs()
    info = _named(tabs, wanted) if wanted is not None else await _meant(world, watcher, tabs)
    return await chrome.tab(info.id)


async def tab_info(world: World, watcher: Watcher, wanted: str | int) -> TabInfo:
    """The one that is named; raises `TabNotFound` or `MultipleTabs`, and what the door raises."""
    chrome = world.chromes.of(watcher)
    info = _named(await chrome.tabs(), wanted)
    if world.pages.all():
        await reach_tab(world, await chrome.tab(info.id))
    else:
        await reach_new_tab()
    return info


def _named(tabs: Sequence[TabInfo], wanted: str | int) -> TabInfo:
    """By number or id, else by exact title, else by a part of the title or the URL."""
    text = str(wanted)
    part = text.casefold()
    numbered = [tab for tab in tabs if text in (str(tab.number), tab.id)]
    for found in (
        numbered,
        [tab for tab in tabs if tab.title == text],
        [tab for tab in tabs if part in tab.title.casefold() or part in tab.url.casefold()],
    )[: 1 if isinstance(wanted, int) else None]:
        if len(found) == 1:
            return found[0]
        if found:
            raise MultipleTabs(f"{len(found)} tabs match {text!r}.", data=available(found))
    raise TabNotFound(f"No tab matches {text!r}.", data=available(tabs))


async def _meant(world: World, watcher: Watcher, tabs: Sequence[TabInfo]) -> TabInfo:
    selected = world.chosen_tabs.get(watcher.key)
    chosen = _with_id(tabs, selected)
    if chosen is not None:
        return chosen
    if selected is not None:
        # Said once: never act in silence on another one.
        del world.chosen_tabs[watcher.key]
        raise TabDisconnected(
            "The page that you had selected is gone: it was closed, or Chrome was started anew.",
            data=available(tabs),
        )
    bound = world.sessions.bound_page(watcher.key)
    page = world.pages.get(bound) if bound is not None else None
    if page is None and world.pages.all():
        page = world.pages.all()[0]
    chrome = world.chromes.of(watcher)
    place = await place_of(chrome, page.secret, page.url) if page is not None else None
    own = _with_id(tabs, place.tab.id if place is not None else None)
    if own is not None:
        return own
    seen = [tab for tab in tabs if not shows_console(world, tab.url)]
    ordinary = [tab for tab in seen if not tab.url.startswith(_BLANK)] or seen
    if len(ordinary) == 1:
        return ordinary[0]
    if not seen:
        raise TabNotFound("Chrome has no tab.", data=available(tabs), fix="Open one with new_page.")
    raise MultipleTabs("Multiple tabs found. Please specify target_title.", data=available(tabs))


def _with_id(tabs: Sequence[TabInfo], target_id: str | None) -> TabInfo | None:
    return next((tab for tab in tabs if tab.id == target_id), None)


def available(tabs: Sequence[TabInfo]) -> dict[str, Any]:
    """`{"available_tabs": [{"id", "title", "url"}]}`, as errors carry it."""
    return {"available_tabs": [tab.summary() for tab in tabs]}


def forget_choices(world: World) -> None:
    """What a watcher selected is forgotten with it."""

    def closed(key: str) -> None:
        world.chosen_tabs.pop(key, None)

    world.sessions.closed.listen(closed)
