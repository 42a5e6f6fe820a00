"""`make bench`: what a call costs, as ratios within one run. Nothing is asserted: machines differ.

First calls that need no Chrome: the companion runs in a process of its own; the floor is a bare aiohttp handler in a
process of its own. Then the edit loop (`loop.py`), what the overlay costs its page (`overlay.py`), and the Chrome tools
beside raw CDP and the peers (`chrome.py`).
"""

from __future__ import annotations

import argparse
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

from bench import chrome, overlay, sources, sources_table, table
from bench.loop import loop
from pageside.contract import CHANNEL
from pageside.processes.registry import living
from pageside.processes.state import project_state
from support.agents import Era, agent
from support.page import WirePage

ERAS: tuple[tuple[Era, str], ...] = (("legacy", "2025-11-25"), ("auto", "2026-07-28"))
ROUNDS = 300
WARM_UP = 30
FLOOR = """
from aiohttp import web
async def answer(request):
    return web.json_response({"ok": True})
app = web.Application()
app.router.add_post("/", answer)
web.run_app(app, host="127.0.0.1", port=0, print=lambda text: print(text, flush=True))
"""


async def times_ms(call: Callable[[], Awaitable[Any]]) -> list[float]:
    """Times of a call in ms, after a warm-up, the shortest first."""
    times = []
    for round_number in range(WARM_UP + ROUNDS):
        start = time.perf_counter()
        await call()
        if round_number >= WARM_UP:
            times.append((time.perf_counter() - start) * 1000)
    return sorted(times)


async def median_ms(call: Callable[[], Awaitable[Any]]) -> float:
    """Median time of a call in ms, after a warm-up."""
    return statistics.median(await times_ms(call))


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


async def measure(remote: Remote, floor_url: str) -> dict[str, float]:
    """Median ms of each kind of call."""
    results: dict[str, float] = {}
    async with aiohttp.ClientSession() as session:

        async def post() -> None:
            async with session.post(floor_url, json={"n": 1}) as response:
                await response.read()

        async def health() -> None:
            async with session.get(remote.url + "/health") as response:
                await response.read()

        results["bare aiohttp handler"] = await median_ms(post)
        results["/health through the guard"] = await median_ms(health)

    async def answer(_args: dict[str, Any]) -> Any:
        return {"value": 2, "type": "number"}

    async with WirePage(remote) as page:
        page.tools["run_script"] = answer
        results["a note, on disk and acknowledged"] = await median_ms(lambda: page.note("bench"))
        for era, name in ERAS:
            async with agent(remote.mcp_url, "bench", era) as client:
                asked = partial(client.call_tool, "list_inspections", {"status": ["failed"]})
                results[f"MCP call, the companion answers, {name}"] = await median_ms(asked)
                script = partial(client.call_tool, "execute_page_script", {"code": "1 + 1"})
                results[f"MCP call, page and back, {name}"] = await median_ms(script)
    return results


async def under_attack(remote: Remote) -> None:
    """What another session feels while clients open sessions, stall bodies and flood."""
    async with agent(remote.mcp_url, "victim") as client:
        asked = partial(client.call_tool, "list_inspections", {"status": ["failed"]})
        quiet = await times_ms(asked)
        port = remote.url.rpartition(":")[2]
        async with process("-m", "bench.attack", port, "60") as attacker:
            assert attacker.stdout is not None
            await attacker.stdout.readline()
            loud = await times_ms(asked)
    print("\nlist_inspections of one session       median     p99  (ms)")
    for name, times in (("alone", quiet), ("while others misbehave", loud)):
        print(f"{name:<37} {statistics.median(times):>7.2f} {times[int(len(times) * 0.99)]:>7.2f}")


async def calls() -> None:
    """Print one table of times, and the sizes that have a budget."""
    with tempfile.TemporaryDirectory() as folder:
        async with floor() as floor_url, companion(Path(folder)) as remote:
            results = await measure(remote, floor_url)
            base = results["bare aiohttp handler"]
            print(f"{'median of ' + str(ROUNDS) + ' calls':<44}      ms   ratio")
            for name, value in results.items():
                print(f"{name:<44} {value:>7.2f} {value / base:>7.1f}")
            async with agent(remote.mcp_url) as client:
                tools = [
                    tool.model_dump(by_alias=True, exclude_none=True, mode="json")
                    for tool in (await client.list_tools()).tools
                ]
            size = len(json.dumps(tools, separators=(",", ":")))
            print(f"\ntools/list: {size} bytes, about {size // 4} tokens")
            await under_attack(remote)
            print(f"companion's memory: {psutil.Process(remote.pid).memory_info().rss / 2**20:.0f} MiB")


PARTS = ("all", "calls", "loop", "sources", "overlay", "chrome", *chrome.PARTS)


def arguments() -> argparse.Namespace:
    """What to measure, and how often."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Pageside.")
    parser.add_argument("part", nargs="?", choices=PARTS, default="all")
    parser.add_argument("--rounds", type=int, default=15, help="of each Chrome operation")
    parser.add_argument("--tries", type=int, default=5, help="of each situation")
    parser.add_argument("--only", default="", help="operations and situations whose name holds this")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    return parser.parse_args()


async def _sources(asked: argparse.Namespace) -> None:
    found = await sources.measure(asked.tries, asked.only)
    print("\n".join(sources_table.lines(found)))
    if asked.write:
        table.write_part("## Sources", sources_table.section(found))


async def _overlay(asked: argparse.Namespace) -> None:
    found = await overlay.measure(asked.rounds)
    print("\n".join(overlay.lines(found)))
    if asked.write:
        table.write_part("## Overlay", overlay.section(found))


async def main() -> int:
    """Measure what was asked for."""
    asked = arguments()
    if asked.part in ("all", "calls"):
        await calls()
    if asked.part in ("all", "loop"):
        await loop(asked.rounds)
    if asked.part in ("all", "sources"):
        await _sources(asked)
    if asked.part in ("all", "overlay"):
        await _overlay(asked)
    if asked.part not in ("calls", "loop", "sources", "overlay"):
        parts = (asked.part,) if asked.part in chrome.PARTS else chrome.PARTS
        print(table.markdown(await chrome.measure(asked.rounds, asked.tries, asked.only, parts)))
        if asked.write:
            table.main()
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
