"""Tools that wait for what an edit does to the page, and tell it."""

from __future__ import annotations

from pageside.operations import wait_and_check as checking
from pageside.toolsets.base import Answer, Args, Context


async def wait_and_check(context: Context, args: Args) -> Answer:
    checked = await checking.wait_and_check(
        context.world, context.watcher, float(args["seconds"]), context.report
    )
    older = f" {checked.more} older ones are left out." if checked.more else ""
    said = f"Waited {checked.waited:.1f} s. New in the console: {len(checked.lines) + checked.more}.{older}"
    return Answer(said=said, shown="\n".join(checked.lines), from_page=True)


HANDLERS = {"wait_and_check": wait_and_check}
