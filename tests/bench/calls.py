"""What a call costs that needs no Chrome, and what another session feels of it while clients misbehave.

The companion runs in a process of its own; the floor is a bare aiohttp handler in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import psutil

from pageside.contract import CHANNEL
from pageside.processes.registry import living
from pageside.processes.state import project_state
from support.agents import Era, agent
from support.page import WirePage

ERAS: tuple[tuple[Era, str], ...] = (("legacy", "2025-11-25"), ("auto", "2026-07-28"))
WARM_UP = 30
ATTACK_SECONDS = 60
"""At most: it ends when the calls are done."""
FLOOR = """
from aiohttp import web
async def answer(request):
    return web.json_response({"ok": True})
app = web.Application()
app.router.add_post("/", answer)
web.run_app(app, host="127.0.0.1", port=0, print=lambda text: print(text, flush=True))
"""


async def times_ms(call: Callable[[], Awaitable[Any]], rounds: int) -> list[float]:
    """Times of a call in ms, after a warm-up, the shortest first."""
    times = []
    for round_number in range(WARM_UP + rounds):
        start = time.perf_counter()
        await call()
        if round_number >= WARM_UP:
            times.append((time.perf_counter() - start) * 1000)
    return sorted(times)


@asynccontextmanager
async def process(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python process that is ended at the end."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        yield running
    finally:
        running.terminate()
        await running.wait()


@asynccontextmanager
async def floor() -> AsyncIterator[str]:
    """The URL of a bare aiohttp handler."""
    async with process("-c", FLOOR) as running:
        assert running.stdout is not None
        while True:
            line = (await running.stdout.readline()).decode()
            if "http://" in line:
                yield "http://" + line.split("http://")[1].split()[0]
                return


class Remote:
    """A companion in another process, as `WirePage` wants to know it."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.url = f"http://127.0.0.1:{entry['port']}"
        self.mcp_url = self.url + CHANNEL["mcp"]
        self.pid: int = entry["pid"]
        self.page_token: str = entry["pageToken"]


@asynccontextmanager
async def companion(folder: Path) -> AsyncIterator[Remote]:
    """`pageside serve` for an empty project."""
    project, state = folder / "project", folder / "state"
    project.mkdir()
    arguments = ("--project", str(project), "--state-dir", str(state), "--port", "0")
    async with process("-m", "pageside", "serve", *arguments) as running:
        assert running.stdout is not None
        await running.stdout.readline()
        entry = living(project_state(state, project))
        assert entry is not None
        yield Remote(entry)


async def measure(rounds: int) -> dict[str, Any]:
    """Times in ms of each kind of call, and the sizes that have a budget."""
    with tempfile.TemporaryDirectory() as folder:
        async with floor() as floor_url, companion(Path(folder)) as remote:
            found: dict[str, Any] = {"rounds": rounds, "ms": await _times(remote, floor_url, rounds)}
            async with agent(remote.mcp_url) as client:
                tools = [
                    tool.model_dump(by_alias=True, exclude_none=True, mode="json")
                    for tool in (await client.list_tools()).tools
                ]
            found["list_bytes"] = len(json.dumps(tools, separators=(",", ":")))
            found["attack"] = await _under_attack(remote, rounds)
            found["memory"] = psutil.Process(remote.pid).memory_info().rss
    return found


async def _times(remote: Remote, floor_url: str, rounds: int) -> dict[str, float]:
    """Median ms of each kind of call."""
    results: dict[str, float] = {}

    async def median(name: str, call: Callable[[], Awaitable[Any]]) -> None:
        results[name] = statistics.median(await times_ms(call, rounds))

    async with aiohttp.ClientSession() as session:

        async def post() -> None:
            async with session.post(floor_url, json={"n": 1}) as response:
                await response.read()

        async def health() -> None:
            async with session.get(remote.url + "/health") as response:
                await response.read()

        await median("bare aiohttp handler", post)
        await median("/health through the guard", health)

    async def answer(_args: dict[str, Any]) -> Any:
        return {"value": 2, "type": "number"}

    async with WirePage(remote) as page:
        page.tools["run_script"] = answer
        await median("a note, on disk and acknowledged", lambda: page.note("bench"))
        for era, name in ERAS:
            async with agent(remote.mcp_url, "bench", era) as client:
                asked = partial(client.call_tool, "list_inspections", {"status": ["failed"]})
                await median(f"MCP call, the companion answers, {name}", asked)
                script = partial(client.call_tool, "execute_page_script", {"code": "1 + 1"})
                await median(f"MCP call, page and back, {name}", script)
    return results


async def _under_attack(remote: Remote, rounds: int) -> dict[str, list[float]]:
    """What another session feels while clients open sessions, stall bodies and flood."""
    async with agent(remote.mcp_url, "victim") as client:
        asked = partial(client.call_tool, "list_inspections", {"status": ["failed"]})
        quiet = await times_ms(asked, rounds)
        port = remote.url.rpartition(":")[2]
        async with process("-m", "bench.attack", port, str(ATTACK_SECONDS)) as attacker:
            assert attacker.stdout is not None
            await attacker.stdout.readline()
            return {"alone": quiet, "while others misbehave": await times_ms(asked, rounds)}


def section(found: dict[str, Any]) -> str:
    """The part of docs/benchmarks.md, from its heading on."""
    base = found["ms"]["bare aiohttp handler"]
    times = [f"| {name} | {ms:.2f} | {ms / base:.1f} |" for name, ms in found["ms"].items()]
    felt = [
        f"| {name} | {statistics.median(ms):.2f} | {ms[int(len(ms) * 0.99)]:.2f} |"
        for name, ms in found["attack"].items()
    ]
    lines = [
        "## Calls",
        "",
        f"Calls that need no Chrome, median of {found['rounds']}, after {WARM_UP} that do not count. The default "
        "list of tools has",
        f"{found['list_bytes']:,} bytes, about {found['list_bytes'] // 4:,} tokens.",
        "",
        "| | ms | : bare handler |",
        "| --- | ---: | ---: |",
        *times,
        "",
        "`list_inspections` of one session, alone and while others open 300 sessions, leave 50 bodies half sent, and "
        "flood;",
        f"the companion has {found['memory'] / 2**20:.0f} MiB afterwards:",
        "",
        "| | median, ms | 99th percentile |",
        "| --- | ---: | ---: |",
        *felt,
    ]
    return "\n".join(lines) + "\n"
