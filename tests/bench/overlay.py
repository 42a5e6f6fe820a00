"""`python -m bench overlay`: what the overlay costs a page that has it, in the main thread's ms.

A page of 15,000 elements from a dev server with the plugin, beside the same from one without, in turns. What is ours
is told by a trace: tasks of the page's main thread, and in them what runs from our files.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from bench.trace import CATEGORIES, Trace
from support import chromium
from support.app import REPOSITORY, DevServer, copy_example, dev_server
from support.overlay import OVERLAY, Overlay

PAGE = "many.html"
FOLDER = REPOSITORY / "tests" / "browser" / "pages"
FRAME_MS = 1000 / 60
IDLE_SECONDS = 10
MOVES = 240
MOVE_SECONDS = 1 / 60
SETTLE_SECONDS = 2
"""After a load: what comes later is no part of it."""
BARE = "export default {}\n"
WITH, WITHOUT = "with Pageside", "without"
VARIANTS = (WITH, WITHOUT)
# Before any other script, for while picking the page's own frames may stand still.
FRAMES = """(() => {
  const frame = requestAnimationFrame.bind(window);
  const next = (now) => {
    window.__frames?.push(now);
    frame(next);
  };
  window.__count = () => {
    if (!window.__frames) frame(next);
    window.__frames = [];
  };
})()"""


async def measure(rounds: int) -> dict[str, Any]:
    """All of it."""
    found: dict[str, Any] = {"rounds": rounds, "bytes": await asyncio.to_thread(_bytes)}
    async with async_playwright() as playwright, _server(BARE) as bare, _server("") as ours:
        browser = await playwright.chromium.launch(
            executable_path=chromium.find(), args=[*chromium.flags(), "--headless=new"]
        )
        await ours.companion()
        servers = {WITH: ours, WITHOUT: bare}
        found["load"] = await _loads(browser, servers, rounds)
        found["idle"] = {name: await _idle(browser, servers[name]) for name in VARIANTS}
        found["hover"] = await _hovers(browser, servers)
        await browser.close()
    return found


def _bytes() -> dict[str, int]:
    folder = REPOSITORY / "inspector_client" / "dist"
    names = ("client.js", "worker.js", "workbench.js", "details.js")
    return {name: len(gzip.compress((folder / name).read_bytes(), 9)) for name in names}


@asynccontextmanager
async def _server(config: str) -> AsyncIterator[DevServer]:
    """The page from a dev server, with the plugin as the example has it, or with a `config` of its own."""
    project = copy_example("vite-react")
    shutil.copy(FOLDER / PAGE, project)
    if config:
        (project / "vite.config.ts").write_text(config, "utf-8")
    try:
        async with dev_server(project) as server:
            yield server
    finally:
        await asyncio.to_thread(shutil.rmtree, project, ignore_errors=True)


@asynccontextmanager
async def _page(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    await context.add_init_script(FRAMES)
    yield await context.new_page()
    await context.close()


@asynccontextmanager
async def _opened(browser: Browser, server: DevServer, name: str) -> AsyncIterator[Page]:
    """The page, loaded, and connected if it has what connects."""
    async with _page(browser) as page:
        await page.goto(server.url + PAGE)
        if name == WITH:
            await Overlay(page).connected()
        await asyncio.sleep(SETTLE_SECONDS)
        yield page


async def _loads(browser: Browser, servers: dict[str, DevServer], rounds: int) -> dict[str, Any]:
    found: dict[str, Any] = {name: {"task_ms": [], "ours_ms": []} for name in VARIANTS}
    for number in range(-1, rounds):
        for name in VARIANTS if number % 2 else VARIANTS[::-1]:
            _progress(f"  load {number + 1} of {rounds}: {name}")
            async with _page(browser) as page:
                await browser.start_tracing(page=page, categories=CATEGORIES)
                await page.goto(servers[name].url + PAGE)
                if name == WITH:
                    await page.locator(OVERLAY).wait_for(state="attached")
                await asyncio.sleep(SETTLE_SECONDS)
                trace = Trace(await browser.stop_tracing())
            if number >= 0:
                found[name]["task_ms"].append(sum(trace.tasks))
                found[name]["ours_ms"].append(sum(trace.ours))
    return found


async def _idle(browser: Browser, server: DevServer) -> dict[str, float]:
    _progress("  idle")
    async with _opened(browser, server, "") as page:
        await asyncio.sleep(SETTLE_SECONDS)
        await browser.start_tracing(page=page, categories=CATEGORIES)
        await asyncio.sleep(IDLE_SECONDS)
        trace = Trace(await browser.stop_tracing())
    return {"task_ms": sum(trace.tasks), "ours_ms": sum(trace.ours), "runs": len(trace.ours)}


async def _hovers(browser: Browser, servers: dict[str, DevServer]) -> dict[str, Any]:
    found = {}
    for name in VARIANTS:
        async with _opened(browser, servers[name], name) as page:
            found[name] = await _hover(browser, page)
            if name == WITHOUT:
                continue
            await page.keyboard.press("Alt+i")
            await Overlay(page).crosshair()
            # With what comes with the first pick.
            await _move(page, 60)
            await asyncio.sleep(SETTLE_SECONDS)
            found["picking"] = await _hover(browser, page)
    return found


async def _hover(browser: Browser, page: Page) -> dict[str, float]:
    _progress("  hover")
    await page.evaluate("__count()")
    await _move(page, MOVES)
    frames: list[float] = await page.evaluate("__frames")
    await browser.start_tracing(page=page, categories=CATEGORIES)
    await _move(page, MOVES)
    trace = Trace(await browser.stop_tracing())
    gaps = sorted(after - before for before, after in itertools.pairwise(frames))
    tasks, ours = sorted(trace.tasks), sorted(trace.ours)
    return {
        "frame_p50": _percentile(gaps, 0.5),
        "frame_p95": _percentile(gaps, 0.95),
        "task_ms_a_move": sum(tasks) / MOVES,
        "ours_ms_a_move": sum(ours) / MOVES,
        "paint_ms_a_move": trace.painting / MOVES,
        "longest_ms": tasks[-1],
        "long": sum(task > FRAME_MS for task in tasks),
        "ours_p95": _percentile(ours, 0.95),
        "ours_longest": ours[-1] if ours else 0.0,
    }


async def _move(page: Page, moves: int) -> None:
    """A real mouse, once a frame, on its way over cells of other rows each time."""
    for number in range(moves):
        await page.mouse.move(20 + (number * 37) % 1100, 40 + (number * 11) % 700)
        await asyncio.sleep(MOVE_SECONDS)


def _percentile(values: Sequence[float], share: float) -> float:
    return values[max(0, round(len(values) * share) - 1)] if values else 0.0


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
