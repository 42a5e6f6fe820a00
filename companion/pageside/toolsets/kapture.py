"""The toolset `kapture`: the Kapture protocol's eleven tools, for tabs of the extension and of a Chrome alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pageside.operations import any_tab
from pageside.operations.any_tab import AnyTab
from pageside.operations.waiting import with_progress
from pageside.toolsets.advice import own_words
from pageside.toolsets.base import Answer, Args, Context, Handler, Picture, toolset

PREFIX = "kapturemcp_"

_FIXES = {
    "ELEMENT_NOT_FOUND": "Check the selector against what the tab shows now: kapturemcp_screenshot, or its HTML by "
    "kapturemcp_evaluate.",
    "ELEMENT_NOT_READY": "Read what stands in the way, look with kapturemcp_screenshot; then remove it, or try again.",
    "COMMAND_TIMEOUT": "Look at the tab with kapturemcp_screenshot; kapturemcp_navigate ends a script that does not "
    "end, and a dialog or a debugger is for the user.",
    "TAB_NOT_FOUND": "Pass a tabId of available_tabs, or of kapturemcp_list_tabs.",
    "TAB_DISCONNECTED": "Call kapturemcp_list_tabs for the tabs that are there now.",
    "TAB_CRASHED": "Call kapturemcp_navigate; the tab then works again.",
    "DIALOG_OPEN": "Ask the user to answer the dialog; kapturemcp_navigate leaves the page and its dialog.",
    "NAVIGATION_FAILED": "Check that the URL is right and that its server runs.",
    "PAUSED_BY_USER": "Do not try again at once: tell the user what you wait for, and do what needs no tab.",
}
"""What to do, with the names that these tools have."""


Command = Callable[[AnyTab, Args], Awaitable[dict[str, Any]]]


def _command(tool: str, run: Command) -> Handler:
    """A handler that does it in the tab that is named, with signs of life."""

    async def handle(context: Context, args: Args) -> Answer:
        tab = await any_tab.any_tab(context.world, context.watcher, args["tabId"])
        told = await with_progress(run(tab, args), context.report, f"The tab is at {tool}")
        return _answer(told)

    return handle


def _answer(told: dict[str, Any]) -> Answer:
    """A picture is no text."""
    if "data" not in told:
        return Answer(told, from_page=True)
    told = dict(told)
    picture = Picture(told.pop("data"), told["mime"])
    return Answer(told, from_page=True, pictures=(picture,))


def _pixels(args: Args, name: str) -> int | None:
    return int(args[name]) if name in args else None


async def _list_tabs(context: Context, _args: Args) -> Answer:
    return Answer(await any_tab.list_tabs(context.world, context.watcher), from_page=True)


_COMMANDS: dict[str, Command] = {
    "navigate": lambda tab, args: tab.navigate(args["url"], seconds=args["timeout"] / 1000),
    "go_back": lambda tab, _args: tab.go(-1),
    "go_forward": lambda tab, _args: tab.go(1),
    "screenshot": lambda tab, args: tab.screenshot(
        args["name"], args.get("selector"), _pixels(args, "width"), _pixels(args, "height")
    ),
    "click": lambda tab, args: tab.click(args["selector"]),
    "hover": lambda tab, args: tab.hover(args["selector"]),
    "fill": lambda tab, args: tab.fill(args["selector"], args["value"]),
    "select": lambda tab, args: tab.select(args["selector"], args["value"]),
    "evaluate": lambda tab, args: tab.evaluate(args["code"]),
    "logs": lambda tab, args: tab.logs(int(args["max"])),
}

_HANDLERS: dict[str, Handler] = {
    f"{PREFIX}list_tabs": _list_tabs,
    **{f"{PREFIX}{name}": _command(f"{PREFIX}{name}", run) for name, run in _COMMANDS.items()},
}

KAPTURE = toolset("kapture", _HANDLERS, advise=own_words(PREFIX, _FIXES))
