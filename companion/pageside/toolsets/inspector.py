"""The default toolset: point, read, report."""

from __future__ import annotations

from pageside.operations import drift, inspections, pick, pictures, read_page
from pageside.operations.handlers import with_listeners
from pageside.operations.picked_element import chrome_view, in_chrome
from pageside.operations.refind import find_again
from pageside.operations.tickets import Answered
from pageside.toolsets.ask import HANDLERS as ASK
from pageside.toolsets.ask import answered, asking
from pageside.toolsets.base import Answer, Args, Context, toolset
from pageside.toolsets.chrome_proxy import chrome_devtools
from pageside.toolsets.loop import HANDLERS as LOOP
from pageside.toolsets.servers import HANDLERS as SERVERS


async def capture_element_context(context: Context, args: Args) -> Answer:
    if "selector" in args:
        look_for = {"selector": args["selector"]}
        return await _look(context, args, "describe_element", look_for, "element")
    return await _ask(context, args, "pick_element", "element")


async def capture_area_context(context: Context, args: Args) -> Answer:
    named = {key: args[key] for key in ("containerSelector", "bounds") if key in args}
    if named:
        return await _look(context, args, "describe_area", named, "area")
    return await _ask(context, args, "pick_area", "area")


async def _look(context: Context, args: Args, tool: str, named: Args, result: str) -> Answer:
    seen = await pick.look(context.world, context.watcher, tool, named, page=args.get("page"))
    return await _picked(context, seen, result)


async def _picked(context: Context, seen: Answered, result: str) -> Answer:
    """With the address of the picture, and what Chrome's tools call the element."""
    address = pictures.address(context.world, seen.result)
    element = seen.result.get("elementId")
    shown = await in_chrome(context.world, context.watcher, element, seen.page["id"])
    view = await chrome_view(context.world, context.watcher, shown)
    told = await with_listeners(seen.result, shown, context.world.project)
    picked = {"status": "picked", "page": seen.page, result: told, **address, **view}
    return Answer(picked, from_page=True)


async def _ask(context: Context, args: Args, tool: str, result: str) -> Answer:
    outcome = await pick.ask(context.world, context.watcher, tool, asking(context, args))
    if isinstance(outcome, Answered):
        return await _picked(context, outcome, result)
    return answered(outcome, {})


async def list_inspections(context: Context, args: Args) -> Answer:
    items, total, cursor = await inspections.list_page(context.world, args.get("status"), args.get("cursor"))
    more = {"nextCursor": cursor} if cursor is not None else {}
    return Answer({"inspections": items, "total": total, **more}, from_page=True)


async def get_inspection(context: Context, args: Args) -> Answer:
    item = context.world.inspections.get(args["inspectionId"])
    found = await find_again(context.world, item)
    shown = await in_chrome(context.world, context.watcher, found.get("elementId", item.get("elementId")))
    view = await chrome_view(context.world, context.watcher, shown)
    now = pictures.shown(context.world, await drift.with_drift(context.world, item))
    told = await with_listeners(now, shown, context.world.project)
    inspections.heard(context.world, context.watcher, item)
    element = {"element": found} if found else {}
    return Answer({"inspection": {**told, **element, **view}}, from_page=True)


async def update_inspection_status(context: Context, args: Args) -> Answer:
    updated = await inspections.update(
        context.world,
        context.watcher,
        args.get("inspectionId"),
        args["status"],
        args.get("message"),
        args.get("progress"),
    )
    return Answer(updated, from_page="replies" in updated)


async def wait_for_inspection(context: Context, args: Args) -> Answer:
    seconds = float(args["timeout"])
    item = await inspections.wait_for_next(context.world, context.watcher, seconds, context.report)
    short = [] if item is None else await drift.summaries(context.world, [item])
    said = inspections.heard(context.world, context.watcher, item) if item is not None else []
    more = {"replies": said} if said else {}
    found = [{**each, "description": item["description"], **more} for each in short if item is not None]
    return Answer({"status": "found" if found else "none", "inspections": found}, from_page=True)


async def execute_page_script(context: Context, args: Args) -> Answer:
    result = await read_page.run_script(
        context.world,
        context.watcher,
        args["code"],
        seconds=float(args["timeout"]),
        page=args.get("page"),
    )
    return Answer(result, from_page=True)


async def get_page_info(context: Context, args: Args) -> Answer:
    info = await read_page.page_info(context.world, context.watcher, page=args.get("page"))
    return Answer(info, from_page=True)


INSPECTOR = toolset(
    "inspector",
    {
        "capture_element_context": capture_element_context,
        "capture_area_context": capture_area_context,
        "list_inspections": list_inspections,
        "get_inspection": get_inspection,
        "update_inspection_status": update_inspection_status,
        "wait_for_inspection": wait_for_inspection,
        "execute_page_script": execute_page_script,
        "get_page_info": get_page_info,
        **ASK,
        **LOOP,
        "get_server_logs": SERVERS["get_server_logs"],
        "chrome_devtools": chrome_devtools,
    },
    large={"chrome_devtools"},
)
