"""What Pageside itself has to tell the timeline of inspections: how they go (of calls: `tool_calls`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from pageside.core.inspections import Item
from pageside.core.timeline import Level
from pageside.operations.world import World

MAX_NOTE = 60

_writing_page: ContextVar[str | None] = ContextVar("writing page", default=None)


# Statuses


@contextmanager
def writing(page: str) -> Iterator[None]:
    """What is written to the queue in this block is the doing of that page's user."""
    token = _writing_page.set(page)
    try:
        yield
    finally:
        _writing_page.reset(token)


@dataclass(slots=True)
class _Known:
    """What was told of an inspection, and where it was made as far as that is known."""

    page: str | None
    note: str = ""
    told: str = ""


@dataclass(slots=True)
class _Statuses:
    world: World
    known: dict[str, _Known] = field(default_factory=dict)

    def start(self) -> None:
        for item in self.world.inspections.living():
            self.known[item["id"]] = _Known(None, _note(item), _status(item))
        self.world.inspections.listen(self.changed)

    def changed(self, items: Sequence[Item]) -> None:
        """A listener of the queue: tell what is new in status, progress or message."""
        for item in items:
            inspection, status = item["id"], _status(item)
            known = self.known.get(inspection)
            if known is None:
                page = _writing_page.get()
                known = self.known[inspection] = _Known(self.world.timeline.line(page) if page else None)
            known.note = _note(item) or known.note
            if status != known.told:
                known.told = status
                self._tell(item, known)
            if item["status"] == "deleted":
                del self.known[inspection]

    def _tell(self, item: Item, known: _Known) -> None:
        level: Level = "warning" if item["status"] == "failed" else "info"
        text = f'note "{known.note}": {known.told}'
        self.world.timeline.add("status", text, level=level, page=known.page, inspection=item["id"])


def tell_statuses(world: World) -> None:
    """Tell every change of an inspection's status, progress or message, from now on."""
    _Statuses(world).start()


def forget_told(world: World) -> None:
    """What a watcher was told is forgotten with it."""

    def closed(key: str) -> None:
        told = world.timeline.told
        for each in [each for each in told if each[0] == key]:
            del told[each]

    world.sessions.closed.listen(closed)


def _note(item: Item) -> str:
    line = " ".join(item["description"].split())
    return line if len(line) <= MAX_NOTE else f"{line[: MAX_NOTE - 1]}…"


def _status(item: Item) -> str:
    """`in-progress by Ada's agent, 2 of 3 steps: Almost there`."""
    steps = item.get("progress", {}).get("steps", [])
    done = sum(step["status"] == "completed" for step in steps)
    return "".join(
        (
            item["status"],
            f" by {item['agent']}" if item.get("agent") else "",
            f", {done} of {len(steps)} steps" if steps else "",
            f": {item['message']}" if item.get("message") else "",
        )
    )
