"""Wait, then tell what the console got meanwhile, and what became of a hot update that was under way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pageside.chrome.tab import Tab
from pageside.core.timeline import Wanted
from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.choose_tab import choose_tab
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report, World

MAX_LINES = 100
LINE_CHARS = 500


@dataclass(frozen=True, slots=True)
class Checked:
    """How long it took in seconds, and the newest lines of the console since it began; `more` are left out."""

    waited: float
    lines: Sequence[str]
    more: int


async def wait_and_check(world: World, watcher: Watcher, seconds: float, report: Report) -> Checked:
    """Wait `seconds` at least. Raises what finding a tab raises, before it waits."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    read = await _console(world, watcher)
    await wait_with_progress(_asleep, seconds, report, "Waiting as asked")
    lines = read()
    return Checked(loop.time() - start, lines[-MAX_LINES:], max(0, len(lines) - MAX_LINES))


async def _asleep(seconds: float) -> bool:
    await asyncio.sleep(seconds)
    return False


async def _console(world: World, watcher: Watcher) -> Callable[[], list[str]]:
    """What reads the lines that are new from now on: Chrome's, or those that a page reports where no Chrome is."""
    if world.chromes.of(watcher).endpoint is None and world.pages.all():
        page = await choose_page(world, watcher, None)
        return _reported(world, page.id)
    return _logged(await choose_tab(world, watcher))


def _reported(world: World, page: str) -> Callable[[], list[str]]:
    wanted = Wanted(after=world.timeline.seq, kinds=("console",))

    def read() -> list[str]:
        return [_line(entry.level, entry.text) for entry in world.timeline.read(page, wanted)]

    return read


def _logged(tab: Tab) -> Callable[[], list[str]]:
    last = tab.console.entries(preserved=True)[-1:]
    seen, count = tab.console.seen, last[0].count if last else 0

    def read() -> list[str]:
        return [
            _line(entry.type, entry.text, entry.count - (count if entry.id == seen else 0))
            for entry in tab.console.entries(preserved=True)
            if entry.id > seen or (entry.id == seen and entry.count > count)
        ]

    return read


def _line(kind: str, text: str, times: int = 1) -> str:
    short = text if len(text) <= LINE_CHARS else f"{text[:LINE_CHARS]}…"
    return f"{kind}{f' x{times}' if times > 1 else ''}: {short}"
