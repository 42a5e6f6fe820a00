"""Which Chrome is used: the configured one, else the first that answers nearby, else one that a profile names."""

from __future__ import annotations

import asyncio
import ipaddress
import urllib.parse
from collections.abc import Callable

from pageside.chrome.endpoint import Endpoint, active_port_endpoints, scan
from pageside.chrome.programs import debugged_program
from pageside.core import loopback
from pageside.errors import ChromeNotAnswering, ChromeUnreachable
from pageside.settings import ChromeSettings

IsOurs = Callable[[int], bool]


async def search(settings: ChromeSettings, is_ours: IsOurs) -> Endpoint | None:
    """None when there is none; raises `ChromeNotAnswering` when there is one that is stuck.

    `is_ours(port)`: whether the listener there belongs to this user; only a port that was asked for may be another's.
    """
    if settings.ws_url is not None:
        return Endpoint(settings.ws_url)
    asked = len(settings.ports) == 1
    around = await scan(settings.ports, settings.host)
    for endpoint in around.found:
        if asked or await _belongs(endpoint, is_ours):
            return endpoint
    for port in around.mute:
        if asked or await asyncio.to_thread(debugged_program, port) is not None:
            raise ChromeNotAnswering(
                f"Chrome at {settings.host}:{port} takes connections, but does not answer."
            )
    return None if asked else await _named(is_ours)


async def still_listens(endpoint: Endpoint) -> bool:
    """Whether a browser answers there; raises `ChromeNotAnswering` when it takes connections only."""
    at = urllib.parse.urlsplit(endpoint.url)
    around = await scan([_port(endpoint)], at.hostname or "127.0.0.1")
    if around.mute:
        raise ChromeNotAnswering(f"Chrome at {endpoint.address} takes connections, but does not answer.")
    return bool(around.found)


async def _named(is_ours: IsOurs) -> Endpoint | None:
    """One that wrote its port into its profile; who answers there now counts, not what the file says."""
    for named in await asyncio.to_thread(active_port_endpoints):
        for endpoint in (await scan([_port(named)])).found:
            if await _belongs(endpoint, is_ours):
                return endpoint
    return None


async def _belongs(endpoint: Endpoint, is_ours: IsOurs) -> bool:
    return await asyncio.to_thread(is_ours, _port(endpoint))


def _port(endpoint: Endpoint) -> int:
    return urllib.parse.urlsplit(endpoint.url).port or 80


def may_launch(settings: ChromeSettings) -> bool:
    """Whether a Chrome of Pageside's own is what is wanted: not instead of one on another machine."""
    return settings.auto_launch and settings.ws_url is None and is_loopback(settings.host)


def is_loopback(host: str) -> bool:
    """Whether that name or address means this machine."""
    try:
        return loopback.is_loopback(ipaddress.ip_address(host))
    except ValueError:
        return host == "localhost"


def nothing_found(settings: ChromeSettings) -> ChromeUnreachable:
    """Says what was tried."""
    ports = settings.ports
    where = f"port {ports[0]}" if len(ports) == 1 else f"ports {ports[0]}-{ports[-1]}"
    launch = "" if settings.auto_launch else ", and CHROME_AUTO_LAUNCH is off"
    return ChromeUnreachable(f"No Chrome with remote debugging answers on {settings.host}, {where}{launch}.")
