"""What a server wrote: the newest lines, and which of them each reader has seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pageside.core.ready import ready_url
from pageside.core.redaction import redact_console_code
from pageside.core.ring import Ring
from pageside.core.terminal import TerminalLines

STREAMS = ("stdout", "stderr")
MAX_BYTES = 2 * 1024 * 1024
"""Of one server's log, its text and 100 bytes a line."""
MAX_READERS = 256
LAST_CHARS = 400
"""Of each line in a short look at the end."""


class Line(NamedTuple):
    """One line; `at` in ms since 1970."""

    at: float
    stream: str
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What somebody reads: lines in their order, and how many more there would have been."""

    lines: list[Line]
    omitted: int
    """Older new lines that are still kept, but were more than asked for."""
    dropped: int
    """New lines that had to make room before they were read."""
    unfinished: str = ""
    """What stands after the last line's end."""


class ServerLog:
    """Bounded by lines and by bytes. `on_url(url)` is told each address that a line tells."""

    def __init__(
        self,
        max_lines: int,
        on_url: Callable[[str], None],
        now: Callable[[], float] = lambda: time.time() * 1000,
    ) -> None:
        self._ring: Ring[Line] = Ring(max_lines, MAX_BYTES)
        self._on_url, self._now = on_url, now
        self._terminals = {stream: TerminalLines() for stream in STREAMS}
        self._seen: dict[tuple[str, str], int] = {}

    def write(self, stream: str, chunk: bytes) -> None:
        """What arrived on that stream, cut anywhere."""
        self._add(stream, self._terminals[stream].feed(chunk))

    def finish(self) -> None:
        """The streams ended: their last lines need no line's end. More may be written all the same."""
        for stream, terminal in self._terminals.items():
            self._add(stream, terminal.finish())
        self._terminals = {stream: TerminalLines() for stream in STREAMS}

    def note(self, text: str) -> None:
        """A line of Pageside's own."""
        self._add("pageside", [text])

    @property
    def count(self) -> int:
        """How many lines were ever written."""
        return self._ring.seen

    def last(self, lines: int) -> list[str]:
        """The newest lines, whoever has read them; long ones cut."""
        unfinished = [terminal.unfinished for terminal in self._terminals.values() if terminal.unfinished]
        texts = [*[line.text for line in self._ring][-lines:], *unfinished]
        return [text if len(text) <= LAST_CHARS else f"{text[:LAST_CHARS]}…" for text in texts]

    def read(self, reader: str, *, stream: str | None, limit: int, max_chars: int, clear: bool) -> Reading:
        """The newest lines that this reader has not cleared; `clear` ends with them, also with those omitted."""
        wanted = {stream: self._cursor(reader, stream)} if stream else self._cursors(reader)
        fresh, dropped = self._since(wanted)
        shown = _newest(fresh, limit, max_chars)
        if clear:
            self._clear(reader, stream)
        unfinished = [self._terminals[each].unfinished for each in STREAMS if stream in (None, each)]
        return Reading(shown, len(fresh) - len(shown), dropped, "\n".join(filter(None, unfinished)))

    def forget(self, reader: str) -> None:
        """That reader is gone."""
        for key in [key for key in self._seen if key[0] == reader]:
            del self._seen[key]

    def _add(self, stream: str, lines: list[str]) -> None:
        at = self._now()
        for text in lines:
            # A dev server with the plugin prints a link for the user alone.
            text = redact_console_code(text)
            self._ring.add(Line(at, stream, text), len(text) + 100)
            # Asked here too: a flood of lines is no flood of calls.
            if "://" in text and (url := ready_url(text)) is not None:
                self._on_url(url)

    def _cursor(self, reader: str, stream: str) -> int:
        return self._seen.get((reader, stream), 0)

    def _cursors(self, reader: str) -> dict[str, int]:
        return {each: self._cursor(reader, each) for each in (*STREAMS, "pageside")}

    def _since(self, wanted: dict[str, int]) -> tuple[list[Line], int]:
        oldest = min(wanted.values())
        kept, dropped = self._ring.since(oldest)
        first = max(oldest, self._ring.first)
        fresh = [
            line for number, line in enumerate(kept, first) if number >= wanted.get(line.stream, 1 << 62)
        ]
        return fresh, dropped

    def _clear(self, reader: str, stream: str | None) -> None:
        while len({key[0] for key in self._seen} - {reader}) >= MAX_READERS:
            self.forget(next(iter(self._seen))[0])
        for each in (stream,) if stream else (*STREAMS, "pageside"):
            self._seen[reader, each] = self._ring.seen


def _newest(lines: list[Line], limit: int, max_chars: int) -> list[Line]:
    chars = 0
    for taken, line in enumerate(reversed(lines)):
        chars += len(line.text) + 20
        if taken == limit or (chars > max_chars and taken):
            return lines[len(lines) - taken :]
    return lines
