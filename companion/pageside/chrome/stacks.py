"""Places and call stacks as Chrome tells them, without secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from pageside.core.redaction import redact_url

MAX_FRAMES = 20
_MAX_URL = 2_000
_MAX_NAME = 200
_TEXT_FRAME = re.compile(r"^ +at (?:(?:async )?(.{1,300}?) \()?((?:https?|file):.{1,2000}?):(\d+):(\d+)\)?$")


class Place(NamedTuple):
    """A place in a file that runs; line and column count from 1, 0 = not known."""

    url: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.url}:{self.line}:{self.column}" if self.line else self.url


class Frame(NamedTuple):
    """One call; `asynchronous`: what follows was called later by it."""

    function: str
    place: Place
    asynchronous: bool = False


@lru_cache(maxsize=2_000)
def shown_url(url: str) -> str:
    """A URL of a script or document without secrets; those of data: are cut."""
    return redact_url(url[:_MAX_URL]) if not url.startswith("data:") else f"{url[:40]}…"


def place_of(url: object, line: object, column: object) -> Place | None:
    """The place as CDP tells it, counting from 0; None without a URL."""
    if not isinstance(url, str) or not url:
        return None
    return Place(shown_url(url), _from_one(line), _from_one(column))


def _from_one(number: object) -> int:
    return int(number) + 1 if isinstance(number, int | float) and number >= 0 else 0


def frames_of(trace: object) -> tuple[Frame, ...]:
    """The innermost `MAX_FRAMES` of a `Runtime.StackTrace`, the asynchronous ones after the others.

    It begins with the first that has a file: before it are Chrome's functions, and Pageside's around them.
    """
    frames: list[Frame] = []
    while isinstance(trace, Mapping) and len(frames) < MAX_FRAMES:
        is_later = bool(frames)
        for call in trace.get("callFrames", ())[: MAX_FRAMES - len(frames)]:
            place = place_of(call.get("url"), call.get("lineNumber"), call.get("columnNumber"))
            if place is None and not frames:
                continue
            name = str(call.get("functionName") or "(anonymous)")[:_MAX_NAME]
            frames.append(Frame(name, place or Place("(native)", 0, 0), is_later))
            is_later = False
        trace = trace.get("parent")
    return tuple(frames)


def frames_in(description: str) -> tuple[Frame, ...]:
    """The frames in the text of an error's `stack`."""
    found = (_TEXT_FRAME.match(line) for line in description[:20_000].split("\n"))
    return tuple(
        Frame(
            (match[1] or "(anonymous)")[:_MAX_NAME],
            Place(shown_url(match[2]), int(match[3]), int(match[4])),
        )
        for match in found
        if match
    )[:MAX_FRAMES]
