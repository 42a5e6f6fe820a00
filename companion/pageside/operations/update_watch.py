"""One page and its dev server, watched until an edit has had its effect."""

from __future__ import annotations

import asyncio
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
_KINDS = ("update", "navigation", "server", "console")


def cut_of(world: World, watcher: Watcher, since: float | None, now: float) -> Wanted:
    """What is news: by the agent's own word (a cursor, or ms since 1970), else since it was told last."""
    if since is None:
        told = world.timeline.told.get(watcher.key)
        return Wanted(since=now - LOOK_BACK_MS) if told is None else Wanted(after=told)
    if since > LAST_CURSOR:
        return Wanted(since=since)
    return Wanted(after=checked_cursor(world, "since", since))


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

    def __init__(self, world: World, watcher: Watcher, page: Page | None, cut: Wanted) -> None:
        self._world, self._watcher, self._cut = world, watcher, cut
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
        """The document that the line has now; where all of it is gone, the page that the agent would get."""
        pages, line = self._world.pages.all(), self._world.timeline.line
        for page in pages:
            if self.page is not None and line(page.id) == line(self.page):
                self.page = page.id
                return page
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
def watching(world: World, watcher: Watcher, page: Page | None, cut: Wanted) -> Iterator[UpdateWatch]:
    """Listen as long as the block runs."""
    watch = UpdateWatch(world, watcher, page, cut)
    stop = world.timeline.listen(watch.heard)
    try:
        yield watch
    finally:
        stop()


def tell(world: World, watcher: Watcher) -> int:
    """The agent has been told all until now: the cursor of that."""
    if not watcher.shared:
        # Where agents of one name cannot be told apart, what one was told is not known to the other.
        world.timeline.told[watcher.key] = world.timeline.seq
    return world.timeline.seq


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
