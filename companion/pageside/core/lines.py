"""Bytes that arrive in any pieces, as lines and as server-sent events."""

from __future__ import annotations

from dataclasses import dataclass


class LineSplitter:
    """Feed it what arrives; get the lines that are complete, without their ends (LF or CRLF)."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        head, *rest = chunk.split(b"\n")
        self._pieces.append(head)
        lines: list[bytes] = []
        for piece in rest:
            lines.append(b"".join(self._pieces).removesuffix(b"\r"))
            self._pieces = [piece]
        return lines

    def rest(self) -> bytes:
        """What came after the last line's end."""
        left, self._pieces = b"".join(self._pieces), []
        return left


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event; `id` is empty when it has none."""

    id: str
    data: bytes


class EventDecoder:
    """Feed it a `text/event-stream` without byte order mark; get its events, comments left out."""

    def __init__(self) -> None:
        self._lines = LineSplitter()
        self._id = ""
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[Event]:
        events: list[Event] = []
        for line in self._lines.feed(chunk):
            if line:
                self._take(line)
            elif self._id or self._data:
                events.append(Event(self._id, b"\n".join(self._data)))
                self._id, self._data = "", []
        return events

    def _take(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        elif name == b"id":
            self._id = value.decode(errors="replace")
