"""A trace of Chromium's, and what the page's main thread did in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

CATEGORIES = ["devtools.timeline", "toplevel", "disabled-by-default-devtools.timeline", "v8"]
OURS = ("/__pageside__/",)
Event = dict[str, Any]


class Trace:
    """What the main thread of the page did, in ms."""

    def __init__(self, recorded: bytes) -> None:
        events: list[Event] = json.loads(recorded)["traceEvents"]
        self._thread = _main_thread(events)
        self._events = [each for each in events if (each.get("pid"), each.get("tid")) == self._thread]

    @property
    def tasks(self) -> list[float]:
        """Each task's time."""
        return [each["dur"] / 1000 for each in self._events if each["name"] == "RunTask" and "dur" in each]

    @property
    def painting(self) -> float:
        """Of the whole page: whatever changes its look anywhere has it looked through."""
        paints = (each for each in self._events if each["name"] == "Paint" and "dur" in each)
        return sum((each["dur"] / 1000 for each in paints if _node(each) == "#document"), 0.0)

    @property
    def ours(self) -> list[float]:
        """Times of what runs from our files: a script's evaluation, a callback, a timer's or a frame's."""
        runs = sorted(
            (each["ts"], each["ts"] + each["dur"])
            for each in self._events
            if each.get("ph") == "X" and "dur" in each and _is_ours(each)
        )
        outer: list[tuple[int, int]] = []
        for start, end in runs:
            if not outer or start >= outer[-1][1]:
                outer.append((start, end))
        return [(end - start) / 1000 for start, end in outer]


def _node(event: Event) -> str:
    return str(event.get("args", {}).get("data", {}).get("nodeName"))


def _main_thread(events: Sequence[Event]) -> tuple[int, int]:
    """The renderer main thread that worked most."""
    mains = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"].get("name") == "CrRendererMain"
    }
    work = dict.fromkeys(mains, 0)
    for each in events:
        key = (each.get("pid"), each.get("tid"))
        if key in work:
            work[key] += each.get("dur", 0)
    return max(work, key=lambda key: work[key])


def _is_ours(event: Event) -> bool:
    data = event.get("args", {}).get("data") or {}
    url = str(data.get("url") or event.get("args", {}).get("fileName") or "")
    return any(each in url for each in OURS)
