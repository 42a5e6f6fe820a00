"""Chrome tools about tabs: list, select, open, close, navigate."""

from __future__ import annotations

from pageside.chrome.browser import TabInfo
from pageside.chrome.navigation import go, location, navigate, reload, status
from pageside.chrome.tab import Tab
from pageside.errors import InvalidArguments
from pageside.operations.choose_tab import choose_tab, tab_info
from pageside.toolsets.base import Answer, Args, Context


async def list_pages(context: Context, _args: Args) -> Answer:
    tabs = await context.chrome.tabs()
    return Answer(said=f"{len(tabs)} pages.", shown=_listed(context, tabs), from_page=True)


def _listed(context: Context, tabs: list[TabInfo]) -> str:
    selected = context.world.chosen_tabs.get(context.watcher.key)
    rows = []
    for tab in sorted(tabs, key=lambda tab: tab.number):
        row = tab.summary()
        mark = " [selected]" if tab.id == selected else ""
        rows.append(f"{row['id']}: {row['url']} {row['title']!r}{mark}{_dialog_mark(context, tab.id)}")
    return "\n".join(rows)


def _dialog_mark(context: Context, target_id: str) -> str:
    """Of tabs that are watched; nobody can say it of the others."""
    open_in = (tab.dialog for tab in context.chrome.attached if tab.id == target_id)
    dialog = next(open_in, None)
    return f" [dialog open: {dialog.get('type')}]" if dialog is not None else ""


async def select_page(context: Context, args: Args) -> Answer:
    info = await tab_info(context.world, context.watcher, args["pageId"])
    context.world.chosen_tabs[context.watcher.key] = info.id
    await context.chrome.tab(info.id)
    if args["bringToFront"]:
        await context.chrome.show_tab(info.id)
    return Answer(said=f"Page {info.number} is selected.")


async def new_page(context: Context, args: Args) -> Answer:
    chrome = context.chrome
    tab, loaded = await chrome.open_tab(
        args["url"], background=args["background"], seconds=args["timeout"] / 1000
    )
    context.world.chosen_tabs[context.watcher.key] = tab.id
    number = next(each.number for each in await chrome.tabs() if each.id == tab.id)
    return await _arrived(tab, loaded, f"Page {number} is open and selected")


async def close_page(context: Context, args: Args) -> Answer:
    info = await tab_info(context.world, context.watcher, args["pageId"])
    await context.chrome.close_tab(info.id)
    # Others that had selected it are told at their next call.
    if context.world.chosen_tabs.get(context.watcher.key) == info.id:
        del context.world.chosen_tabs[context.watcher.key]
    return Answer(said=f"Page {info.number} is closed.")


async def navigate_page(context: Context, args: Args) -> Answer:
    kind = args.get("type", "url")
    if kind == "url" and "url" not in args:
        raise InvalidArguments(
            "'url' is missing: it says where to go.", data={"argument": "url"}, fix="Pass 'url', or 'type'."
        )
    tab = await choose_tab(context.world, context.watcher)
    seconds, leave = args["timeout"] / 1000, args["handleBeforeUnload"] == "accept"
    async with tab.lock:
        if kind == "url":
            loaded = await navigate(tab, args["url"], seconds=seconds, leave=leave)
        elif kind == "reload":
            loaded = await reload(tab, ignore_cache=args["ignoreCache"], seconds=seconds, leave=leave)
        else:
            loaded = await go(tab, -1 if kind == "back" else 1, seconds=seconds, leave=leave)
    return await _arrived(tab, loaded, "Loaded")


async def _arrived(tab: Tab, loaded: bool, said: str) -> Answer:
    code = status(tab)
    if code is not None and not 200 <= code < 300:
        said += f", with HTTP status {code}"
    if not loaded:
        return Answer(said=f"{said}; the document is there, but it still loads.", from_page=True)
    place = await location(tab)
    return Answer(said=f"{said}.", shown=f"{place['url']} {place['title']!r}", from_page=True)


HANDLERS = {
    "list_pages": list_pages,
    "select_page": select_page,
    "new_page": new_page,
    "close_page": close_page,
    "navigate_page": navigate_page,
}
