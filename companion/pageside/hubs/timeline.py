"""One timeline for each line of documents (a page and its successors), and one for the project as a whole.

Everything that happens is told here once, and read from here: by `get_timeline`, and by the verdict on an update.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from pageside.core.redaction import redact, redact_text
from pageside.core.ring import Ring
from pageside.core.timeline import Entry, Kind, Level, Wanted, in_order

MAX_ENTRIES = 1000
MAX_BYTES = 512 * 1024
MAX_LINES = 64
"""Lines of documents that are kept, those that are gone included."""
MAX_TEXT = 4000

Listener = Callable[[Entry], None]


class Timeline:
    """A `PageListener`: a document that takes another's place goes on with its line."""

    def __init__(self, now: Callable[[], float] = lambda: time.time() * 1000) -> None:
        self._now = now
        self._rings: OrderedDict[str | None, Ring[Entry]] = OrderedDict()
        self._lines: dict[str, str] = {}
        self._listeners: list[Listener] = []
        self._news = asyncio.Event()
        self.seq = 0
        """Of the newest entry; 0 before the first."""

    def listen(self, listener: Listener) -> None:
        """Call `listener(entry)` for every entry from now on."""
        self._listeners.append(listener)

    def add(
        self,
        kind: Kind,
        text: str,
        *,
        level: Level = "info",
        page: str | None = None,
        inspection: str | None = None,
        data: Mapping[str, Any] | None = None,
        at: float | None = None,
    ) -> Entry:
        """Tell that something happened, now or at `at` (ms since 1970); `page` is a page's id."""
        self.seq += 1
        entry = Entry(
            seq=self.seq,
            at=min(at, self._now()) if at is not None else self._now(),
            kind=kind,
            level=level,
            text=redact_text(text[:MAX_TEXT]),
            page=self.line(page) if page is not None else None,
            inspection=inspection,
            data=redact(dict(data or {})),
        )
        self._ring(entry.page).add(entry, len(repr(entry)))
        for listener in self._listeners:
            listener(entry)
        news, self._news = self._news, asyncio.Event()
        news.set()
        return entry

    def line(self, page: str) -> str:
        """The line of documents that the page belongs to: the id of its first document."""
        return self._lines.get(page, page)

    def read(self, page: str | None, wanted: Wanted | None = None) -> list[Entry]:
        """What happened to that page and to the project, in the order of time; without a page, to all pages."""
        lines = [self.line(page), None] if page is not None else list(self._rings)
        rings = [self._rings[line] for line in lines if line in self._rings]
        asked = wanted or Wanted()
        return in_order(entry for ring in rings for entry in ring if asked.takes(entry))

    def dropped(self, page: str) -> int:
        """How many entries of that page had to make room for newer ones."""
        ring = self._rings.get(self.line(page))
        return ring.first if ring is not None else 0

    async def later(self, after: int) -> None:
        """Return when there is an entry with a greater `seq` than `after`."""
        while self.seq <= after:
            await self._news.wait()

    def _ring(self, line: str | None) -> Ring[Entry]:
        found = self._rings.get(line)
        if found is None:
            found = self._rings[line] = Ring(MAX_ENTRIES, MAX_BYTES)
        self._rings.move_to_end(line)
        if None in self._rings:
            self._rings.move_to_end(None)
        while len(self._rings) > MAX_LINES:
            oldest, _ = self._rings.popitem(last=False)
            for page in [page for page, line in self._lines.items() if line == oldest]:
                del self._lines[page]
        return found

    # PageListener

    def page_connected(self, page: str, predecessor: str | None) -> None:
        if predecessor is not None:
            self._lines[page] = self.line(predecessor)
            self._lines.pop(predecessor, None)

    def page_used(self, page: str) -> None:
        pass

    def page_gone(self, page: str) -> None:
        # What happened to it stays readable; its line is kept as long as there is room.
        pass
