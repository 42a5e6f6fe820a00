"""A tab of any browser, by its id: one that the extension connected, or one that Chrome shows over CDP.

What can be done in it is the same, and so are the answers and the errors.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Protocol

from pageside.chrome.browser import Browser, TabInfo
from pageside.contract import TABS
from pageside.core.dates import iso_time
from pageside.core.redaction import redact_text, redact_url
from pageside.errors import ChromeUnreachable, PagesideError, TabDisconnected, TabNotFound
from pageside.hubs.sessions import Watcher
from pageside.hubs.tabs import ExtensionTab
from pageside.operations.cdp_tab import CdpTab
from pageside.operations.extension_tab import TabOfExtension
from pageside.operations.gate import name_tab, reach_extension_tab, reach_tab
from pageside.operations.world import World

log = logging.getLogger(__name__)

MAX_URL = 500
"""Of a tab in a list: with 200 of them it stays an answer that can be read."""

Result = dict[str, Any]


class AnyTab(Protocol):
    """One tab; each method is a command, and answers with its result as the tab socket has it (`docs/tabs.md`).

    `selector` is CSS. Commands of one tab follow one another, those of two tabs run at once.
    """

    async def navigate(self, url: str, *, seconds: float) -> Result: ...
    async def go(self, by: int) -> Result:
        """Back (-1) or forward (1)."""

    async def screenshot(
        self, name: str, selector: str | None, width: int | None, height: int | None
    ) -> Result:
        """`data` in base64, at most `capture.MAX_BYTES` large; `width` and `height` in px bound it."""

    async def click(self, selector: str) -> Result: ...
    async def hover(self, selector: str) -> Result: ...
    async def fill(self, selector: str, value: str) -> Result: ...
    async def select(self, selector: str, value: str) -> Result: ...
    async def evaluate(self, code: str) -> Result: ...
    async def logs(self, most: int) -> Result:
        """The newest `most`, newest first."""


# One


async def any_tab(world: World, watcher: Watcher, tab_id: str) -> AnyTab:
    """The tab of that id, let in by the door.

    Raises `TabDisconnected` for one that was there, `TabNotFound` for others, each with `available_tabs`, and what
    the door raises.
    """
    connected = _connected(world, tab_id)
    if connected is not None:
        name_tab(connected.title)
        await reach_extension_tab(world, watcher, connected)
        return TabOfExtension(world.extension_tabs, connected.id)
    chrome = world.chromes.of(watcher)
    tabs = await _shown(chrome)
    shown = next((each for each in tabs if each.id == tab_id), None)
    if shown is None:
        raise _missing(world, chrome, tab_id, tabs)
    name_tab(shown.title)
    tab = await chrome.tab(tab_id)
    await reach_tab(world, tab)
    return CdpTab(chrome, tab)


def _connected(world: World, tab_id: str) -> ExtensionTab | None:
    """By its own id, else by that which it has in CDP."""
    by_target = (tab for tab in world.extension_tabs.all() if tab.target_id == tab_id)
    return world.extension_tabs.get(tab_id) or next(by_target, None)


async def _shown(chrome: Browser) -> list[TabInfo]:
    """The tabs of the Chrome that is there; none is launched."""
    try:
        return await chrome.tabs(launch=False)
    except ChromeUnreachable as error:
        log.debug("no tabs over CDP: %s", error)
        return []


def _missing(world: World, chrome: Browser, tab_id: str, tabs: Sequence[TabInfo]) -> PagesideError:
    rows = _rows(world.extension_tabs.all(), tabs)
    listed = [{key: row[key] for key in ("tabId", "title", "url")} for row in rows]
    data = {"available_tabs": listed}
    if world.extension_tabs.was_here(tab_id) or chrome.has_seen(tab_id):
        return TabDisconnected("That tab was closed, or is no longer connected.", data=data)
    fix = None if listed else _how_to_connect(world, chrome)
    return TabNotFound(f"No tab has the id {tab_id!r}.", data=data, fix=fix)


# All


async def list_tabs(world: World, watcher: Watcher) -> Result:
    """`{"tabs": […]}`, and `hint` where something keeps tabs from being in it. Nothing is launched."""
    chrome = world.chromes.of(watcher)
    why = ""
    tabs: list[TabInfo] = []
    try:
        tabs = await _shown(chrome)
    except PagesideError as error:
        # Those of the extension are there all the same.
        why = error.message
    rows = _rows(world.extension_tabs.all(), tabs)
    hint = why if rows else " ".join(filter(None, [_how_to_connect(world, chrome), why]))
    return {"tabs": rows, **({"hint": hint} if hint else {})}


def _rows(connected: Sequence[ExtensionTab], shown: Sequence[TabInfo]) -> list[Result]:
    """A tab that is both counts as the extension's: there its user has said what may be done."""
    both = {tab.target_id for tab in connected}
    return [*map(_row, connected), *(_cdp_row(tab) for tab in shown if tab.id not in both)]


def _row(tab: ExtensionTab) -> Result:
    scripts = {} if tab.scripts_allowed is None else {"scriptsAllowed": tab.scripts_allowed}
    return {
        "tabId": tab.id,
        "url": tab.url[:MAX_URL],
        "title": tab.title,
        "connectedAt": iso_time(tab.connected_at),
        "via": "extension",
        **scripts,
    }


def _cdp_row(tab: TabInfo) -> Result:
    return {
        "tabId": tab.id,
        "url": redact_url(tab.url)[:MAX_URL],
        "title": redact_text(tab.title)[: TABS["limits"]["titleChars"]],
        "connectedAt": None,
        "via": "cdp",
    }


def _how_to_connect(world: World, browser: Browser) -> str:
    state, settings = world.extension_tabs.state, browser.settings
    extension = (
        "Connect a tab in the panel Pageside of its DevTools (`pageside extension` says how to get it)."
    )
    if state.kind == "off":
        extension = f"The tab socket is off, so the extension cannot connect a tab: {state.why}"
    flags = f"--remote-debugging-port={settings.ports[0]} --user-data-dir=<a folder>"
    chrome = f"Or start Chrome with {flags}." if settings.enabled else ""
    return f"No tab is connected. {extension} {chrome}".strip()
