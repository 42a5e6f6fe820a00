"""What the tools of `browser` have in common: which tab, which element, the picture afterwards, help with errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

from pageside.chrome.acting import Done
from pageside.chrome.activity import SILENT, settled
from pageside.chrome.capture import Image
from pageside.chrome.downloads import downloads_of
from pageside.chrome.find import Target
from pageside.chrome.snapshot import snapshot
from pageside.chrome.tab import Tab
from pageside.errors import (
    CommandTimeout,
    DialogOpen,
    ElementNotFound,
    ElementNotReady,
    InvalidArguments,
    PagesideError,
    TabDisconnected,
    TabNotFound,
)
from pageside.operations.choose_tab import available, choose_tab
from pageside.operations.glances import glance, last_glance
from pageside.toolsets.advice import own_words
from pageside.toolsets.base import Answer, Args, Context, Picture

READ = "browser_read_page"
HELP_CHARS = 4000
"""Of the page's lines in an error."""
_HELP_SECONDS = 3.0
_PICTURE_SECONDS = 5.0

_FIXES = {
    "ELEMENT_NOT_FOUND": "Use a uid of the lines below as ref, find one with browser_find, or browser_wait for it.",
    "ELEMENT_NOT_READY": "Read what stands in the way, and look at the picture; then remove it, or browser_wait.",
    "COMMAND_TIMEOUT": "Look at the picture; then wait for what the page will show, or take a smaller step.",
    "DIALOG_OPEN": "Answer it: browser_click with dialog 'accept' or 'dismiss'.",
    "MULTIPLE_TABS": "Pass 'tab' with an id of available_tabs; later calls go there too.",
    "TAB_NOT_FOUND": "Pass 'tab' with an id of browser_tabs, or open one: browser_navigate with newTab.",
    "TAB_DISCONNECTED": "Pass 'tab' with an id of browser_tabs, or call browser_navigate.",
    "NAVIGATION_FAILED": "That need not be wrong; fetch it in browser_execute_js if its content matters.",
    "TAB_CRASHED": "Call browser_navigate; the tab then works again.",
    "PAUSED_BY_USER": "Do not try again at once: tell the user what you wait for, and do what needs no page.",
}
"""What to do, with the names that these tools have."""
_advise = own_words("browser_", _FIXES)


def in_own_words(error: PagesideError) -> None:
    """Let it name no tool that an agent of this toolset may not have."""
    _advise(error)
    error.message = error.message.replace(" Please specify target_title.", "")


# Which tab


async def tab_of(context: Context, args: Args) -> Tab:
    """The tab that is named, from now on this agent's; else the one that `choose_tab` says."""
    wanted = await _named(context, args)
    tab = await choose_tab(context.world, context.watcher, wanted)
    if wanted is not None:
        take(context, tab)
    return tab


def take(context: Context, tab: Tab) -> None:
    """The agent's calls that name no tab go there."""
    context.world.chosen_tabs[context.watcher.key] = tab.id


async def _named(context: Context, args: Args) -> str | int | None:
    if "tabIndex" not in args:
        wanted: str | int | None = args.get("tab")
        return wanted
    if "tab" in args:
        raise InvalidArguments("'tab' and 'tabIndex' exclude one another.", data={"argument": "tabIndex"})
    tabs = sorted(await context.chrome.tabs(), key=lambda tab: tab.number)
    if args["tabIndex"] >= len(tabs):
        raise TabNotFound(f"There are {len(tabs)} tabs, counted from 0.", data=available(tabs))
    return tabs[args["tabIndex"]].id


# Which element


def target(args: Args, names: tuple[str, ...] = ("ref", "uid", "selector")) -> Target | None:
    """The element that one of `names` names; None if none does; raises `InvalidArguments` for several."""
    given = [name for name in names if name in args]
    if len(given) > 1:
        raise InvalidArguments(
            f"Name one element: {' and '.join(given)} are given.",
            data={"argument": given[1], "allowed": list(names)},
        )
    if not given:
        return None
    return Target(**{"uid" if given[0] == "ref" else given[0]: args[given[0]]})


def spot(args: Args) -> Target | tuple[float, float]:
    """An element, or a point; raises `InvalidArguments` unless exactly one is given."""
    element = target(args, ("ref", "uid", "selector", "text"))
    point = [name for name in ("x", "y") if name in args]
    if element is not None and not point:
        return element
    if element is None and len(point) == 2:
        return float(args["x"]), float(args["y"])
    raise InvalidArguments(
        "Say where: one of ref, selector, text, or a point with both x and y.",
        data={"argument": point[0] if point else "ref", "allowed": ["ref", "selector", "text", "x, y"]},
    )


# What came of it


async def acted(context: Context, tab: Tab, action: Awaitable[Done]) -> Answer:
    """Do it, and tell what `seen` tells; it may have closed the tab."""
    try:
        return await seen(context, tab, await action)
    except TabDisconnected:
        if not tab.is_closed:
            raise
    context.world.chosen_tabs.pop(context.watcher.key, None)
    return Answer({"success": True, "notes": ["The tab closed. Go on in another: browser_tabs, 'tab'."]})


async def seen(context: Context, tab: Tab, done: Done) -> Answer:
    """`{"success": true}`, what else is to be said, and how the tab looks when the action has had its effect."""
    left = [] if tab.dialog is not None else await settled(tab)
    image = await _picture(tab) if SILENT not in left else None
    notes = [f"Dialog: {_dialog(tab)}"] if tab.dialog is not None else list(done.notes)
    notes += [f"Still under way: {len(left)} thing(s) that this began."] if left else []
    notes += [f"Download: {name!r}" for name in downloads_of(tab).take()]
    if image is None and tab.dialog is None:
        if SILENT in left:
            raise CommandTimeout("It was done, but the page has not answered since.")
        notes.append(f"No picture: Chrome drew none within {_PICTURE_SECONDS:g} s.")
    data: dict[str, Any] = {"success": True, **({"notes": notes} if notes else {})}
    whereabouts = await _whereabouts(context, tab)
    data |= whereabouts | (scale_of(image) if image is not None else {})
    is_from_page = bool(notes or "page" in whereabouts)
    return Answer(data, from_page=is_from_page, pictures=(_shown(image),) if image is not None else ())


def _dialog(tab: Tab) -> str:
    dialog = tab.dialog or {}
    return f"{dialog.get('type')} {dialog.get('message')!r}. Answer it with browser_click and dialog."


async def _whereabouts(context: Context, tab: Tab) -> dict[str, Any]:
    """`page`, if the tab is elsewhere than was said last; once, the tabs that it opened."""
    ids, tab.opened[:] = list(tab.opened), []
    tabs = await context.chrome.tabs()
    opened = [each.number for each in tabs if each.id in ids]
    here = next((each for each in tabs if each.id == tab.id and has_moved(tab, each.url)), None)
    page = {"page": {"title": here.title, "url": here.url}} if here is not None else {}
    return {**page, **({"openedTabs": opened} if opened else {})}


class _Told:
    """Where a tab is, as far as an answer has said so."""

    def __init__(self, _tab: Tab) -> None:
        self.url = ""


def has_moved(tab: Tab, url: str) -> bool:
    """Whether no answer has said so yet; this one does."""
    told = tab.part(_Told)
    before, told.url = told.url, url
    return before != url


def scale_of(image: Image) -> dict[str, float]:
    """`{"scale"}` for whoever reads places off the picture; {} where it is 1."""
    scale = round(image.scale, 3)
    return {"scale": scale} if scale != 1 else {}


def _shown(image: Image) -> Picture:
    return Picture(image.data, image.mime)


async def _picture(tab: Tab) -> Image | None:
    """None of a page that does not answer, or shows a dialog: Chrome draws nothing then."""
    if tab.dialog is not None:
        return None
    try:
        async with asyncio.timeout(_PICTURE_SECONDS):
            return await glance(tab)
    except (DialogOpen, TimeoutError):
        return None
    except CommandTimeout as error:
        raise CommandTimeout(f"It was done. {error.message}", fix=error.fix) from None


# Help with errors


@asynccontextmanager
async def helped(tab: Tab) -> AsyncIterator[None]:
    """Errors in here say what the page shows: its lines if an element is not there, else a picture."""
    try:
        yield
    except ElementNotFound as error:
        error.shown = await lines(tab)
        raise
    except (CommandTimeout, ElementNotReady) as error:
        image = await last_glance(tab)
        error.pictures = [(image.mime, image.data)] if image is not None else []
        raise


async def lines(tab: Tab) -> str:
    """What can be operated, in few lines; where there is nothing such, what is said. '' if the page does not tell."""
    try:
        async with asyncio.timeout(_HELP_SECONDS):
            taken = await snapshot(tab, interactive=True, max_chars=HELP_CHARS, tool=READ)
            if not taken.text:
                taken = await snapshot(tab, max_chars=HELP_CHARS, tool=READ)
    except (PagesideError, TimeoutError):
        # There is an error to tell already.
        return ""
    return taken.text
