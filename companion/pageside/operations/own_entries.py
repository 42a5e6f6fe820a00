"""What Pageside itself has to tell the timeline: what agents called, and how inspections go."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from pageside.core.inspections import Item
from pageside.core.timeline import Level
from pageside.errors import PagesideError
from pageside.hubs.page import find
from pageside.hubs.sessions import Watcher
from pageside.operations.inspections import current
from pageside.operations.world import World

SILENT = ("get_timeline",)
"""Who reads the timeline should not find only that in it."""
MAX_NOTE = 60

_writing_page: ContextVar[str | None] = ContextVar("writing page", default=None)


# Calls


@contextmanager
def told_call(
    world: World, watcher: Watcher, tool: str, args: Mapping[str, Any], asking: type[Exception]
) -> Iterator[None]:
    """Tell when the block is left: which agent called what, and how long it took or how it failed.

    `asking` is what ends a call that asks the user first, and comes again with the answer.
    """
    loop = asyncio.get_running_loop()
    start, before = loop.time(), current(world, watcher)
    outcome, level = "", "info"
    try:
        yield
    except PagesideError as error:
        outcome, level = error.error_code, "warning"
        raise
    except asyncio.CancelledError:
        outcome = "cancelled"
        raise
    except asking:
        outcome = "asks the user"
        raise
    except Exception:
        outcome, level = PagesideError.code, "warning"
        raise
    finally:
        if tool not in SILENT:
            took = outcome or f"{round((loop.time() - start) * 1000)} ms"
            _tell_call(world, watcher, f"{tool} by {watcher.name}: {took}", level, args, before)


def _tell_call(
    world: World, watcher: Watcher, text: str, level: str, args: Mapping[str, Any], before: str | None
) -> None:
    # An agent that claims or ends an inspection works on it during that call too.
    inspection = current(world, watcher) or before
    graver: Level = "warning" if level == "warning" else "info"
    world.timeline.add("call", text, level=graver, page=_page(world, watcher, args), inspection=inspection)


def _page(world: World, watcher: Watcher, args: Mapping[str, Any]) -> str | None:
    """The page that was named, if it is one, else the one that the agent is bound to."""
    wanted = args.get("page")
    named = find(world.pages.all(), wanted) if isinstance(wanted, str) and wanted else []
    return named[0].id if len(named) == 1 else world.sessions.bound_page(watcher.key)


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

    world.sessions.on_close(closed)


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
