"""What stands between an agent and Chrome: looks only, so that it can be asked at any time."""

from __future__ import annotations

import asyncio
from typing import Any

from pageside.chrome.diagnosis import Diagnosis, diagnose
from pageside.chrome.programs import find_program
from pageside.chrome.search import may_launch
from pageside.contract import FIXES
from pageside.core.redaction import redact_url
from pageside.errors import ChromeUnreachable
from pageside.hubs.sessions import Watcher
from pageside.operations.world import World
from pageside.settings import ChromeSettings


async def check_connection(world: World, watcher: Watcher) -> dict[str, Any]:
    """JSON data as the contract has it; nothing is launched or connected."""
    browser = world.chromes.of(watcher)
    settings = browser.settings
    diagnosis, (program, why_none) = await asyncio.gather(diagnose(browser), _program(settings))
    optional = {
        "chrome": _chrome(diagnosis),
        "tried": [{"where": each.where, "found": each.found} for each in diagnosis.tried],
        "program": program,
        "why": " ".join(filter(None, (diagnosis.why, why_none))),
    }
    return {
        "status": diagnosis.state,
        "autoLaunch": may_launch(settings),
        "settings": _variables(settings),
        "pages": len(world.pages.all()),
        "boundPage": world.sessions.bound_page(watcher.key),
        "devServers": world.leases.urls(),
        "whatToDo": _advice(diagnosis, settings, program),
        **{name: told for name, told in optional.items() if told},
    }


def _chrome(diagnosis: Diagnosis) -> dict[str, Any]:
    endpoint = diagnosis.endpoint
    if endpoint is None:
        return {}
    return {
        "at": endpoint.address,
        **({"product": endpoint.product} if endpoint.product else {}),
        "launchedByPageside": diagnosis.is_launched,
        "tabs": diagnosis.tabs,
    }


async def _program(settings: ChromeSettings) -> tuple[str, str]:
    """What would be launched, or why nothing can be; both empty where nothing is wanted."""
    if not settings.enabled or not may_launch(settings):
        return "", ""
    try:
        return await asyncio.to_thread(find_program, settings.program), ""
    except ChromeUnreachable as error:
        return "", f"{error.message} {error.fix}"


def _variables(settings: ChromeSettings) -> dict[str, Any]:
    """As they are in effect; of a WebSocket no secrets."""
    first, last = settings.ports[0], settings.ports[-1]
    return {
        **({"CDP_WS_URL": redact_url(settings.ws_url)} if settings.ws_url is not None else {}),
        "CHROME_DEBUG_HOST": settings.host,
        "CHROME_DEBUG_PORT": f"{first}" if first == last else f"{first}-{last}",
        "CHROME_AUTO_LAUNCH": settings.auto_launch,
        "PAGESIDE_CHROME": "on" if settings.enabled else "off",
    }


def _advice(diagnosis: Diagnosis, settings: ChromeSettings, program: str) -> str:
    if diagnosis.state == "off":
        return "Start the companion without --no-chrome and PAGESIDE_CHROME=off."
    if diagnosis.state == "not answering":
        return FIXES["CHROME_NOT_ANSWERING"]
    if diagnosis.state == "reachable":
        return "Nothing: the next call connects."
    if diagnosis.state == "not found":
        return f"Nothing: the next call launches {program}." if program else _start_one(settings)
    return "Open a page in it." if diagnosis.tabs == 0 else "Nothing: Chrome is connected."


def _start_one(settings: ChromeSettings) -> str:
    if settings.ws_url is not None:
        return "Start the browser that CDP_WS_URL names, or correct that."
    if not settings.auto_launch or may_launch(settings):
        return FIXES["CHROME_UNREACHABLE"]
    return f"Start Chrome with --remote-debugging-port={settings.ports[0]} on {settings.host}."
