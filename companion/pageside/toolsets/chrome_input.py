"""Chrome tools that act on elements, and answer dialogs."""

from __future__ import annotations

import asyncio

from pageside.chrome import act
from pageside.chrome.acting import Done
from pageside.chrome.find import Target
from pageside.chrome.waits import until_seen
from pageside.errors import ChromeError, InvalidArguments
from pageside.operations.choose_tab import choose_tab
from pageside.operations.files import input_path
from pageside.toolsets.base import Answer, Args, Context
from pageside.toolsets.chrome_answers import outcome, spot, target


async def click(context: Context, args: Args) -> Answer:
    where = spot(args)
    tab = await choose_tab(context.world, context.watcher)
    done = await act.click(tab, where, count=2 if args["dblClick"] else 1, button=args["button"])
    return await outcome(context, tab, done, "Double-clicked." if args["dblClick"] else "Clicked.", args)


async def hover(context: Context, args: Args) -> Answer:
    where = spot(args)
    tab = await choose_tab(context.world, context.watcher)
    return await outcome(context, tab, await act.hover(tab, where), "Hovered.", args)


async def fill(context: Context, args: Args) -> Answer:
    where = target(args)
    tab = await choose_tab(context.world, context.watcher)
    return await outcome(context, tab, await act.fill(tab, where, args["value"]), "Filled.", args)


async def fill_form(context: Context, args: Args) -> Answer:
    values = [(target(element), element["value"]) for element in args["elements"]]
    tab = await choose_tab(context.world, context.watcher)
    done = await act.fill_form(tab, values)
    return await outcome(context, tab, done, f"Filled {len(values)} elements.", args)


async def press_key(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    return await outcome(context, tab, await act.press(tab, args["key"]), "Pressed.", args)


async def drag(context: Context, args: Args) -> Answer:
    source, destination = target(args, "from_"), target(args, "to_")
    tab = await choose_tab(context.world, context.watcher)
    return await outcome(context, tab, await act.drag(tab, source, destination), "Dragged.", args)


async def upload_file(context: Context, args: Args) -> Answer:
    named = [*args.get("filePaths", []), *([args["filePath"]] if "filePath" in args else [])]
    if not named:
        raise InvalidArguments("'filePath' is missing.", data={"argument": "filePath"})
    where = target(args)
    files = [await asyncio.to_thread(input_path, context.world, name) for name in named]
    tab = await choose_tab(context.world, context.watcher)
    return await outcome(context, tab, await act.upload(tab, where, files), "Uploaded.", args)


async def wait_for(context: Context, args: Args) -> Answer:
    texts, selector = args.get("text", []), args.get("selector")
    if bool(texts) == bool(selector):
        raise InvalidArguments("Pass either 'text' or 'selector'.", data={"argument": "text"})
    tab = await choose_tab(context.world, context.watcher)
    found = await until_seen(
        tab,
        texts=[texts] if isinstance(texts, str) else texts,
        selector=selector,
        gone=args["gone"],
        seconds=args["timeout"] / 1000,
    )
    said = "It is gone." if found is None else f"It is there: {found!r}."
    return await outcome(context, tab, Done(""), said, args)


async def handle_dialog(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    if tab.dialog is None and not tab.silent:
        raise ChromeError("No dialog is open in the tab.", fix="Go on without answering one.")
    accept = args["action"] == "accept"
    text = {"promptText": args["promptText"]} if "promptText" in args else {}
    await tab.session("Page.handleJavaScriptDialog", seconds=5, accept=accept, **text)
    return Answer(said="Accepted." if accept else "Dismissed.")


def uid(value: str | dict[str, str]) -> Target:
    """An element as `evaluate_script` takes it."""
    return Target(uid=value if isinstance(value, str) else value["uid"])


HANDLERS = {
    "click": click,
    "hover": hover,
    "fill": fill,
    "fill_form": fill_form,
    "press_key": press_key,
    "drag": drag,
    "upload_file": upload_file,
    "wait_for": wait_for,
    "handle_dialog": handle_dialog,
}
