"""`python -m bench overlay`: what the overlay costs a page that has it, in the main thread's ms.

A page of 15,000 elements from a dev server with the plugin, beside the same from one without, in turns. What is ours
is told by a trace: tasks of the page's main thread, and in them what runs from our files.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import os
import platform
import shutil
import statistics
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

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
CATEGORIES = ["devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline", "v8"]
OURS = ("/__pageside__/",)
WITH, WITHOUT = "with Pageside", "without"
VARIANTS = (WITH, WITHOUT)
Event = dict[str, Any]
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


class Trace:
    """What the main thread of the page did, in ms."""

    def __init__(self, recorded: bytes) -> None:
        events: list[Event] = json.loads(recorded)["traceEvents"]
        self._thread = _main_thread(events)
        self._events = [each for each in events if (each.get("pid"), each.get("tid")) == self._thread]

    @property
    def tasks(self) -> list[float]:
        """Each task's time."""
        return [each["dur"] / 1000 for each in self._events if each["name"] == "RunTask" and "dur" in each]

    @property
    def painting(self) -> float:
        """Of the whole page: whatever changes its look anywhere has it looked through."""
        paints = (each for each in self._events if each["name"] == "Paint" and "dur" in each)
        return sum((each["dur"] / 1000 for each in paints if _node(each) == "#document"), 0.0)

    @property
    def ours(self) -> list[float]:
        """Times of what runs from our files: a script's evaluation, a callback, a timer's or a frame's."""
        runs = sorted(
            (each["ts"], each["ts"] + each["dur"])
            for each in self._events
            if each.get("ph") == "X" and "dur" in each and _is_ours(each)
        )
        outer: list[tuple[int, int]] = []
        for start, end in runs:
            if not outer or start >= outer[-1][1]:
                outer.append((start, end))
        return [(end - start) / 1000 for start, end in outer]


def _node(event: Event) -> str:
    return str(event.get("args", {}).get("data", {}).get("nodeName"))


def _main_thread(events: Sequence[Event]) -> tuple[int, int]:
    """The renderer main thread that worked most."""
    mains = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"].get("name") == "CrRendererMain"
    }
    work = dict.fromkeys(mains, 0)
    for each in events:
        key = (each.get("pid"), each.get("tid"))
        if key in work:
            work[key] += each.get("dur", 0)
    return max(work, key=lambda key: work[key])


def _is_ours(event: Event) -> bool:
    data = event.get("args", {}).get("data") or {}
    url = str(data.get("url") or event.get("args", {}).get("fileName") or "")
    return any(each in url for each in OURS)


async def measure(rounds: int) -> dict[str, Any]:
    """All of it."""
    found: dict[str, Any] = {"about": _about(), "rounds": rounds, "bytes": await asyncio.to_thread(_bytes)}
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


def _about() -> dict[str, Any]:
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "load": round(os.getloadavg()[0], 1),
    }


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


def section(found: dict[str, Any]) -> str:
    """The part of docs/benchmarks.md, from its heading on."""
    about = found["about"]
    tables = "\n".join(lines(found))
    return f"""## Overlay

What a page pays for having the overlay: `python -m bench overlay --write`, {about["date"]}, {about["machine"]}, load
average before {about["load"]} (a calm machine: below 1). A page of 15,000 elements, from a dev server with the plugin
and from one without; *ours* is what a trace says ran from our files in the page's main thread.

{tables}

Painting the page: Chromium looks through the whole list of what a document paints whenever anything in it looks
different. So the hover box moves by its transform alone, and where painting is slow the tip's words wait until the
pointer rests.
"""


def lines(found: dict[str, Any]) -> list[str]:
    """Its tables."""
    load, idle, hover = found["load"], found["idle"], found["hover"]
    tasks = {name: statistics.median(load[name]["task_ms"]) for name in VARIANTS}
    ours = load[WITH]["ours_ms"]
    size = found["bytes"]
    columns = (WITHOUT, WITH, "picking")
    rows = [
        ("frame, median ms", "frame_p50"),
        ("frame, 95th percentile", "frame_p95"),
        ("main thread a move, ms", "task_ms_a_move"),
        ("of it ours", "ours_ms_a_move"),
        ("of it painting the page", "paint_ms_a_move"),
        ("ours, 95th percentile of a run", "ours_p95"),
        ("ours, longest run", "ours_longest"),
        ("longest task", "longest_ms"),
        ("tasks above 16.7 ms", "long"),
    ]
    return [
        "| | measured | target |",
        "| --- | ---: | ---: |",
        f"| client.js and worker.js, gzip | {size['client.js'] + size['worker.js']:,} bytes | 25,600 |",
        f"| loaded with the first use: workbench.js, details.js | {size['workbench.js']:,}, "
        f"{size['details.js']:,} bytes | – |",
        f"| ours at load, median (lowest) of {found['rounds']} | {statistics.median(ours):.1f} "
        f"({min(ours):.1f}) ms | 10 |",
        f"| main thread at load, with : without | {tasks[WITH]:.0f} : {tasks[WITHOUT]:.0f} ms "
        f"= {tasks[WITH] / tasks[WITHOUT]:.2f} | – |",
        f"| ours while idle for {IDLE_SECONDS} s | {idle[WITH]['ours_ms']:.2f} ms in "
        f"{idle[WITH]['runs']} runs | 0 |",
        f"| main thread while idle, with : without | {idle[WITH]['task_ms']:.1f} : "
        f"{idle[WITHOUT]['task_ms']:.1f} ms | – |",
        "",
        f"Moving the mouse across it, {MOVES} moves, one a frame:",
        "",
        f"| | {' | '.join(columns)} |",
        "| --- | ---: | ---: | ---: |",
        *(f"| {title} | {' | '.join(_cell(hover[name][key]) for name in columns)} |" for title, key in rows),
    ]


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"
