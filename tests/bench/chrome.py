"""The Chrome tools, measured: ours, raw CDP and the peers, each with an equal browser, in one run."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from bench import peers
from bench.browsers import browser
from bench.cdp import attach, wire
from bench.effort import Effort
from bench.operations import OPERATIONS
from bench.pages import Pages, pages
from bench.rounds import measured
from bench.servers import HTTP, RAW, STDIO, Stand, served, stand
from bench.situations import SITUATIONS
from bench.sureness import Found, situation
from pageside.settings import DEFAULT_TOOLSETS
from support.site import serve_site

DEFAULT = "Pageside, default toolsets"
ATTACHED = "Pageside, beside a running companion"
SERVERS = (HTTP, STDIO, *peers.VERSIONS)
PARTS = ("around", "operations", "sureness")

Results = dict[str, Any]


class Faulty(Exception):
    """A peer that is there and does not do its part."""


async def measure(
    effort: Effort, missing: Mapping[str, str], only: str = "", parts: Sequence[str] = PARTS
) -> Results:
    """Those parts, of what has `only` in its name; a peer that does not start is added to those `missing`."""
    results: Results = {
        "rounds": effort.rounds,
        "tries": effort.tries,
        "thoughts": effort.thoughts,
        "missing": dict(missing),
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if "around" in parts and not only:
            results |= await _around(effort.starts, results["missing"], Path(folder))
        async with serve_site() as site, _stands(results["missing"], Path(folder)) as stands:
            own = pages(site)
            if "operations" in parts:
                results["operations"] = await _operations(stands, own, effort.rounds, only)
                results["memory"] = {each.name: each.server.memory() for each in stands if each.server}
            if "sureness" in parts:
                results["sureness"] = await _sureness(stands[1:], own, effort, only)
    return results


@asynccontextmanager
async def _stands(missing: dict[str, str], folder: Path) -> AsyncIterator[list[Stand]]:
    """Raw, ours, and the peers that start."""
    async with AsyncExitStack() as stack:
        stands = []
        for number, name in enumerate((RAW, *SERVERS)):
            if name not in missing:
                try:
                    stands.append(await stack.enter_async_context(stand(name, folder / f"stand-{number}")))
                except Exception as error:
                    _not_started(name, missing, error)
        yield stands


def _not_started(name: str, missing: dict[str, str], error: Exception) -> None:
    """A peer may fail in whatever way: the others are measured then."""
    if name not in peers.VERSIONS:
        raise error
    _progress(f"  {name} did not start: {error!r}")
    missing[name] = "did not start"


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def _operations(stands: Sequence[Stand], own: Pages, rounds: int, only: str) -> list[Results]:
    done = []
    for operation in OPERATIONS:
        if only in operation.name:
            _progress(f"  {operation.name}")
            rows = await measured(operation, stands, own, rounds)
            done.append({"name": operation.name, "rows": {name: row.json() for name, row in rows.items()}})
    return done


async def _sureness(stands: Sequence[Stand], own: Pages, effort: Effort, only: str) -> list[Results]:
    done = []
    for one in SITUATIONS:
        if only in one.name:
            _progress(f"  {one.name}")
            at_once = await situation(one, stands, own, effort.tries, thinking=False)
            later: dict[str, Found] = {}
            if one.late:
                later = await situation(one, stands, own, effort.thoughts, thinking=True)
            rows = {
                name: {
                    "at once": found.json(),
                    **({"after 1 s": later[name].json()} if name in later else {}),
                }
                for name, found in at_once.items()
            }
            done.append({"name": one.name, "rows": rows})
    return done


async def _around(rounds: int, missing: dict[str, str], folder: Path) -> Results:
    """From nothing to the first answer about Chrome, and what the lists of tools cost."""
    started: dict[str, list[float]] = {name: [] for name in (RAW, *SERVERS)}
    tokens: dict[str, int] = {}
    async with browser() as port:
        for number in range(rounds):
            _progress(f"  start {number + 1} of {rounds}")
            turn = number % len(SERVERS)
            for name in (*SERVERS[turn:], *SERVERS[:turn]):
                if name in missing:
                    continue
                try:
                    ms, tokens[name] = await _start(
                        name, port, folder / f"start-{SERVERS.index(name)}-{number}"
                    )
                    started[name].append(ms)
                except Exception as error:
                    _not_started(name, missing, error)
            start = time.perf_counter()
            async with wire(port) as connection:
                await (await attach(connection)).value("1")
                started[RAW].append((time.perf_counter() - start) * 1000)
        default = served(HTTP, port, folder / "default", ",".join(DEFAULT_TOOLSETS))
        async with default as server:
            tokens[DEFAULT] = server.tool_tokens()
        async with served(HTTP, port, folder / "running"):
            started[ATTACHED] = [(await _start(STDIO, port, folder / "running"))[0] for _ in range(rounds)]
    there = {name: times for name, times in started.items() if times and name not in missing}
    return {"start": {name: statistics.median(times) for name, times in there.items()}, "tools": tokens}


async def _start(name: str, port: int, folder: Path) -> tuple[float, int]:
    """Its ms to the first answer, and the tokens of its list of tools."""
    start = time.perf_counter()
    async with served(name, port, folder) as server:
        answer = await server.do([server.dialect.list_tabs])
        ms = (time.perf_counter() - start) * 1000
        if answer.failed:
            raise Faulty(answer.text[:300])
        return ms, server.tool_tokens()
