"""Agents' entries: does what they start exist, does the URL they name lead to this project's companion?"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from pageside import __version__
from pageside.contract import CHANNEL
from pageside.core.agent_files import AGENTS, MCP_PATHS, is_ours
from pageside.core.loopback import NAMES
from pageside.core.redaction import redact_url
from pageside.doctor.asking import aside, get
from pageside.doctor.entries import Entry, Unread, find, program
from pageside.doctor.report import Finding, note, ok, problem
from pageside.doctor.sight import Case
from pageside.doctor.starting import may_start, start
from pageside.processes.project import project_id
from pageside.processes.state import read_json
from pageside.setup.agent_places import is_in_use
from pageside.setup.plan import shown_path
from pageside.web.app import LAST_PORT

MCP: str = CHANNEL["mcp"]
HEALTH: str = CHANNEL["prefix"] + CHANNEL["routes"]["health"]
_SET_UP = "pageside setup"


async def check(case: Case) -> list[Finding]:
    root = case.settings.project
    entries = await aside(lambda: list(find(root)))
    findings = list(await asyncio.gather(*(_finding(each, case) for each in entries)))
    findings += await aside(lambda: list(_without({each.agent.id for each in entries}, root)))
    return findings + await _started([each for each in entries if isinstance(each, Entry)], case)


async def _finding(found: Entry | Unread, case: Case) -> Finding:
    where = f"{found.agent.name}, {shown_path(found.file, case.settings.project)}"
    if isinstance(found, Unread):
        return problem(
            f"{where} cannot be read: {found.why}.", "Correct it: the agent cannot read it either."
        )
    if found.argv is not None:
        return await aside(_command, where, found.argv, case.settings.project)
    if found.url_key is not None:
        return await _url(where, found.url_key, found, case)
    return problem(f"{where}: the entry starts nothing and names no URL.", _SET_UP)


def _without(known: set[str], root: Path) -> Iterator[Finding]:
    missing = [agent.name for agent in AGENTS if agent.id not in known and is_in_use(agent, root)]
    if missing:
        yield note(f"in use and without an entry: {', '.join(missing)}", _SET_UP)
    elif not known:
        yield note("No agent was found.", f"{_SET_UP} --agents NAME")


def _command(where: str, argv: list[str], root: Path) -> Finding:
    if not is_ours(argv):
        return note(f"{where}: 'pageside' is another server there ({Path(argv[0]).name}).")
    if program(argv[0], root) is None:
        is_path = os.sep in argv[0] or "/" in argv[0]
        fix = _SET_UP if is_path else f"Install it outside of virtual environments, or run `{_SET_UP}` again."
        return problem(f"{where} starts {argv[0]}, which is not {'there' if is_path else 'on PATH'}.", fix)
    pinned = next((found[1] for word in argv if (found := re.fullmatch(r"pageside(?:@|==)(.+)", word))), "")
    if pinned not in ("", __version__, "latest"):
        return note(f"{where} starts pageside {pinned}, and this is {__version__}.", _SET_UP)
    other = _other_project(argv, root)
    if other:
        return note(
            f"{where} starts it for another project, {other}.", f"{_SET_UP}, if it shall be this one."
        )
    return ok(f"{where} starts {' '.join([Path(argv[0]).name, *argv[1 : argv.index('stdio') + 1]])}")


def _other_project(argv: list[str], root: Path) -> str:
    after = argv[argv.index("--project") + 1 :][:1] if "--project" in argv else []
    named = next(iter(after), "")
    if not named or "$" in named or Path(root, named).resolve() == root.resolve():
        return ""
    return named


async def _url(where: str, key: str, entry: Entry, case: Case) -> Finding:
    url = str(entry.value[key])
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return problem(f"{where}: {key} is no URL.", _line(key, entry, case))
    shown = redact_url(url)
    if host not in NAMES or parts.scheme != "http":
        return note(f"{where} names {shown}, which is not asked.")
    if parts.path.rstrip("/") not in MCP_PATHS:
        return problem(f"{where} names {shown}, where no MCP is spoken.", _line(key, entry, case))
    return await _live(f"{where} names {shown}", key, port, entry, case)


async def _live(told: str, key: str, port: int, entry: Entry, case: Case) -> Finding:
    """Of the companion itself, or of a dev server that passes on to it."""
    try:
        answer = await get(port, HEALTH)
    except TimeoutError:
        return problem(f"{told}, which does not answer.", _line(key, entry, case))
    except OSError:
        last = (await aside(read_json, case.sight.folder / LAST_PORT) or {}).get("port")
        if case.sight.port is None and port == last:
            return note(f"{told}: right as soon as the companion runs again.")
        return problem(f"{told}, where nobody listens.", _line(key, entry, case))
    health = answer.object() if answer else {}
    if health.get("service") != CHANNEL["service"]:
        return problem(f"{told}, where another program answers.", _line(key, entry, case))
    if health.get("projectId") != project_id(case.settings.project):
        return problem(f"{told}, the companion of another project.", _line(key, entry, case))
    return ok(told)


def _line(key: str, entry: Entry, case: Case) -> str:
    """What to write instead: the live companion's URL, or the entry that needs none."""
    if case.sight.port is None:
        return f"Remove that entry and run `{_SET_UP}`: its entry needs no port."
    url = json.dumps(f"http://127.0.0.1:{case.sight.port}{MCP}")
    line = f"{key} = {url}" if entry.file.suffix == ".toml" else f'"{key}": {url}'
    return f"{line}   or remove that entry and run `{_SET_UP}`: its entry needs no port."


async def _started(entries: list[Entry], case: Case) -> list[Finding]:
    """Each command once, whoever has it, if it is certain to be ours."""
    root = case.settings.project
    argvs: dict[tuple[str, ...], None] = {}
    for entry in entries:
        if entry.argv is not None and (argv := await aside(may_start, entry.argv, root)) is not None:
            argvs[argv] = None
    return list(await asyncio.gather(*(start(argv, case) for argv in list(argvs)[:2])))
