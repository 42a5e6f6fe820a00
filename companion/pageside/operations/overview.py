"""Everything that a companion knows, as one picture for the web console: read from the hubs, nothing is changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pageside.chrome.browser import Browser, TabInfo
from pageside.contract import TABS
from pageside.core.inspections import Item
from pageside.core.redaction import redact_text, redact_url
from pageside.core.timeline import Entry, Wanted
from pageside.core.untrusted import clean_text
from pageside.errors import PagesideError
from pageside.hubs.activity import Call
from pageside.hubs.page import Page
from pageside.hubs.sessions import Watcher
from pageside.operations.world import World
from pageside.processes.server import Server

MAX_ENTRIES = 100
MAX_INSPECTIONS = 200
MAX_TABS: int = TABS["limits"]["tabs"]
"""Of each kind."""
MAX_TEXT = 300
MAX_URL = 500
MAX_KNOWN = 1024
RUNNING = "running"
"""The outcome of a call that has none yet."""


@dataclass(frozen=True, slots=True)
class SeenChrome:
    """A Chrome, and what Chrome itself says of its tabs; None where it is not connected or does not answer."""

    address: str
    launched: bool
    connected: bool
    tabs: tuple[TabInfo, ...] | None


@dataclass(frozen=True, slots=True)
class About:
    """What of a companion no hub knows; `started_at` in ms since 1970."""

    version: str
    pid: int
    port: int
    mcp_url: str
    started_at: float


async def look_at_chromes(world: World) -> tuple[SeenChrome, ...]:
    """Those that are connected or were launched; none is looked for, and one that is stuck holds up nobody for long."""
    seen = await asyncio.gather(*(_look(browser) for browser in world.chromes.all))
    return tuple(each for each in seen if each is not None)


async def _look(browser: Browser) -> SeenChrome | None:
    endpoint = browser.endpoint
    found = endpoint or browser.own
    if found is None:
        return None
    try:
        tabs = await browser.look()
    except PagesideError:
        tabs = None
    launched = browser.own is not None and found is browser.own
    return SeenChrome(found.address, launched, endpoint is not None, None if tabs is None else tuple(tabs))


def overview(world: World, about: About, chromes: Iterable[SeenChrome]) -> dict[str, Any]:
    """The whole picture as JSON (`docs/console.md`): cut, redacted, and free of invisible characters."""
    chromes, living = tuple(chromes), world.inspections.living()
    return {
        "companion": _companion(world, about),
        "agents": [_agent(world, watcher) for watcher in reversed(world.sessions.all())],
        "pages": [_page(page) for page in world.pages.all()],
        "tabs": [*_extension_tabs(world), *_chrome_tabs(world, chromes)],
        "chromes": [_chrome(chrome) for chrome in chromes],
        "inspections": _inspections(world, living),
        "inspectionCount": len(living),
        "servers": [_server(server) for server in world.servers.all()],
        "devServers": [
            {"server": lease.server, "root": _text(lease.root), "urls": [_url(url) for url in lease.urls]}
            for lease in world.leases.all()
        ],
        "timeline": [_entry(entry) for entry in _newest(world)],
        "brakes": {"everywhere": world.brakes.everywhere},
    }


def _companion(world: World, about: About) -> dict[str, Any]:
    socket = world.extension_tabs.state
    return {
        "version": about.version,
        "project": str(world.project),
        "pid": about.pid,
        "port": about.port,
        "mcpUrl": about.mcp_url,
        "startedAt": round(about.started_at),
        "tabSocket": {"state": socket.kind, "port": socket.port, "why": socket.why},
    }


def _agent(world: World, watcher: Watcher) -> dict[str, Any]:
    return {
        "name": _text(watcher.name),
        "connectedAt": round(watcher.since),
        "page": world.sessions.bound_page(watcher.key),
        "lastCall": _call(watcher.call) if watcher.call is not None else None,
    }


def _call(call: Call) -> dict[str, Any]:
    return {"tool": call.tool, "at": round(call.at), "outcome": call.outcome or RUNNING}


def _page(page: Page) -> dict[str, Any]:
    used = round(page.used_at) if page.used_at is not None else None
    return {"id": page.id, "title": _text(page.title), "url": _url(page.url), "usedAt": used}


def _extension_tabs(world: World) -> list[dict[str, Any]]:
    return [
        _tab(tab.id, tab.title, tab.url, "extension", tab.connected_at)
        for tab in world.extension_tabs.all()[:MAX_TABS]
    ]


def _chrome_tabs(world: World, chromes: Iterable[SeenChrome]) -> list[dict[str, Any]]:
    """Without those that the extension has connected: they are one."""
    known = {tab.target_id for tab in world.extension_tabs.all() if tab.target_id}
    tabs = [tab for chrome in chromes for tab in chrome.tabs or () if tab.id not in known]
    return [_tab(tab.id, tab.title, tab.url, "cdp", None) for tab in tabs[:MAX_TABS]]


def _tab(tab_id: str, title: str, url: str, via: str, connected_at: int | None) -> dict[str, Any]:
    return {
        "tabId": tab_id,
        "title": _text(title),
        "url": _url(url),
        "via": via,
        "connectedAt": connected_at,
    }


def _chrome(chrome: SeenChrome) -> dict[str, Any]:
    return {
        "address": chrome.address,
        "launched": chrome.launched,
        "connected": chrome.connected,
        "tabs": None if chrome.tabs is None else len(chrome.tabs),
    }


def _inspections(world: World, living: list[Item]) -> list[dict[str, Any]]:
    """The ones that changed last, in the user's order."""
    newest = sorted(living, key=lambda item: item["updated"])[-MAX_INSPECTIONS:]
    shown = {item["id"] for item in newest}
    pages = {page.url: page.id for page in reversed(world.pages.all())}
    return [_inspection(item, pages.get(item["url"])) for item in living if item["id"] in shown]


def _inspection(item: Item, page: str | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": item["id"],
        "number": item.get("number"),
        "note": _text(item["description"]),
        "status": item["status"],
        "updatedAt": item["updated"],
    }
    if page is not None:
        told["page"] = page
    if item.get("message"):
        told["message"] = _text(item["message"])
    if item.get("progress"):
        told["progress"] = _progress(item["progress"])
    return told


def _progress(progress: dict[str, Any]) -> dict[str, Any]:
    """How many of its steps are done, and the one that is under way."""
    steps = progress["steps"]
    told: dict[str, Any] = {
        "done": sum(step["status"] == "completed" for step in steps),
        "total": len(steps),
    }
    under_way = next((step["title"] for step in steps if step["status"] == "in-progress"), "")
    return {**told, "step": _text(under_way)} if under_way else told


def _server(server: Server) -> dict[str, Any]:
    return {
        "id": _text(server.id),
        "command": _text(server.command),
        "status": server.status,
        "urls": [_url(url) for url in server.urls],
        "pid": server.pid if server.alive else None,
    }


def _newest(world: World) -> list[Entry]:
    return world.timeline.read(None, Wanted(after=world.timeline.seq - MAX_ENTRIES))


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "at": round(entry.at),
        "kind": entry.kind,
        "level": entry.level,
        "text": _line(entry.text),
    }


# Most texts are those of the picture before: what it costs to clean them is paid once.


@lru_cache(MAX_KNOWN)
def _text(text: str) -> str:
    """As people may see it: without secrets, without what is not seen, and short. Cut last: a cut secret is one too."""
    return _cut(clean_text(redact_text(text)), MAX_TEXT)


@lru_cache(MAX_KNOWN)
def _line(text: str) -> str:
    """Of the timeline, which holds no secrets."""
    return _cut(clean_text(text), MAX_TEXT)


@lru_cache(MAX_KNOWN)
def _url(url: str) -> str:
    return _cut(clean_text(redact_url(url)), MAX_URL)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
