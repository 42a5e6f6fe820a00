"""Who is connected to the companion now: pages, agents, tabs of the extension, dev servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pageside.doctor.report import Finding, note, ok
from pageside.doctor.sight import Case

SHOWN = 5


async def check(case: Case) -> list[Finding]:
    if case.sight.port is None:
        return [note("Nobody: no companion answers.")]
    seen = case.sight.overview
    if not seen:
        return [note("It does not tell: it is of another version.")]
    tabs = [tab for tab in _list(seen, "tabs") if tab.get("via") == "extension"]
    return [
        _pages(seen),
        ok(_told("agent", [str(agent.get("name")) for agent in _list(seen, "agents")])),
        ok(_told("tab of the extension", [str(tab.get("url")) for tab in tabs], "tabs of the extension")),
        ok(_told("dev server", _dev_servers(seen))),
    ]


def _pages(seen: Mapping[str, Any]) -> Finding:
    urls = [str(page.get("url")) for page in _list(seen, "pages")]
    if urls:
        return ok(_told("page", urls))
    servers = _dev_servers(seen)
    return note("no page", f"Open {servers[0]}" if servers else "Start the dev server, and open the app.")


def _dev_servers(seen: Mapping[str, Any]) -> list[str]:
    return [str(url) for server in _list(seen, "devServers") for url in server.get("urls", [])[:1]]


def _told(what: str, names: list[str], many: str = "") -> str:
    count = f"{len(names) or 'no'} {what if len(names) == 1 else many or f'{what}s'}"
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{count}{': ' if names else ''}{', '.join(names[:SHOWN])}{more}"


def _list(seen: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = seen.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
