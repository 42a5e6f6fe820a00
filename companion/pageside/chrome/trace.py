"""A real trace of Chrome, for DevTools' Performance panel; one at a time, as Chrome itself has it."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import logging
from collections.abc import Sequence
from typing import Any

from pageside.chrome.session import CommandFailed, Params, Session
from pageside.chrome.tab import Tab
from pageside.core.redaction import redact
from pageside.errors import ChromeError, CommandTimeout

log = logging.getLogger(__name__)

_CATEGORIES = (
    "blink.console",
    "blink.user_timing",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "disabled-by-default-devtools.timeline.stack",
    "disabled-by-default-v8.cpu_profiler",
    "latencyInfo",
    "loading",
    "toplevel",
    "v8",
    "v8.execute",
)
_STOP_SECONDS = 60.0
_CHUNK = 1 << 20
_LONG_TASK_US = 50_000
_MOST = 10
_COSTS = (
    "Layout",
    "UpdateLayoutTree",
    "ParseHTML",
    "EvaluateScript",
    "FunctionCall",
    "Paint",
    "MinorGC",
    "MajorGC",
)
_TASKS = ("RunTask", "ThreadControllerImpl::RunTask")


class Tracing:
    """One for a tab, made by `tracing_of`."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self.is_running = False

    async def start(self) -> None:
        """Begin to record; raises `ChromeError` if a trace is being recorded already."""
        session = self._tab.session
        try:
            await session(
                "Tracing.start",
                transferMode="ReturnAsStream",
                streamCompression="gzip",
                streamFormat="json",
                traceConfig={
                    "includedCategories": list(_CATEGORIES),
                    "excludedCategories": ["*"],
                    "recordMode": "recordUntilFull",
                },
            )
        except CommandFailed as error:
            if "already" not in error.reason:
                raise
            raise ChromeError(
                "This Chrome records a trace already, of this tab or another; it can do one at a time.",
                fix="Call performance_stop_trace in the tab where it was started, or stop it in DevTools.",
            ) from None
        self.is_running = True
        await self._draw()

    async def _draw(self) -> None:
        """A tab behind others draws nothing, and nothing that is done there counts as an interaction."""
        try:
            await self._tab.session(
                "Page.startScreencast", format="jpeg", quality=1, maxWidth=16, maxHeight=16
            )
        except ChromeError as error:
            log.debug("no screencast: %s", error)

    async def stop(self) -> bytes:
        """End the recording; the trace without secrets as gzipped JSON, `{"traceEvents": […]}`."""
        if not self.is_running:
            raise ChromeError(
                "No trace of this tab is being recorded.", fix="Call performance_start_trace first."
            )
        session, self.is_running = self._tab.session, False
        ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def take(params: Params) -> None:
            if not ended.done():
                ended.set_result(params["stream"])

        forget = session.on("Tracing.tracingComplete", take)
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await session("Tracing.end")
                stream = await ended
        except TimeoutError:
            raise CommandTimeout(f"Chrome did not hand out the trace within {_STOP_SECONDS:g} s.") from None
        finally:
            forget()
            self._tab.later(session("Page.stopScreencast"))
        return await asyncio.to_thread(_without_secrets, await _read(session, stream))


def tracing_of(tab: Tab) -> Tracing:
    """The tab's own."""
    return tab.part(Tracing)


async def _read(session: Session, stream: str) -> bytes:
    parts: list[bytes] = []
    try:
        while True:
            chunk = await session("IO.read", handle=stream, size=_CHUNK)
            data = chunk["data"]
            parts.append(base64.b64decode(data) if chunk.get("base64Encoded") else data.encode())
            if chunk["eof"]:
                return b"".join(parts)
    finally:
        try:
            await session("IO.close", handle=stream)
        except (ChromeError, CommandTimeout) as error:
            log.debug("the stream of the trace stays open: %s", error)


def _without_secrets(trace: bytes) -> bytes:
    """URLs and arguments of events may hold them. On a thread: traces are long."""
    return gzip.compress(json.dumps(redact(json.loads(gzip.decompress(trace)))).encode(), compresslevel=4)


async def summary(trace: bytes, frame_id: str) -> dict[str, Any]:
    """What the trace says of a frame: paints and long tasks in ms since its last navigation, costs of its thread."""
    return await asyncio.to_thread(_summary, trace, frame_id)


Event = dict[str, Any]


def _summary(trace: bytes, frame_id: str) -> dict[str, Any]:
    events: list[Event] = json.loads(gzip.decompress(trace))["traceEvents"]
    starts = [each for each in events if each["name"] == "navigationStart" and _frame(each) == frame_id]
    thread = _thread(starts, events)
    begin = starts[-1]["ts"] if starts else min((e["ts"] for e in events if e.get("ts")), default=0)
    own = [each for each in events if (each.get("pid"), each.get("tid")) == thread]
    process = [each for each in events if each.get("pid") == thread[0]]
    tasks = [e for e in own if e["name"] in _TASKS and e.get("dur", 0) > _LONG_TASK_US]
    tasks.sort(key=lambda each: -each["dur"])
    return {
        "events": len(events),
        "navigated": bool(starts),
        "fcp": _first(process, "firstContentfulPaint", begin),
        "lcp": _last(process, "largestContentfulPaint::Candidate", begin),
        "cls": _shifts(process, begin),
        "longTasks": [{"at": _ms(e["ts"] - begin), "ms": _ms(e["dur"])} for e in tasks[:_MOST]],
        "mainThread": _costs(own),
    }


def _frame(event: Event) -> str | None:
    frame = event.get("args", {}).get("frame")
    return frame if isinstance(frame, str) else None


def _thread(starts: Sequence[Event], events: Sequence[Event]) -> tuple[int, int]:
    """The main thread of the frame's process."""
    named = [
        each
        for each in events
        if each["name"] == "thread_name" and each.get("args", {}).get("name") == "CrRendererMain"
    ]
    process = starts[-1]["pid"] if starts else None
    found = next((each for each in named if process in (None, each["pid"])), None)
    return (found["pid"], found["tid"]) if found else (process or 0, 0)


def _first(events: Sequence[Event], name: str, begin: int) -> float | None:
    return next((_ms(e["ts"] - begin) for e in events if e["name"] == name and e["ts"] >= begin), None)


def _last(events: Sequence[Event], name: str, begin: int) -> float | None:
    return _first(sorted(events, key=lambda each: -each.get("ts", 0)), name, begin)


def _shifts(events: Sequence[Event], begin: int) -> float:
    data = (e["args"].get("data", {}) for e in events if e["name"] == "LayoutShift" and e["ts"] >= begin)
    return float(round(sum(each.get("score", 0) for each in data if not each.get("had_recent_input")), 4))


def _costs(events: Sequence[Event]) -> dict[str, dict[str, float]]:
    costs: dict[str, dict[str, float]] = {}
    for event in events:
        if event["name"] in _COSTS:
            cost = costs.setdefault(event["name"], {"count": 0, "ms": 0})
            cost["count"] += 1
            cost["ms"] = round(cost["ms"] + event.get("dur", 0) / 1000, 2)
    return costs


def _ms(microseconds: float) -> float:
    return round(microseconds / 1000, 2)
