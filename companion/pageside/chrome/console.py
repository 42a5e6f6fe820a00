"""What a tab's documents and workers logged and threw, the newest `size` of it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pageside.chrome.logged import limited, message, shown
from pageside.chrome.session import Params, Session
from pageside.chrome.stacks import Frame, Place, frames_in, frames_of, place_of
from pageside.core.marks import Mark
from pageside.errors import InvalidArguments

_LEVELS = {
    "info": "info",
    "warning": "warning",
    "error": "error",
    "assert": "error",
    "debug": "debug",
    "verbose": "debug",
}
_ALIASES = {"warn": "warning", "verbose": "debug"}
MESSAGE_TYPES = (
    *("log", "info", "warning", "error", "debug", "warn", "verbose"),
    *("assert", "clear", "count", "dir", "dirxml", "endGroup", "profile", "profileEnd"),
    *("startGroup", "startGroupCollapsed", "table", "timeEnd", "trace"),
)
"""What `entries` can be asked for: levels, DevTools' words for them, and Chrome's words for calls."""
_FIXED_TEXTS = {"clear": "(the console was cleared)", "endGroup": "(end of group)"}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where messages come from: `kind` page, iframe, worker, service_worker or shared_worker."""

    session: Session
    kind: str
    url: str


@dataclass(slots=True)
class Entry:
    """One message; `at` in ms since 1970, `count` how often it came in a row."""

    id: int
    type: str
    """Chrome's word for the call: log, table, assert, …; of other messages their level."""
    level: str
    """log, info, warning, error or debug."""
    text: str
    source: Place | None
    frames: tuple[Frame, ...]
    """Of the error where there is one, else of the call."""
    at: float
    navigation: int
    """Which document of the tab was there; the present one has the console's `navigation`."""
    origin: Origin
    uncaught: bool = False
    revoked: bool = False
    """An uncaught rejection that was handled after all."""
    count: int = 1
    exception: int | None = None

    def same(self, other: Entry) -> bool:
        """True if it says the same from the same place."""
        return (
            self.text == other.text
            and self.type == other.type
            and self.source == other.source
            and self.navigation == other.navigation
            and self.origin is other.origin
            and self.uncaught == other.uncaught
            and self.frames == other.frames
        )


class Console:
    """Watches sessions; `seen` counts all messages, repeats apart."""

    def __init__(self, size: int) -> None:
        self.navigation = 0
        self.seen = 0
        self._entries: deque[Entry] = deque(maxlen=max(1, size))
        self._cleared = 0
        self._forgotten = 0
        self._news = asyncio.Event()

    # Writing

    def watch(self, session: Session, kind: str, url: str = "") -> None:
        """Take the messages of a session; `url` is the worker's or frame's own."""
        origin = Origin(session, kind, place.url if (place := place_of(url, 0, 0)) else "")
        session.on("Runtime.consoleAPICalled", lambda params: self._called(origin, params))
        session.on("Runtime.exceptionThrown", lambda params: self._thrown(origin, params))
        session.on("Runtime.exceptionRevoked", lambda params: self._revoked(origin, params))
        session.on("Log.entryAdded", lambda params: self._logged(origin, params["entry"]))
        if kind == "page":
            session.on("Page.frameNavigated", self._navigated)
            session.on_refusal(lambda _error: self._tell())

    def _navigated(self, params: Params) -> None:
        if "parentId" not in params["frame"]:
            self.navigation += 1

    def _called(self, origin: Origin, params: Params) -> None:
        kind, arguments = params["type"], params.get("args", [])
        text = message(arguments) or _FIXED_TEXTS.get(kind, "")
        frames = frames_of(params.get("stackTrace"))
        self._add(
            Entry(
                id=0,
                type=kind,
                level=_LEVELS.get(kind, "log"),
                text=f"Assertion failed: {text}" if kind == "assert" else text,
                source=frames[0].place if frames else None,
                frames=_thrown_frames(arguments) or frames,
                at=params["timestamp"],
                navigation=self.navigation,
                origin=origin,
            )
        )

    def _thrown(self, origin: Origin, params: Params) -> None:
        details = params["exceptionDetails"]
        exception = details.get("exception") or {}
        frames = _thrown_frames([exception]) or frames_of(details.get("stackTrace"))
        source = place_of(details.get("url"), details.get("lineNumber"), details.get("columnNumber"))
        self._add(
            Entry(
                id=0,
                type="error",
                level="error",
                text=_exception_text(details, exception),
                source=source or (frames[0].place if frames else None),
                frames=frames,
                at=params["timestamp"],
                navigation=self.navigation,
                origin=origin,
                uncaught=True,
                exception=details.get("exceptionId"),
            )
        )

    def _revoked(self, origin: Origin, params: Params) -> None:
        for entry in reversed(self._entries):
            if entry.exception == params["exceptionId"] and entry.origin.session is origin.session:
                entry.revoked, entry.uncaught, entry.level = True, False, "debug"
                return

    def _logged(self, origin: Origin, entry: Params) -> None:
        if entry["source"] == "worker":
            # The worker's own session tells it too.
            return
        level = _LEVELS.get(entry["level"], "log")
        self._add(
            Entry(
                id=0,
                type=level,
                level=level,
                text=limited(entry["text"]),
                source=place_of(entry.get("url"), entry.get("lineNumber"), None),
                frames=frames_of(entry.get("stackTrace")),
                at=entry["timestamp"],
                navigation=self.navigation,
                origin=origin,
            )
        )

    def _add(self, entry: Entry) -> None:
        last = self._entries[-1] if self._entries else None
        if last is not None and last.same(entry):
            last.count += 1
            last.at, last.exception = entry.at, entry.exception
        else:
            self.seen += 1
            entry.id = self.seen
            self._entries.append(entry)
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    # Reading

    @property
    def dropped(self) -> int:
        """How many messages had to make room for newer ones."""
        return self.seen - len(self._entries) - self._cleared

    def entries(self, types: Collection[str] = (), *, preserved: bool = False) -> list[Entry]:
        """Oldest first; those of the present document, with `preserved` also of earlier ones.

        `types`: of these types or levels only; DevTools' words `warn` and `verbose` are understood.
        """
        wanted = {_ALIASES.get(each, each) for each in map(str.lower, types)}
        return [
            entry
            for entry in (_once(self._entries) if preserved else self._entries)
            if (preserved or entry.navigation == self.navigation)
            and (not wanted or entry.type.lower() in wanted or entry.level in wanted)
        ]

    def entry(self, number: int) -> Entry:
        """The message of that id; raises `InvalidArguments`."""
        first = self._entries[0].id if self._entries else self.seen + 1
        if first <= number <= self.seen:
            return self._entries[number - first]
        why = "was dropped for newer ones" if 0 < number < first else "does not exist"
        raise InvalidArguments(
            f"'msgid': the message {number} {why}.",
            data={"argument": "msgid"},
            fix="Call list_console_messages for the ids there are.",
        )

    @property
    def end(self) -> Mark:
        """After all that was logged so far."""
        return Mark(self.seen, self._entries[-1].count if self._entries else 0)

    def since(self, mark: Mark) -> list[Entry]:
        """What came after it, oldest first and of all documents; of one that came again, only how often since."""
        return [
            replace(entry, count=entry.count - mark.times) if entry.id == mark.number else entry
            for entry in self._entries
            if entry.id > mark.number or (entry.id == mark.number and entry.count > mark.times)
        ]

    def missed(self, mark: Mark) -> int:
        """How many messages after it had to make room for newer ones."""
        first = self._entries[0].id if self._entries else self.seen + 1
        return max(0, first - 1 - max(mark.number, self._forgotten))

    async def news(self) -> None:
        """Return at the next message, also if it repeats the last one; and when the tab refuses calls."""
        await self._news.wait()

    def clear(self) -> None:
        """Forget what was logged; ids go on counting."""
        self._cleared += len(self._entries)
        self._forgotten = self.seen
        self._entries.clear()


def _once(entries: Iterable[Entry]) -> list[Entry]:
    """Without what was told again by documents that came back from the back/forward cache."""
    return list({(entry.at, entry.type, entry.text): entry for entry in entries}.values())


def _thrown_frames(arguments: list[Mapping[str, Any]]) -> tuple[Frame, ...]:
    for argument in arguments:
        if argument.get("subtype") == "error":
            return frames_in(str(argument.get("description", "")))
    return ()


def _exception_text(details: Params, exception: Mapping[str, Any]) -> str:
    said = shown(exception) if exception.get("type", "undefined") != "undefined" else ""
    return limited(f"{details.get('text', 'Uncaught')} {said}".strip())
