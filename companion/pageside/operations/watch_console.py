"""Waits until a tab logs what fits a pattern."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pageside.chrome.console import Entry
from pageside.chrome.session import again
from pageside.chrome.tab import Tab
from pageside.core.marks import Mark
from pageside.core.patterns import Pattern
from pageside.errors import ChromeLost, TabCrashed, TabDisconnected
from pageside.hubs.sessions import Watcher
from pageside.operations.marks import marks_of
from pageside.operations.read_news import CONSOLE, fit
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report
from pageside.processes.regex import Regex


@dataclass(frozen=True, slots=True)
class Watched:
    """What fitted, oldest first, without `left` older ones; how many `others` came; seconds `waited`."""

    entries: Sequence[Entry]
    left: int
    others: int
    waited: float


async def watch_console(
    tab: Tab, watcher: Watcher, pattern: Pattern, seconds: float, report: Report
) -> Watched:
    """What fits and came since this watcher read the console, or looked for this pattern; waits for it if need be.

    Raises why nothing can come any more when the tab goes away, and `InvalidArguments` for a pattern that takes for
    ever.
    """
    begun = asyncio.get_running_loop().time()
    marks, what = marks_of(tab), f"watch {pattern.text}"
    read, looked = marks.get(watcher.key, CONSOLE), marks.get(watcher.key, what)
    async with Regex(pattern.expression or "") as regex:
        look = _Look(tab, pattern, regex, max(read, looked, key=lambda mark: (mark.number, mark.times)))
        await wait_with_progress(look.wait, seconds, report, "Watching the console")
    marks.set(watcher.key, what, look.mark)
    waited = asyncio.get_running_loop().time() - begun
    entries, left = fit(look.found, lambda entry: len(entry.text), newest=True)
    return Watched(entries, left, look.others, waited)


class _Look:
    """`mark`: up to where the console was looked through."""

    def __init__(self, tab: Tab, pattern: Pattern, regex: Regex, mark: Mark) -> None:
        self.mark = mark
        self.found: list[Entry] = []
        self.others = 0
        self._tab, self._pattern, self._regex = tab, pattern, regex

    async def wait(self, seconds: float) -> bool:
        """Whether something fits within that time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while True:
            await self._take()
            if self.found:
                return True
            if self.mark != self._tab.console.end and loop.time() < until:
                # More came while the pattern was tried.
                continue
            self._check()
            try:
                async with asyncio.timeout_at(until):
                    await self._tab.console.news()
            except TimeoutError:
                return False

    async def _take(self) -> None:
        new, end = self._tab.console.since(self.mark), self._tab.console.end
        fits = [self._pattern.is_in(entry.text) for entry in new]
        if self._pattern.expression is not None and not all(fits):
            tried = await self._regex.fits([entry.text for entry in new])
            fits = [one or other for one, other in zip(fits, tried, strict=True)]
        self.found += [entry for entry, fit in zip(new, fits, strict=True) if fit]
        self.others += fits.count(False)
        self.mark = end

    def _check(self) -> None:
        broken = self._tab.session.broken
        if isinstance(broken, ChromeLost | TabCrashed | TabDisconnected):
            raise again(broken)
