"""The toolset `browser`: ten tools to see and use a page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pageside.chrome import act
from pageside.chrome.acting import Done, acting, followed
from pageside.chrome.activity import activity_of, settled
from pageside.chrome.documents import call
from pageside.chrome.downloads import downloads_of
from pageside.chrome.find import Target, find, others_saying
from pageside.chrome.keyboard import type_text
from pageside.chrome.navigation import location, navigate, status
from pageside.chrome.reader import Reading, read_text
from pageside.chrome.scripts import run
from pageside.chrome.snapshot import past_end, snapshot
from pageside.chrome.tab import Tab
from pageside.chrome.waits import until_seen
from pageside.chrome.words import Found, find_by_words
from pageside.core.keys import parse_keys
from pageside.errors import ChromeError, InvalidArguments, MultipleTabs, TabDisconnected, TabNotFound
from pageside.operations.gate import reach_new_tab, script_permit
from pageside.operations.glances import glance, keep
from pageside.operations.shots import Shot, shoot_to_fit
from pageside.toolsets.base import Answer, Args, Context, Picture, toolset
from pageside.toolsets.browser_answers import (
    READ,
    acted,
    has_moved,
    helped,
    in_own_words,
    lines,
    scale_of,
    seen,
    spot,
    tab_of,
    take,
    target,
)

WAIT_SECONDS = 10.0
"""For an element."""


async def browser_screenshot(context: Context, args: Args) -> Answer:
    element = target(args)
    tab = await tab_of(context, args)
    async with helped(tab):
        await settled(tab)
        image = await shoot_to_fit(tab, Shot(element=element))
    if element is None:
        keep(tab, image)
    size = {"width": image.width, "height": image.height, "scale": round(image.scale, 3)}
    return Answer(size, pictures=(Picture(image.data, image.mime),))


async def browser_navigate(context: Context, args: Args) -> Answer:
    tab = None if args["newTab"] else await _tab_to_go(context, args)
    if tab is None:
        await reach_new_tab()
        tab, loaded = await context.chrome.open_tab(args["url"])
    else:
        loaded = await _went(tab, args["url"])
    take(context, tab)
    place = await location(tab) if loaded else {"title": "", "url": args["url"]}
    has_moved(tab, place["url"])
    told = {"title": place["title"], "url": place["url"], "status": status(tab)}
    return Answer(
        {**told, "tab": context.chrome.number(tab.id), **({} if loaded else {"loading": True})},
        from_page=True,
    )


async def _went(tab: Tab, url: str) -> bool:
    async with helped(tab), tab.lock:
        try:
            return await navigate(tab, url)
        finally:
            # The answer says so, or the error does.
            downloads_of(tab).take()


async def _tab_to_go(context: Context, args: Args) -> Tab | None:
    """None: a new one, so that nobody's tab is left whom the agent did not name."""
    is_named = "tab" in args or "tabIndex" in args
    try:
        try:
            tab = await tab_of(context, args)
        except TabDisconnected:
            # Said once, and who goes elsewhere need not know.
            tab = await tab_of(context, args)
    except (MultipleTabs, TabNotFound):
        if is_named:
            raise
        return None
    return tab if is_named or not _is_others(context, tab) else None


def _is_others(context: Context, tab: Tab) -> bool:
    """Another agent has it, and this one has not."""
    own, chosen = context.watcher.key, context.world.chosen_tabs
    return chosen.get(own) != tab.id and tab.id in chosen.values()


async def browser_click(context: Context, args: Args) -> Answer:
    if "dialog" in args:
        return await _answer_dialog(context, args)
    where = spot(args)
    tab = await tab_of(context, args)
    async with helped(tab):
        return await acted(context, tab, _clicked(tab, where))


async def _clicked(tab: Tab, where: Target | tuple[float, float]) -> Done:
    others = 0
    if isinstance(where, Target) and where.text is not None:
        await activity_of(tab).loaded()
        others = await others_saying(tab, where.text)
    done = await act.click(tab, where)
    done.notes += [f"{others} more say so; browser_find tells them apart."] if others else []
    return done


async def _answer_dialog(context: Context, args: Args) -> Answer:
    if any(name in args for name in ("ref", "uid", "selector", "text", "x", "y")):
        raise InvalidArguments(
            "'dialog' answers a dialog, and clicks no element.", data={"argument": "dialog"}
        )
    tab = await tab_of(context, args)
    if tab.dialog is None and not tab.silent:
        raise ChromeError("No dialog is open in the tab.", fix="Go on without answering one.")
    text = {"promptText": args["promptText"]} if "promptText" in args else {}
    await tab.session("Page.handleJavaScriptDialog", seconds=5, accept=args["dialog"] == "accept", **text)
    return await seen(context, tab, Done(""))


async def browser_type(context: Context, args: Args) -> Answer:
    where = target(args)
    if "keys" in args:
        parse_keys(args["keys"])
    tab = await tab_of(context, args)
    async with helped(tab):
        return await acted(context, tab, _typed(tab, where, args))


async def _typed(tab: Tab, where: Target | None, args: Args) -> Done:
    keys, is_typed = args.get("keys"), bool(args["text"] or where is not None or args["clear"])
    if keys is not None and not is_typed and not args["submit"]:
        return await act.press(tab, keys)
    done = await type_text(tab, args["text"], where, clear=args["clear"], submit=args["submit"])
    if keys is not None:
        done.notes += (await act.press(tab, keys)).notes
    return done


async def browser_read_page(context: Context, args: Args) -> Answer:
    is_text = args["mode"] == "text"
    if is_text and "ref" in args:
        raise InvalidArguments("'ref' does not go with mode 'text'.", data={"argument": "ref"})
    tab = await tab_of(context, args)
    async with helped(tab):
        await settled(tab)
        if is_text:
            return _text(await read_text(tab), args["from"], args["maxChars"])
        taken = await snapshot(
            tab,
            root=target(args, ("ref",)),
            interactive=args["mode"] == "interactive",
            max_chars=args["maxChars"],
            start=args["from"],
            tool=READ,
        )
    return Answer(said="" if taken.text else "Nothing is shown.", shown=taken.text, from_page=True)


def _text(reading: Reading, start: int, max_chars: int) -> Answer:
    if start and start >= len(reading.lines):
        raise past_end(start, len(reading.lines))
    shown = _cut(reading.lines[start:], max_chars)
    left = len(reading.lines) - start - len(shown)
    said = "The article of the page." if reading.is_article else "No article: all visible text of the page."
    said += f" {left} more lines: from={start + len(shown)}." if left else ""
    said = said if reading.lines else "Nothing is shown."
    head = [] if start else [each for each in (reading.title, reading.byline) if each]
    return Answer(said=said, shown="\n".join([*head, *shown]), from_page=True)


def _cut(rows: Sequence[str], max_chars: int) -> list[str]:
    """As many as fit, but one at least."""
    kept: list[str] = []
    room = max_chars
    for row in rows:
        room -= len(row) + 1
        if room < 0 and kept:
            break
        kept.append(row if room >= 0 else f"{row[:max_chars]}…")
    return kept


async def browser_find(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    async with helped(tab):
        await settled(tab)
        found = await find_by_words(tab, args["query"])
    if found:
        return Answer({"found": [_told(each) for each in found]}, from_page=True)
    hint = (
        "Nothing on the page is called like that. Use other words, scroll, or a uid of the snapshot as ref."
    )
    return Answer({"found": [], "hint": hint, "snapshot": await lines(tab)}, from_page=True)


def _told(found: Found) -> dict[str, Any]:
    rect = dict(zip(("x", "y", "w", "h"), found.rect, strict=True)) if found.rect is not None else None
    return {
        "ref": found.ref,
        "tag": found.tag,
        "role": found.role,
        "text": found.text,
        **({"rect": rect} if rect is not None else {}),
        **({"near": found.near} if found.near else {}),
        "score": found.score,
    }


async def browser_scroll(context: Context, args: Args) -> Answer:
    where = target(args, ("ref", "selector"))
    tab = await tab_of(context, args)
    async with helped(tab):
        moved = await _scrolled(tab, where, -1 if args["direction"] == "up" else 1, args.get("amount", 0))
        await settled(tab)
        image = await glance(tab)
    left = moved["above"] if args["direction"] == "up" else moved["below"]
    told = {"success": True, "scrolled": abs(moved["moved"]), "left": left, **scale_of(image)}
    return Answer(told, pictures=(Picture(image.data, image.mime),))


async def _scrolled(tab: Tab, where: Target | None, down: int, amount: float) -> dict[str, int]:
    async with acting(tab) as done:
        element = await find(tab, where) if where is not None else None
        document = element.document if element is not None else await tab.top()
        await followed(done)
        moved: dict[str, int] = await call(document, "scrollView", element, down, amount)
    return moved


async def browser_wait(context: Context, args: Args) -> Answer:
    if "selector" in args:
        tab = await tab_of(context, args)
        async with helped(tab):
            seconds = min(WAIT_SECONDS, args.get("seconds", WAIT_SECONDS))
            await until_seen(tab, selector=args["selector"], seconds=seconds)
    elif "seconds" in args:
        await asyncio.sleep(args["seconds"])
    else:
        raise InvalidArguments("Pass 'seconds' or 'selector'.", data={"argument": "seconds"})
    return Answer({"success": True})


async def browser_tabs(context: Context, _args: Args) -> Answer:
    tabs = sorted(await context.chrome.tabs(), key=lambda tab: tab.number)
    own = context.world.chosen_tabs.get(context.watcher.key)
    rows = [{**tab.summary(), **({"yours": True} if tab.id == own else {})} for tab in tabs]
    return Answer({"tabs": rows}, from_page=True)


async def browser_execute_js(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    async with helped(tab):
        result = await run(tab, args["code"], permit=script_permit())
    return Answer({"result": result}, from_page=True)


_HANDLERS = (
    browser_screenshot,
    browser_navigate,
    browser_click,
    browser_type,
    browser_read_page,
    browser_find,
    browser_scroll,
    browser_wait,
    browser_tabs,
    browser_execute_js,
)

BROWSER = toolset("browser", {handler.__name__: handler for handler in _HANDLERS}, advise=in_own_words)
