"""The tools of the edit loop: what became of an edit, and what happened."""

from __future__ import annotations

from pageside.operations.read_timeline import read_timeline
from pageside.operations.updates import wait_for_update as wait
from pageside.toolsets.base import Answer, Args, Context


async def wait_for_update(context: Context, args: Args) -> Answer:
    answer = await wait(
        context.world,
        context.watcher,
        since=args.get("since"),
        inspection=args.get("inspectionId"),
        page=args.get("page"),
        seconds=float(args["timeout"]),
        report=context.report,
    )
    return Answer(answer, from_page=True)


async def get_timeline(context: Context, args: Args) -> Answer:
    return Answer(await read_timeline(context.world, context.watcher, args), from_page=True)


HANDLERS = {"wait_for_update": wait_for_update, "get_timeline": get_timeline}
