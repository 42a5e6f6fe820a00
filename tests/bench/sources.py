"""`python -m bench sources`: what it costs that elements know their places, and how many do.

The projects are generated. One round starts each variant's server anew, without Vite's cache, loads the page and
edits a component a few times; variants take turns within a round. The cost is CPU time of the server's process until
the page shows its last component: on a shared machine wall time says more about the neighbours.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from bench.effort import Effort
from bench.inspectors import ATTRIBUTE, NONE, OTHER, OURS, Inspector, configure, inspectors
from bench.projects import HEADING, KINDS, Kind, last, write
from browser.test_sources import REACT_19
from browser.test_sources_preact import PREACT
from browser.test_sources_solid import SOLID
from browser.test_sources_svelte import SPOTS as SVELTE
from browser.test_sources_svelte import with_library as with_svelte_library
from browser.test_sources_vue import SPOTS as VUE
from browser.test_sources_vue import with_library as with_vue_library
from support import chromium
from support.agents import agent
from support.app import DevServer, copy_example, dev_server, edit, place
from support.overlay import Overlay
from support.sources import Spot, seen

EDITS = 3
SHOWS_MS = 120_000
SPOTS = {"React": REACT_19, "Vue": VUE, "Solid": SOLID, "Preact": PREACT, "Svelte": SVELTE}
LIBRARIES = {"Vue": with_vue_library, "Svelte": with_svelte_library}
"""What the tests add to the example, since some of their elements are in it."""


@dataclass
class Cost:
    """What one variant took, a value per round or edit."""

    cpu_s: list[float] = field(default_factory=list)
    hmr_ms: list[float] = field(default_factory=list)
    dom_bytes: int = 0
    failed: str = ""
    """What went wrong the last time; a round may have only part of its numbers then."""

    def json(self) -> dict[str, Any]:
        return asdict(self)


async def measure(effort: Effort, missing: Mapping[str, str], only: str = "") -> dict[str, Any]:
    """All of it, of frameworks whose name has `only` in it."""
    compared = inspectors(other=OTHER not in missing)
    results: dict[str, Any] = {"missing": dict(missing), "cost": {}, "hits": {}}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium.find(), args=[*chromium.flags(), "--headless=new"]
        )
        for kind in KINDS:
            if only.lower() in kind.name.lower():
                some = replace(kind, count=max(1, round(kind.count * effort.share)))
                results["cost"][kind.name] = await _cost(browser, some, compared, effort.builds)
                results["hits"][kind.name] = await _hits(browser, kind, compared)
        await browser.close()
    return results


async def _cost(browser: Browser, kind: Kind, compared: Sequence[Inspector], rounds: int) -> dict[str, Any]:
    project = await asyncio.to_thread(write, kind)
    costs = {each.name: Cost() for each in compared}
    try:
        for number in range(rounds):
            turn = number % len(compared)
            for inspector in (*compared[turn:], *compared[:turn]):
                _progress(f"  {kind.name}, round {number + 1} of {rounds}: {inspector.name}")
                await _tried(browser, kind, project, inspector, costs[inspector.name])
    finally:
        await asyncio.to_thread(shutil.rmtree, project, ignore_errors=True)
    return {"components": kind.count, "rows": {name: cost.json() for name, cost in costs.items()}}


async def _tried(browser: Browser, kind: Kind, project: Path, inspector: Inspector, cost: Cost) -> None:
    """A round; one that fails, in whatever way, is told as that."""
    context = await browser.new_context()
    try:
        await _round(context, kind, project, inspector, cost)
    except Exception as error:
        cost.failed = _why(error)
    finally:
        await context.close()


def _why(error: Exception) -> str:
    """For the table."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    _progress(f"  failed: {error!r}")
    return " ".join(f"{type(error).__name__}: {error}".split())[:160]


BETWEEN_EDITS_MS = 400
"""Vite's watcher takes saves that follow faster for one, and pages then miss the second."""
CONNECTED = "[vite] connected"
"""An edit before this reaches no page."""


async def _round(
    context: BrowserContext, kind: Kind, project: Path, inspector: Inspector, cost: Cost
) -> None:
    """From nothing to the last component on the page, then some edits of the first."""
    await asyncio.to_thread(shutil.rmtree, project / "node_modules" / ".vite", ignore_errors=True)
    async with _serving(project, kind, inspector) as server:
        page = await context.new_page()
        async with page.expect_console_message(lambda said: CONNECTED in said.text, timeout=SHOWS_MS):
            await page.goto(server.url, timeout=SHOWS_MS)
        await page.locator(last(kind)).wait_for(timeout=SHOWS_MS)
        spent = psutil.Process(server.pid).cpu_times()
        cost.cpu_s.append(spent.user + spent.system)
        cost.dom_bytes = await page.evaluate("document.querySelector('#root').innerHTML.length")
        cost.hmr_ms += await _edits(page, project / "src" / "parts" / f"Part0{kind.extension}")


def _serving(project: Path, kind: Kind, inspector: Inspector) -> AbstractAsyncContextManager[DevServer]:
    name = configure(project, kind.plugin, inspector)
    return dev_server(project, arguments=("--config", name), environment={"FORCE_COLOR": "0"})


async def _edits(page: Page, file: Path) -> list[float]:
    """Times in ms from saving to showing, without the first; the file is as it was afterwards."""
    times, shown = [], HEADING
    for number in range(EDITS + 1):
        after = HEADING if number == EDITS else f"Edit {number}"
        start = time.perf_counter()
        edit(file, shown, after)
        await page.wait_for_function(
            "text => document.querySelector('#part-0 h3')?.textContent === text", arg=after
        )
        times.append((time.perf_counter() - start) * 1000)
        shown = after
        await page.wait_for_timeout(BETWEEN_EDITS_MS)
    return times[1:]


async def _hits(browser: Browser, kind: Kind, compared: Sequence[Inspector]) -> dict[str, Any]:
    """How many of the example's spots each tells exactly: ours as an agent asks, the other by its attribute."""
    found: dict[str, Any] = {"spots": len(SPOTS[kind.name])}
    _progress(f"  {kind.name}: what is told of {found['spots']} elements")
    # Side by side: nothing is timed here.
    those = [inspector for inspector in compared if inspector.name != NONE]
    told = await asyncio.gather(*(_told_or_failed(browser, kind, inspector) for inspector in those))
    return found | {inspector.name: each for inspector, each in zip(those, told, strict=True)}


async def _told_or_failed(browser: Browser, kind: Kind, inspector: Inspector) -> dict[str, Any]:
    """A second time where the first failed: what a busy machine lost is no inspector's fault, and nothing is timed."""
    why = ""
    for _ in range(2):
        try:
            return await _told(browser, kind, inspector)
        except Exception as error:
            why = _why(error)
    return {"exact": 0, "line": 0, "missed": [], "failed": why}


async def _told(browser: Browser, kind: Kind, inspector: Inspector) -> dict[str, Any]:
    """How many exactly, how many to the line, and which not."""
    spots = SPOTS[kind.name]
    project = await asyncio.to_thread(copy_example, kind.example)
    try:
        if kind.name in LIBRARIES:
            await asyncio.to_thread(LIBRARIES[kind.name], project)
        async with _serving(project, kind, inspector) as server:
            context = await browser.new_context(viewport={"width": 1280, "height": 800})
            told = await (_ours if inspector.name == OURS else _theirs)(context, server, spots)
            await context.close()
        right = [(spot.file, *place(project / spot.file, spot.marker)) for spot in spots]
    finally:
        await asyncio.to_thread(shutil.rmtree, project, ignore_errors=True)
    pairs = list(zip(told, right, strict=True))
    return {
        "exact": sum(a == b for a, b in pairs),
        "line": sum(a[:2] == b[:2] for a, b in pairs),
        "missed": [spot.selector for spot, (a, b) in zip(spots, pairs, strict=True) if a != b],
        "failed": "",
    }


async def _ours(
    context: BrowserContext, server: DevServer, spots: Sequence[Spot]
) -> list[tuple[str, int, int]]:
    await Overlay.open(context, server)
    async with agent(await server.mcp_url()) as client:
        sources = [await seen(client, spot.selector) for spot in spots]
    return [(each["file"], each["line"], each["column"]) if each["exact"] else ("", 0, 0) for each in sources]


async def _theirs(
    context: BrowserContext, server: DevServer, spots: Sequence[Spot]
) -> list[tuple[str, int, int]]:
    page = await context.new_page()
    await page.goto(server.url, timeout=SHOWS_MS)
    await page.locator("h1").first.wait_for(timeout=SHOWS_MS)
    script = f"e => e.getAttribute('{ATTRIBUTE}') ?? ''"
    told = [await page.locator(spot.selector).first.evaluate(script) for spot in spots]
    return [_place(each, server.project) for each in told]


def _place(told: str, project: Path) -> tuple[str, int, int]:
    """The file is relative to the project, or to the folder of the repository that it lies in."""
    found = re.match(r"(.+?):(\d+):(\d+):", told)
    if found is None:
        return ("", 0, 0)
    return (found[1].split(f"{project.name}/", 1)[-1], int(found[2]), int(found[3]))


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
