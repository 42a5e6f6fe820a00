"""The project's companion, the ports that it wants, and the user's other companions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pageside import __version__
from pageside.contract import CHANNEL, SCRIPTS
from pageside.doctor.asking import aside, get
from pageside.doctor.report import Finding, note, ok, problem
from pageside.doctor.sight import HEALTH, Case, Sight
from pageside.processes import registry
from pageside.processes.listeners import listener
from pageside.web.console_pages import EXTENSION

_STATIC = EXTENSION.parent


async def check(case: Case) -> list[Finding]:
    found = list(_companion(case.sight))
    found.append(await _main_port(case))
    found.append(await _tab_port(case))
    found += await aside(lambda: [*_others(case.settings.state, case.settings.project), _built(_STATIC)])
    return found


def _companion(sight: Sight) -> Iterator[Finding]:
    pid, port = sight.entry.get("pid"), sight.entry.get("port")
    again = f"Stop process {pid}, then start it again: with the dev server, or `pageside serve`."
    match sight.state:
        case "none":
            yield note("None runs for this project: it starts with the dev server or the agent.")
        case "stale":
            yield note(
                "None runs for this project; the last one left its entry, which the next one replaces."
            )
        case "closed":
            yield problem(f"Process {pid} lives, but nothing listens on its port {port}.", again)
        case "silent":
            yield problem(f"The companion (pid {pid}, port {port}) does not answer: it is frozen.", again)
        case "foreign":
            yield problem(f"Port {port} of the companion (pid {pid}) is answered by something else.", again)
        case "alive":
            yield _version(sight)


def _version(sight: Sight) -> Finding:
    version = str(sight.health.get("version"))
    where = f"port {sight.entry['port']}, pid {sight.entry['pid']}, healthy"
    again = "Stop it, then start the dev server again."
    if sight.health.get("protocol") != CHANNEL["protocol"]:
        return problem(
            f"{where}, but it is {version}, which speaks another protocol than {__version__}.", again
        )
    if version != __version__:
        return note(f"{where}, but it is {version}, and this is {__version__}.", again)
    return ok(where)


async def _main_port(case: Case) -> Finding:
    port = case.settings.port
    if port == case.sight.port:
        return ok(f"port {port}: it is ours")
    told, who = await _who(port)
    if told is not None and told.get("service") == CHANNEL["service"]:
        return ok(f"port {port}: the companion of another project has it, ours takes the next free one")
    if told is None:
        return ok(f"port {port} is free")
    return note(
        f"port {port} is used by {who}: the companion takes the next free one.",
        "Nothing, if agents start `pageside stdio`, which finds it. An agent with a URL needs the new port.",
    )


async def _tab_port(case: Case) -> Finding:
    port = case.settings.tab_port
    if port is None:
        return ok("the tab socket is switched off")
    told, who = await _who(port)
    if told is None:
        if case.sight.port is None:
            return ok(f"tab port {port} is free")
        return note(
            f"nobody listens on tab port {port}: the companion runs with another one, or without.",
            "For tabs of the extension, start it without --tab-port and PAGESIDE_TAB_PORT.",
        )
    if told.get("service") != CHANNEL["service"]:
        return problem(
            f"tab port {port} is used by {who}: the extension cannot connect.",
            "Stop that program, or choose another port with --tab-port.",
        )
    if told.get("port") == case.sight.port:
        return ok(f"tab port {port}: it is ours")
    return ok(f"tab port {port}: the companion on port {told.get('port')} has it, tabs are shared")


async def _who(port: int) -> tuple[dict[str, Any] | None, str]:
    """What the one on that port says of itself, None if there is nobody; and which program it is."""
    try:
        answer = await get(port, HEALTH)
    except TimeoutError:
        return {}, f"{await aside(listener, port) or 'a program'}, which does not answer"
    except OSError:
        return None, ""
    return (answer.object() if answer else {}), await aside(listener, port) or "a program"


def _others(state: Path, project: Path) -> Iterator[Finding]:
    try:
        for each in registry.others(state, project):
            yield ok(f"another one: {each}")
    except OSError:
        # What is the matter with the folder is told under "state".
        return


def _built(folder: Path) -> Finding:
    wanted = [*SCRIPTS.values(), "console.js", "extension/manifest.json"]
    missing = [name for name in wanted if not (folder / name).is_file()]
    if missing:
        return problem(
            f"Not built: {', '.join(missing)}.", "In a checkout run `make build`; else install again."
        )
    return ok("the client, the console and the extension are built")
