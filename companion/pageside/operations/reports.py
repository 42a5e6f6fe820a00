"""What dev servers and pages report becomes entries of the timeline: read as a whole first, then told."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pageside.core.fields import Fields, filled
from pageside.core.timeline import Kind, Level
from pageside.errors import Refused
from pageside.operations.world import World

MAX_EVENTS = 1000
MAX_AGO = 600_000.0
"""ms: what waited longer in a queue is told as of then."""
MAX_LATE = 30_000.0
"""ms: what seems to have been on its way for longer was stamped by another clock."""
MAX_TIME = 1e14
MAX_UPDATES = 100
MAX_NAME = 500
MAX_MESSAGE = 4000
MAX_FRAME = 2000

_BOXED = re.compile(
    r"(?:^|\n)(?:\[[\w:.-]+\] )?(?P<title>[^\n]+)\n"
    r"(?P<frame>[ \t]*╭─\[ (?P<file>[^\n]{1,500}?):(?P<line>\d{1,9}):(?P<column>\d{1,9}) \][\s\S]*)"
)
"""Vite 8's compiler writes the place and the frame into its message."""


@dataclass(frozen=True, slots=True)
class Reported:
    """One entry to come."""

    kind: Kind
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    level: Level = "info"


def of_update(text: str, data: Mapping[str, Any], level: Level = "info") -> Reported:
    """An entry about a hot update, or about what stands in its way."""
    return Reported("update", text, data, level)


Reader = Callable[[Fields], Reported]


def events_of(body: Fields) -> list[Fields]:
    """The events of a batch; raises `Refused` 400 when there are too many."""
    if len(body.values.get("events") or ()) > MAX_EVENTS:
        raise Refused(400, "BAD_REQUEST", f"'events' must be a list of at most {MAX_EVENTS}.")
    return body.objects("events", MAX_EVENTS)


def moment(event: Fields, late: float = 0) -> float:
    """When it happened, in ms since 1970, by the companion's clock; `late`: how long its batch was on its way."""
    return ago(event.number("ago", 0, MAX_AGO) + late)


def lateness(body: Fields) -> float:
    """ms from when a batch was sent to now; 0 where that is not told, or the clocks disagree."""
    sent = body.optional_number("sent", 0, MAX_TIME)
    late = ago(sent) if sent is not None else 0
    return late if 0 < late < MAX_LATE else 0


def ago(ms: float) -> float:
    return time.time() * 1000 - ms


def tell(world: World, report: Reported, at: float, page: str | None = None) -> None:
    world.timeline.add(report.kind, report.text, level=report.level, page=page, data=report.data, at=at)


def problem(event: Fields) -> dict[str, Any]:
    """What went wrong, and where as far as it is known."""
    found = filled(
        message=event.text("message", MAX_MESSAGE),
        file=event.optional_text("file", MAX_NAME),
        line=event.optional_whole("line"),
        column=event.optional_whole("column"),
        frame=event.optional_text("frame", MAX_FRAME) or None,
    )
    boxed = _BOXED.search(found["message"]) if "line" not in found else None
    if boxed is None:
        return found
    place = {
        "line": int(boxed["line"]),
        "column": int(boxed["column"]),
        "frame": boxed["frame"].rstrip()[:MAX_FRAME],
    }
    return {"file": boxed["file"], **found, **place, "message": boxed["title"]}


def place_of(found: Mapping[str, Any]) -> str:
    """`src/App.tsx:12:5`, as far as it is known."""
    parts = [found.get("file"), found.get("line"), found.get("column")]
    known = parts[: parts.index(None)] if None in parts else parts
    return ":".join(str(part) for part in known)


def first_line(text: str, most: int = 200) -> str:
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= most else line[: most - 1] + "…"


def named(names: list[str], most: int = 3) -> str:
    """`a.tsx, b.tsx, c.tsx and 4 more`, each once."""
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - most} more" if len(unique) > most else ""
    return ", ".join(unique[:most]) + more
