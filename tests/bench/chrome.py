"""The Chrome tools, measured: ours, raw CDP and the peers, each with an equal browser, in one run."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import psutil

import pageside
from bench import peers
from bench.browsers import browser, version_of
from bench.cdp import attach, wire
from bench.operations import OPERATIONS
from bench.pages import Pages, pages
from bench.rounds import measured
from bench.servers import HTTP, RAW, STDIO, Stand, served, stand
from bench.situations import SITUATIONS
from bench.sureness import situation
from pageside.settings import DEFAULT_TOOLSETS
from support.site import serve_site

RESULTS = peers.FOLDER.parent / "bench.json"
START_ROUNDS = 5

Results = dict[str, Any]


PARTS = ("around", "operations", "sureness")


async def measure(rounds: int, tries: int, only: str = "", parts: Sequence[str] = PARTS) -> Results:
    """Those parts, of what has `only` in its name. Kept in `.pageside/bench.json`: other parts stay as they were."""
    load = os.getloadavg()[0]
    others = list(peers.VERSIONS) if await peers.install() else []
    servers = [HTTP, STDIO, *others]
    results = _last(servers) if only or parts != PARTS else {}
    results |= {"servers": servers}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if "around" in parts and not only:
            results |= await _around(servers, Path(folder))
        async with serve_site() as site, AsyncExitStack() as stack:
            stands = [
                await stack.enter_async_context(stand(name, Path(folder, f"stand-{number}")))
                for number, name in enumerate([RAW, *servers])
            ]
            own = pages(site)
            results["about"] = await _about(stands[0].port, others, load)
            if "operations" in parts:
                results |= {"rounds": rounds, "operations": await _operations(stands, own, rounds, only)}
                results["memory"] = {each.name: each.server.memory() for each in stands if each.server}
            if "sureness" in parts:
                results |= {"tries": tries, "sureness": await _sureness(stands[1:], own, tries, only)}
    if not only:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(results, indent=1), "utf-8")
    return results


def _last(servers: Sequence[str]) -> Results:
    """What the last whole run found, if it compared the same."""
    results: Results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    return results if results.get("servers") == servers else {}


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


async def _sureness(stands: Sequence[Stand], own: Pages, tries: int, only: str) -> list[Results]:
    done = []
    for one in SITUATIONS:
        if only in one.name:
            _progress(f"  {one.name}")
            at_once = await situation(one, stands, own, tries, thinking=False)
            later = await situation(one, stands, own, tries, thinking=True) if one.late else {}
            rows = {
                name: {
                    "at once": found.json(),
                    **({"after 1 s": later[name].json()} if name in later else {}),
                }
                for name, found in at_once.items()
            }
            done.append({"name": one.name, "rows": rows})
    return done


async def _around(servers: Sequence[str], folder: Path) -> Results:
    """From nothing to the first answer about Chrome, and what the lists of tools cost."""
    started: dict[str, list[float]] = {name: [] for name in (RAW, *servers)}
    tokens: dict[str, int] = {}
    async with browser() as port:
        for number in range(START_ROUNDS):
            _progress(f"  start {number + 1} of {START_ROUNDS}")
            for name in (*servers[number % len(servers) :], *servers[: number % len(servers)]):
                start = time.perf_counter()
                async with served(name, port, folder / f"start-{name.replace('/', '-')}-{number}") as server:
                    answer = await server.do([server.dialect.list_tabs])
                    started[name].append((time.perf_counter() - start) * 1000)
                    assert not answer.failed, answer.text
                    tokens[name] = server.tool_tokens()
            start = time.perf_counter()
            async with wire(port) as connection:
                await (await attach(connection)).value("1")
                started[RAW].append((time.perf_counter() - start) * 1000)
        default = served(HTTP, port, folder / "default", ",".join(DEFAULT_TOOLSETS))
        async with default as server:
            tokens["Pageside, default toolsets"] = server.tool_tokens()
    return {"start": {name: statistics.median(times) for name, times in started.items()}, "tools": tokens}


async def _about(port: int, others: Sequence[str], load: float) -> Results:
    async with aiohttp.ClientSession() as http:
        chrome = await version_of(http, port)
    node = await asyncio.create_subprocess_exec("node", "--version", stdout=asyncio.subprocess.PIPE)
    told, _ = await node.communicate()
    return {
        "load": round(load, 1),
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {
            "Pageside": pageside.__version__,
            **{name: peers.VERSIONS[name] for name in others},
            "Chromium": chrome.rpartition("/")[2],
            "Python": platform.python_version(),
            "Node": told.decode().strip().removeprefix("v"),
        },
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"{round(psutil.virtual_memory().total / 2**30)} GiB",
    }
