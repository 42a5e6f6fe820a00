"""One page and its dev server, watched until an edit has had its effect."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from pageside.core.timeline import Entry, Wanted
from pageside.core.update_story import Known, bears_on_updates
from pageside.core.verdict import Verdict, judge
from pageside.errors import InvalidArguments
from pageside.hubs.page import Page
from pageside.hubs.sessions import Watcher
from pageside.operations.choose_page import choose_page
from pageside.operations.world import World

SETTLE_SECONDS = 0.25
"""Without news for so long, an answer is one: what was saved a moment ago may still be on its way."""
LOOK_BACK_MS = 30_000.0
"""How old an edit may be for an agent that asks for the first time."""
LAST_CURSOR = 10**11
"""Greater numbers are times."""
_KINDS = ("update", "navigation", "server")


def cut_of(world: World, watcher: Watcher, since: float | None, named: Page | None = None) -> Wanted:
    """What is news: by the agent's own word (a cursor, or ms since 1970), else since it was told of that page last."""
    if since is None:
        told = world.timeline.told.get(_key(world, watcher, named))
        return Wanted(since=time.time() * 1000 - LOOK_BACK_MS) if told is None else Wanted(after=told)
    if since > LAST_CURSOR:
        return Wanted(since=since)
    return Wanted(after=checked_cursor(world, "since", since))


def tell(world: World, watcher: Watcher, named: Page | None = None) -> int:
    """The agent has been told all until now: the cursor of that."""
    if not watcher.shared:
        # Where agents of one name cannot be told apart, what one was told is not known to the other.
        world.timeline.told[_key(world, watcher, named)] = world.timeline.seq
    return world.timeline.seq


def _key(world: World, watcher: Watcher, named: Page | None) -> tuple[str, str | None]:
    return watcher.key, world.timeline.line(named.id) if named is not None else None


def checked_cursor(world: World, argument: str, cursor: float) -> int:
    """A cursor of this companion's; raises `InvalidArguments` for that of an earlier one."""
    if cursor > world.timeline.seq or cursor != int(cursor):
        raise InvalidArguments(
            f"'{argument}': {cursor:g} is no cursor of this companion, which may have been started anew since.",
            data={"argument": argument},
            fix=f"Leave '{argument}' out.",
        )
    return int(cursor)


async def page_to_watch(world: World, watcher: Watcher, wanted: str | None) -> Page | None:
    """The page that is meant, None where none is connected; raises what choosing a page by name does."""
    if wanted is None and not world.pages.all():
        return None
    return await choose_page(world, watcher, wanted)


class UpdateWatch:
    """What happens from now on, and the verdict on it so far; made by `watching`."""

    def __init__(
        self, world: World, watcher: Watcher, page: Page | None, cut: Wanted, *, is_named: bool
    ) -> None:
        self._world, self._watcher, self._cut, self._is_named = world, watcher, cut, is_named
        self.page = page.id if page is not None else None
        self._loop = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self._news = asyncio.Event()

    def heard(self, entry: Entry) -> None:
        """A listener of the timeline."""
        line = self._world.timeline.line(self.page) if self.page is not None else None
        if (line is None or entry.page in (None, line)) and bears_on_updates(entry):
            self._heard_at = self._loop.time()
            self._news.set()

    def verdict(self) -> Verdict:
        """As it is now."""
        page = self._present()
        known = Known(
            page=self.page is not None,
            present=page is not None,
            visible=page is None or page.visible,
            url=page.url if page is not None else "",
            servers=self._servers(page),
            is_served=len(self._world.leases) > 0,
        )
        timeline = self._world.timeline
        entries = timeline.read(self.page, Wanted(kinds=_KINDS))
        own = entries if self.page is not None else [entry for entry in entries if entry.page is None]
        return judge(own, known, self._cut)

    def _present(self) -> Page | None:
        """The document that the line has now; if all of it is gone and was not named, the page that comes next."""
        pages, line = self._world.pages.all(), self._world.timeline.line
        for page in pages:
            if self.page is not None and line(page.id) == line(self.page):
                self.page = page.id
                return page
        if self._is_named:
            return None
        bound = self._world.sessions.bound_page(self._watcher.key)
        following = next((page for page in pages if page.id == bound), pages[0] if pages else None)
        if following is not None:
            self.page = following.id
        return following

    def _servers(self, page: Page | None) -> frozenset[str] | None:
        """The dev servers of the page's origin; None where it is not known which."""
        origin = _origin(page.url) if page is not None else ""
        leases = self._world.leases.all()
        return frozenset(e.id for e in leases if origin in map(_origin, e.urls)) or None

    async def settled(self, seconds: float) -> bool:
        """True when the verdict is one, and nothing has come for a moment; False after `seconds`."""
        end = self._loop.time() + seconds
        while True:
            self._news.clear()
            is_open = self.verdict().open
            quiet_at = self._heard_at + SETTLE_SECONDS
            now = self._loop.time()
            if not is_open and now >= quiet_at:
                return True
            if now >= end:
                return False
            with suppress(TimeoutError):
                async with asyncio.timeout_at(end if is_open else min(end, quiet_at)):
                    await self._news.wait()


@contextmanager
def watching(
    world: World, watcher: Watcher, page: Page | None, cut: Wanted, *, is_named: bool = False
) -> Iterator[UpdateWatch]:
    """Listen as long as the block runs; `is_named`: to no other page than that one."""
    watch = UpdateWatch(world, watcher, page, cut, is_named=is_named)
    stop = world.timeline.listen(watch.heard)
    try:
        yield watch
    finally:
        stop()


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
