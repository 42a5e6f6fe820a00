"""Chrome tools about how fast a tab is: from its own observers, with a trace when one was asked for."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path

from pageside.chrome.activity import settled
from pageside.chrome.insights import Insight, insight, insights
from pageside.chrome.navigation import reload
from pageside.chrome.sources import sources_of
from pageside.chrome.tab import Tab
from pageside.chrome.trace import tracing_of
from pageside.chrome.vitals import Vitals, read
from pageside.errors import InvalidArguments
from pageside.operations.choose_tab import choose_tab
from pageside.operations.files import output_path
from pageside.toolsets.base import Answer, Args, Context

_SUFFIXES = (".json", ".gz")


async def performance_start_trace(context: Context, args: Args) -> Answer:
    path = await _path(context, args)
    tab = await choose_tab(context.world, context.watcher)
    tracing = tracing_of(tab)
    await tracing.start()
    try:
        if args["reload"]:
            await reload(tab)
        if args["autoStop"]:
            await settled(tab)
    except BaseException:
        await tracing.stop()
        raise
    if not args["autoStop"]:
        return Answer(said="The trace is being recorded: act in the tab, then call performance_stop_trace.")
    return await _stopped(context, tab, path)


async def performance_stop_trace(context: Context, args: Args) -> Answer:
    path = await _path(context, args)
    return await _stopped(context, await choose_tab(context.world, context.watcher), path)


async def _path(context: Context, args: Args) -> Path | None:
    """Checked before anything is recorded."""
    if "filePath" not in args:
        return None
    path = await asyncio.to_thread(output_path, context.world, args["filePath"], _SUFFIXES)
    if path.suffix == ".gz" and not path.name.endswith(".json.gz"):
        raise InvalidArguments("'filePath' must end with .json or .json.gz.", data={"argument": "filePath"})
    return path


async def _stopped(context: Context, tab: Tab, path: Path | None) -> Answer:
    trace = await tracing_of(tab).stop()
    said = ""
    if path is not None:
        await asyncio.to_thread(_write, path, trace)
        said = f"The trace is in {path}: load it into DevTools' Performance panel."
    vitals = await read(tab, await sources_of(tab, context.world.project))
    found = "\n".join(_line(each) for each in insights(vitals))
    return Answer(said=said, shown=f"{_metrics(vitals)}\n{found}", from_page=True)


def _write(path: Path, trace: bytes) -> None:
    path.write_bytes(trace if path.suffix == ".gz" else gzip.decompress(trace))


def _metrics(vitals: Vitals) -> str:
    lcp, inp = vitals["lcp"], vitals["inp"]
    painted = f"LCP {lcp['ms']} ms" if lcp else "LCP none"
    reacted = f"INP {inp['ms']} ms" if inp else "INP none (nobody interacted)"
    return f"url: {vitals['url']}\n{painted} · CLS {vitals['cls']['value']} · {reacted}"


def _line(found: Insight) -> str:
    cause = f" Cause: {found.cause}" if found.cause else ""
    return f"{found.name}: {found.summary}{cause}"


async def performance_analyze_insight(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    vitals = await read(tab, await sources_of(tab, context.world.project))
    found = insight(vitals, args["insightName"])
    if found is None:
        raise InvalidArguments("There is no such insight.", data={"argument": "insightName"})
    return Answer(shown=json.dumps(found.to_json(), ensure_ascii=False), from_page=True)


HANDLERS = {
    "performance_start_trace": performance_start_trace,
    "performance_stop_trace": performance_stop_trace,
    "performance_analyze_insight": performance_analyze_insight,
}
