"""What agents do in pages: the last calls of each line of documents, those that run included.

A call belongs to the pages that it reached; one that reached none, to the project as a whole.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pageside.core.followed import Followed
from pageside.core.signals import Signal

KEPT = 200
"""Calls of each line of documents."""
TOLD_AT_ONCE = 50
"""Calls in one message to a page: of more, the newest."""
PUSH_SECONDS = 0.1
MAX_LINES = 128
JUST_NOW_SECONDS = 1.0

Push = Callable[[dict[str, list[dict[str, Any]]]], None]
"""Gets what is news, by page."""


def _nothing() -> None:
    """A call that has ended has nothing to stop."""


@dataclass(slots=True, eq=False)
class Call:
    """One call of a tool; `at` in ms since 1970. `outcome` is empty while it runs, then `ok`, or why it failed."""

    id: int
    tool: str
    group: str
    agent: str
    at: float
    about: str = ""
    tab: str = ""
    """The title of the tab that it is about, where it named one of any browser."""
    outcome: str = ""
    took_ms: int = 0
    lines: list[Line] = field(default_factory=list, repr=False)
    page: str | None = None
    """The page that it reached first."""
    is_let_in: bool = False
    """The user's brakes let it pass: what it does in a page, it does from now on."""
    stop: Callable[[], None] = field(default=_nothing, repr=False)
    """Ends it, as the user wants."""
    ended: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """As pages see it."""
        told: dict[str, Any] = {
            "id": self.id,
            "tool": self.tool,
            "group": self.group,
            "agent": self.agent,
            "at": round(self.at),
            "about": " · ".join(filter(None, (self.about, self.tab))),
        }
        return {**told, "outcome": self.outcome, "tookMs": self.took_ms} if self.outcome else told


@dataclass(slots=True, eq=False)
class Line:
    """The calls that reached one line of documents."""

    calls: deque[Call] = field(default_factory=lambda: deque(maxlen=KEPT))
    running: dict[int, Call] = field(default_factory=dict)


class Activity:
    """`push` is called at most ten times a second, on the loop."""

    def __init__(self, push: Push | None = None) -> None:
        self.push = push
        self._lines = Followed(Line, MAX_LINES)
        self._project = Line()
        self.begun = 0
        """How many calls there were; the id of the last one."""
        self._news: dict[int, Call] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.changes: Signal[()] = Signal()
        """Calls that begin or end."""

    def begin(self, tool: str, group: str, agent: str, about: str) -> Call:
        """A call begins; nobody is told before it reaches a page or ends."""
        self.begun += 1
        self.changes.tell()
        return Call(self.begun, tool, group, agent, time.time() * 1000, about)

    def reached(self, call: Call, page: str) -> None:
        """From now on it is a call of that page, too."""
        line = self._lines.of(page)
        call.page = call.page or page
        if line not in call.lines:
            call.lines.append(line)
            line.calls.append(call)
            line.running[call.id] = call
            self._tell(call)

    def end(self, call: Call, outcome: str, took_ms: int, *, silent: bool = False) -> None:
        """It ended; `silent`: it is of no interest unless it reached a page."""
        call.outcome, call.took_ms, call.stop = outcome, took_ms, _nothing
        call.ended = time.monotonic()
        self.changes.tell()
        for line in call.lines:
            line.running.pop(call.id, None)
        if call.lines:
            self._tell(call)
        elif not silent:
            self._project.calls.append(call)
            self._tell(call)

    def running(self, page: str | None) -> list[Call]:
        """Those that run in that page now; without a page, in any."""
        lines: Iterable[Line | None] = self._lines if page is None else [self._lines.get(page)]
        return list({call.id: call for line in lines if line for call in line.running.values()}.values())

    def presses_in(self, page: str) -> Call | None:
        """A call that may press buttons in that page, as the user does, now or until a second ago."""
        line = self._lines.get(page)
        since = time.monotonic() - JUST_NOW_SECONDS
        calls = line.calls if line is not None else ()
        recent = [call for call in calls if call.group == "input" and call.is_let_in]
        return next((call for call in reversed(recent) if not call.outcome or call.ended > since), None)

    def entries(self, page: str, most: int = TOLD_AT_ONCE) -> list[dict[str, Any]]:
        """The newest calls of that page and of the project, in the order in which they began."""
        line = self._lines.get(page)
        calls = [*self._project.calls, *(line.calls if line is not None else ())]
        return [call.to_json() for call in sorted(calls, key=lambda call: call.id)[-most:]]

    # News

    def _tell(self, call: Call) -> None:
        self._news[call.id] = call
        if self._timer is None and self.push is not None:
            self._timer = asyncio.get_running_loop().call_later(PUSH_SECONDS, self._flush)

    def _flush(self) -> None:
        self._timer = None
        news, self._news = sorted(self._news.values(), key=lambda call: call.id), {}
        if self.push is not None:
            told = {page: _of(line, news) for page, line in self._lines.items()}
            everywhere = [call.to_json() for call in news if not call.lines]
            self.push({"": everywhere[-TOLD_AT_ONCE:], **told})

    def stop(self) -> None:
        """Nothing is told any more."""
        self.push = None
        if self._timer is not None:
            self._timer.cancel()

    def follow(self, old: str | None, page: str) -> None:
        """`page` came in the place of `old`, which may have been gone for a while."""
        self._lines.follow(old, page)


def _of(line: Line, news: list[Call]) -> list[dict[str, Any]]:
    return [call.to_json() for call in news if not call.lines or line in call.lines][-TOLD_AT_ONCE:]
