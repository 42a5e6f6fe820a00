"""The Chrome that agents would get: which program, and who answers on the debugging ports."""

from __future__ import annotations

import sys
from urllib.parse import urlsplit

from pageside.chrome.endpoint import Scan, scan
from pageside.chrome.programs import debugged_program, find_program
from pageside.core.loopback import NAMES
from pageside.doctor.asking import aside, get, output_of
from pageside.doctor.report import Finding, note, ok, problem
from pageside.doctor.sight import Case
from pageside.errors import ChromeUnreachable
from pageside.processes.listeners import listener
from pageside.processes.peers import same_user_listens
from pageside.settings import ChromeSettings

_WITHOUT = "Tools of the page go on without it; those of Chrome do not."


async def check(case: Case) -> list[Finding]:
    chrome = case.settings.chrome
    if not chrome.enabled:
        return [ok("switched off (--no-chrome, PAGESIDE_CHROME)")]
    if chrome.ws_url is not None:
        return [await _named(chrome.ws_url)]
    found = [await _program(chrome)]
    return found + await _ports(await scan(chrome.ports, chrome.host), chrome)


async def _program(chrome: ChromeSettings) -> Finding:
    try:
        path = await aside(find_program, chrome.program)
    except ChromeUnreachable as error:
        return note(f"{error.message} {_WITHOUT}", error.fix)
    # On Windows that opens a window.
    version = "" if sys.platform == "win32" else await output_of([path, "--version"])
    return ok(f"{version or 'installed'} at {path}")


async def _named(url: str) -> Finding:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "wss" else 80)
    if parts.hostname not in NAMES:
        return ok(f"CDP_WS_URL names one on {parts.hostname}, which is not asked")
    try:
        await get(port, "/json/version")
    except (OSError, TimeoutError):
        return problem(f"CDP_WS_URL: nothing answers on port {port}.", "Start that Chrome, or unset it.")
    return ok(f"CDP_WS_URL: something answers on port {port}")


async def _ports(seen: Scan, chrome: ChromeSettings) -> list[Finding]:
    found = []
    for endpoint in seen.found:
        port = int(endpoint.address.rpartition(":")[2])
        pid = await aside(debugged_program, port)
        who = f"{endpoint.product or 'a browser'}{f' (pid {pid})' if pid else ''}"
        if await aside(same_user_listens, port):
            found.append(ok(f"debugging port {port}: {who}"))
        else:
            found.append(note(f"debugging port {port}: {who} of another user, which is not used"))
    for port in seen.mute:
        who = await aside(listener, port) or "a program"
        found.append(
            problem(
                f"debugging port {port}: {who} takes connections and says nothing.", f"Stop or restart {who}."
            )
        )
    if not seen.found:
        first, last = chrome.ports[0], chrome.ports[-1]
        where = f"{first}-{last}" if first != last else str(first)
        found.append(ok(f"debugging ports {where}: nobody; {_else(chrome)}"))
    return found


def _else(chrome: ChromeSettings) -> str:
    return (
        "one is launched when it is needed"
        if chrome.auto_launch
        else "and none is launched (CHROME_AUTO_LAUNCH)"
    )
