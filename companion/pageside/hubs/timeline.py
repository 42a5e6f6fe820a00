"""One timeline for each line of documents (a page and its successors), and one for the project as a whole.

Everything that happens is told here once, and read from here: by `get_timeline`, and by the verdict on an update.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pageside.contract import LIMITS
from pageside.core.redaction import redact, redact_text
from pageside.core.ring import Ring
from pageside.core.signals import Signal
from pageside.core.timeline import KINDS, Entry, Kind, Level, Wanted, in_order

ROOM: dict[str, tuple[int, int]] = {
    "console": (400, 192 * 1024),
    "request": (200, 96 * 1024),
    "update": (300, 192 * 1024),
}
"""Entries and bytes that a line keeps of what can come in floods, so that these push out none but their own."""
OTHER_ROOM = (400, 96 * 1024)
"""For all other kinds together."""
MAX_LINES = LIMITS["pages"] + 16
MAX_GONE = 8
"""Lines whose page is gone that are kept."""
MAX_DOCUMENTS = 8
"""Documents of a line that are still known to be of it."""
MAX_TEXT = 4000
MAX_DATA = 64 * 1024


@dataclass(slots=True)
class _Line:
    """`documents`: the newest last."""

    rings: dict[str, Ring[Entry]] = field(default_factory=dict)
    documents: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_DOCUMENTS))
    gone: bool = False

    def add(self, entry: Entry) -> None:
        room = entry.kind if entry.kind in ROOM else ""
        ring = self.rings.get(room)
        if ring is None:
            ring = self.rings[room] = Ring(*ROOM.get(room, OTHER_ROOM))
        ring.add(entry, len(repr(entry)))

    def __iter__(self) -> Iterator[Entry]:
        for ring in self.rings.values():
            yield from ring


class Timeline:
    """A document that takes another's place goes on with its line."""

    def __init__(self, now: Callable[[], float] = lambda: time.time() * 1000) -> None:
        self._now = now
        self._lines: OrderedDict[str | None, _Line] = OrderedDict()
        self._of: dict[str, str] = {}
        self._entries: Signal[Entry] = Signal()
        self._news = asyncio.Event()
        self.seq = 0
        """Of the newest entry; 0 before the first."""
        self.told: dict[tuple[str, str | None], int] = {}
        """Up to which entry a watcher was told what became of its edits: on the page that it named, or on its own."""

    def listen(self, listener: Callable[[Entry], None]) -> Callable[[], None]:
        """Call `listener(entry)` for every entry from now on, until what this returns is called."""
        return self._entries.listen(listener)

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
            data=_bounded(redact(dict(data or {}))),
        )
        self._line(entry.page).add(entry)
        self._entries.tell(entry)
        news, self._news = self._news, asyncio.Event()
        news.set()
        return entry

    def line(self, page: str) -> str:
        """The line of documents that the page belongs to: the id of its first document."""
        return self._of.get(page, page)

    def knows(self, page: str) -> bool:
        """True as long as there is a timeline of that page, gone or not."""
        return self.line(page) in self._lines

    def lines(self) -> list[str]:
        """Those of pages that are there."""
        return [name for name, line in self._lines.items() if name is not None and not line.gone]

    def documents(self, line: str) -> list[str]:
        """The ids of the line's newest documents, the present one last."""
        found = self._lines.get(line)
        return list(found.documents) if found is not None else []

    def read(self, page: str | None, wanted: Wanted | None = None) -> list[Entry]:
        """What happened to that page and to the project, in the order of time; without a page, to all pages."""
        names = [self.line(page), None] if page is not None else list(self._lines)
        lines = [self._lines[name] for name in names if name in self._lines]
        asked = wanted or Wanted()
        return in_order(entry for line in lines for entry in line if asked.takes(entry))

    def dropped(self, page: str | None, wanted: Wanted | None = None) -> int:
        """How many entries of that page (without one: of all) and of the project had to make room for newer ones.

        Counts only those of the kinds that are wanted.
        """
        names = [self.line(page), None] if page is not None else list(self._lines)
        kinds = (wanted.kinds if wanted is not None else ()) or KINDS
        rooms = {kind if kind in ROOM else "" for kind in kinds}
        lines = [self._lines[name] for name in names if name in self._lines]
        return sum(ring.first for line in lines for room, ring in line.rings.items() if room in rooms)

    async def later(self, after: int) -> None:
        """Return when there is an entry with a greater `seq` than `after`."""
        while self.seq <= after:
            await self._news.wait()

    def _line(self, name: str | None) -> _Line:
        found = self._lines.get(name)
        if found is None:
            found = self._lines[name] = _Line()
            self._make_room()
        self._lines.move_to_end(name)
        return found

    def _make_room(self) -> None:
        pages = [name for name in self._lines if name is not None]
        gone = [name for name in pages if self._lines[name].gone]
        too_many = len(pages) - MAX_LINES
        for name in gone[: max(too_many, len(gone) - MAX_GONE, 0)] or pages[: max(too_many, 0)]:
            for document in self._lines.pop(name).documents:
                self._of.pop(document, None)

    # What becomes of pages

    def page_connected(self, page: str, predecessor: str | None) -> None:
        name = self.line(predecessor if predecessor is not None else page)
        line = self._line(name)
        line.gone = False
        for document in filter(None, (predecessor, page)):
            self._join(line, name, document)

    def _join(self, line: _Line, name: str, document: str) -> None:
        if document in line.documents:
            return
        if len(line.documents) == MAX_DOCUMENTS:
            self._of.pop(line.documents[0], None)
        line.documents.append(document)
        self._of[document] = name

    def page_gone(self, page: str) -> None:
        line = self._lines.get(self.line(page))
        if line is not None:
            # What happened to it stays readable, as long as there is room.
            line.gone = True
            self._make_room()


def _bounded(data: dict[str, Any]) -> dict[str, Any]:
    """`data`, without its lists and long texts if it is too large."""
    if len(repr(data)) <= MAX_DATA:
        return data
    short = {key: value[:MAX_TEXT] if isinstance(value, str) else value for key, value in data.items()}
    return {key: value for key, value in short.items() if len(repr(value)) <= 2 * MAX_TEXT}
