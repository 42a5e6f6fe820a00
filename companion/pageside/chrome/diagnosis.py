"""Whether there is a Chrome to use, and where: found out without launching one or connecting to it."""

from __future__ import annotations

import asyncio
import urllib.parse
from dataclasses import dataclass
from typing import Literal

from pageside.chrome.browser import Browser
from pageside.chrome.endpoint import PROBE_SECONDS, Endpoint, count_tabs, scan
from pageside.chrome.search import search, still_listens
from pageside.errors import ChromeError, CommandTimeout

State = Literal["connected", "reachable", "not answering", "not found", "off"]
NOTHING = "nothing"
SILENT = "takes connections, says nothing"


@dataclass(frozen=True, slots=True)
class Tried:
    """One address (`host:port`), and who or what is there."""

    where: str
    found: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`tabs`: None where nobody says. `why`: what stands in the way, where something does."""

    state: State
    endpoint: Endpoint | None = None
    is_launched: bool = False
    tabs: int | None = None
    tried: tuple[Tried, ...] = ()
    why: str = ""


async def diagnose(browser: Browser) -> Diagnosis:
    """Takes some 5 s at most, also of a Chrome that is stuck; raises nothing."""
    if not browser.settings.enabled:
        return Diagnosis("off", why="Chrome is switched off for this companion.")
    endpoint = browser.endpoint
    if endpoint is None:
        return await _around(browser)
    try:
        tabs = await browser.look()
    except (ChromeError, CommandTimeout) as error:
        return Diagnosis("not answering", endpoint, browser.is_launched, why=error.message)
    if tabs is None:
        # It ended while it was asked.
        return await _around(browser)
    return Diagnosis("connected", endpoint, browser.is_launched, len(tabs))


async def _around(browser: Browser) -> Diagnosis:
    """Where the next call would look."""
    tried, (found, why) = await asyncio.gather(_tried(browser), _found(browser))
    if why:
        return Diagnosis("not answering", tried=tried, why=why)
    if found is None:
        return Diagnosis("not found", tried=tried)
    return Diagnosis("reachable", found, found == browser.own, await count_tabs(found), tried)


async def _found(browser: Browser) -> tuple[Endpoint | None, str]:
    """What the next call would use, or why it could not."""
    own, settings = browser.own, browser.settings
    try:
        if own is not None and await still_listens(own):
            return own, ""
        found = await search(settings, browser.is_ours)
    except ChromeError as error:
        return None, error.message
    # One that was named is used unasked, so nobody knows yet whether it is there.
    return (found if found is not None and await _takes_connections(found) else None), ""


async def _takes_connections(endpoint: Endpoint) -> bool:
    at = urllib.parse.urlsplit(endpoint.url)
    port = at.port or (443 if at.scheme == "wss" else 80)
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            _, writer = await asyncio.open_connection(at.hostname, port)
    except (OSError, UnicodeError):
        return False
    writer.close()
    return True


async def _tried(browser: Browser) -> tuple[Tried, ...]:
    """The ports that are searched; none where a WebSocket was named."""
    settings = browser.settings
    if settings.ws_url is not None:
        endpoint = Endpoint(settings.ws_url)
        there = await _takes_connections(endpoint)
        return (Tried(endpoint.address, "takes connections" if there else NOTHING),)
    around = await scan(settings.ports, settings.host)
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    products = {urllib.parse.urlsplit(each.url).port: each.product or "a browser" for each in around.found}
    rows = []
    for port in settings.ports:
        found = products.get(port) or (SILENT if port in around.mute else NOTHING)
        if (
            port in products
            and len(settings.ports) > 1
            and not await asyncio.to_thread(browser.is_ours, port)
        ):
            found += ", of somebody else"
        rows.append(Tried(f"{shown}:{port}", found))
    return tuple(rows)
