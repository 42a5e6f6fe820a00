"""What happened, in one order: the entries of a timeline, and which of them somebody wants to see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pageside.core.modules import touches

Kind = Literal["action", "navigation", "console", "request", "update", "call", "status", "server"]
"""What the user did, documents that came, the console, requests that failed, hot updates and what stands in their way,
what agents called, statuses of inspections, dev servers that came and went."""
Level = Literal["debug", "info", "warning", "error"]

KINDS: tuple[str, ...] = get_args(Kind)
LEVELS: tuple[str, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `at` in ms since 1970, `seq` counts all entries of the companion from 1."""

    seq: int
    at: float
    kind: Kind
    level: Level
    text: str
    page: str | None = None
    """The line of documents that it belongs to (`hubs.timeline`); None: to the project as a whole."""
    inspection: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As agents see it; without what is empty."""
        told: dict[str, Any] = {"seq": self.seq, "at": round(self.at), "kind": self.kind, "level": self.level}
        told["text"] = self.text
        if self.inspection is not None:
            told["inspectionId"] = self.inspection
        if self.data:
            told["data"] = dict(self.data)
        return told


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries: all, unless something is said. Times in ms since 1970, both ends included."""

    after: int = 0
    """Only later than the entry of that `seq`."""
    since: float | None = None
    until: float | None = None
    level: Level = "debug"
    """Of this level, or a graver one."""
    kinds: Collection[str] = ()
    inspection: str | None = None
    """What belongs to it, and updates that touched `file`, the source of its element."""
    file: str = ""

    def takes(self, entry: Entry) -> bool:
        return (
            entry.seq > self.after
            and (self.since is None or entry.at >= self.since)
            and (self.until is None or entry.at <= self.until)
            and LEVELS.index(entry.level) >= LEVELS.index(self.level)
            and (not self.kinds or entry.kind in self.kinds)
            and (self.inspection is None or entry.inspection == self.inspection or self._touched(entry))
        )

    def _touched(self, entry: Entry) -> bool:
        return bool(self.file) and entry.kind == "update" and touches(entry.data, self.file)


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """By the time at which they happened; what came at one time, in the order of its arrival."""
    return sorted(entries, key=lambda entry: (entry.at, entry.seq))
