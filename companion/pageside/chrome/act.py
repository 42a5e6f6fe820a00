"""Doing to an element what a person would: wait until it can be done, then do it with real input events.

Each returns as soon as the input was delivered; what it sets off in the page is followed by `activity`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pageside.chrome import input as events
from pageside.chrome.acting import (
    MARGIN_SECONDS,
    READY_SECONDS,
    Done,
    acting,
    followed,
    found,
    ready,
    refuse_the_users,
    spot_in,
    spot_of,
)
from pageside.chrome.documents import Handle, call
from pageside.chrome.find import Target
from pageside.chrome.session import Session
from pageside.chrome.tab import Tab
from pageside.errors import ChromeError, CommandTimeout, ElementNotReady, InvalidArguments, PagesideError

_CHOOSER_SECONDS = 3.0


async def click(
    tab: Tab, target: Target | tuple[float, float], *, count: int = 1, button: str = "left"
) -> Done:
    """Click an element, or at a point of the viewport (CSS px)."""
    async with acting(tab) as done:
        session, spot = await spot_of(tab, target)
        done.what = spot.what
        await followed(done)
        await events.click(session, spot.x, spot.y, count=count, button=button)
    return done


async def hover(tab: Tab, target: Target | tuple[float, float]) -> Done:
    """Move the mouse over an element."""
    async with acting(tab) as done:
        session, spot = await spot_of(tab, target, enabled=False)
        done.what = spot.what
        await followed(done)
        await events.move(session, spot.x, spot.y)
    return done


async def fill(tab: Tab, target: Target, value: str) -> Done:
    """Give a form control, or an editable element, a value."""
    async with acting(tab) as done:
        await followed(done)
        done.what = await _fill(tab, done, target, value)
    return done


async def select(tab: Tab, target: Target, value: str) -> Done:
    """Choose an option of a `<select>` by its value or label; raises `InvalidArguments` for other elements."""
    async with acting(tab) as done:
        await followed(done)
        element = await found(tab, target)
        node = (await element.session("DOM.describeNode", objectId=element.object_id))["node"]
        if node.get("localName") != "select":
            raise InvalidArguments(
                f"{element.label} is no <select>, but <{node.get('localName')}>.",
                data={"argument": "selector"},
                fix="Name a <select>; options of other elements are clicked.",
            )
        done.what = await _fill(tab, done, target, value)
    return done


async def fill_form(tab: Tab, values: Sequence[tuple[Target, str]]) -> Done:
    """Fill several, in order; an error names the one that failed, those before it are filled."""
    async with acting(tab) as done:
        await followed(done)
        for number, (target, value) in enumerate(values, 1):
            try:
                done.what = await _fill(tab, done, target, value)
            except PagesideError as error:
                before = f" The {number - 1} before it are filled." if number > 1 else " Nothing was filled."
                error.message = f"Element {number} of {len(values)}: {error.message}{before}"
                error.args = (error.message,)
                raise
    done.what = f"{len(values)} elements"
    return done


async def _fill(tab: Tab, done: Done, target: Target, value: str) -> str:
    element = await found(tab, target)
    outcome = await call(
        element.document,
        "prepare",
        element,
        value,
        READY_SECONDS * 1000,
        seconds=READY_SECONDS + MARGIN_SECONDS,
    )
    spot = spot_in(outcome, element)
    if "click" in outcome:
        there = await ready(element)
        await events.click(element.session, there.x, there.y)
    if "type" in outcome:
        outcome = await _typed(element, value)
    if "error" in outcome:
        raise InvalidArguments(
            f"Cannot fill {spot.what} ({element.label}): {outcome['error']}.", data={"argument": "value"}
        )
    done.notes += [outcome["note"]] if "note" in outcome else []
    return spot.what


async def _typed(element: Handle, value: str) -> dict[str, Any]:
    """Type into what is selected, and look at what came of it."""
    if value:
        await events.insert_text(element.session, value)
    else:
        await events.press(element.session, "Delete")
    held = await call(element.document, "filled", element, value)
    return held if isinstance(held, dict) else {}


async def press(tab: Tab, keys: str) -> Done:
    """Press a key or a combination, wherever the focus is."""
    async with acting(tab) as done:
        done.what = keys
        session = await focused(tab)
        await refuse_the_users(tab, f"press {keys}", "takesKey", keys)
        await followed(done)
        await events.press(session, keys)
    return done


async def focused(tab: Tab) -> Session:
    """The session of the frame that has the keyboard."""
    for session in tab.frames.values():
        with suppress(ChromeError, CommandTimeout):
            if await tab.evaluate("document.hasFocus()", session=session, seconds=2):
                return session
    return tab.session


async def drag(tab: Tab, source: Target, destination: Target) -> Done:
    """Drag one element onto another; both in documents of one process."""
    async with acting(tab) as done:
        first, second = await found(tab, source), await found(tab, destination)
        if first.session is not second.session:
            raise InvalidArguments(
                "Both elements must be in the same frame, or in frames of the same site.",
                fix="Drag inside one frame, or do it with a script.",
            )
        # Where the destination is, before the mouse button is down and everything moves.
        end = await ready(second, hit=False, enabled=False)
        start = await ready(first)
        again = await ready(second, hit=False, enabled=False)
        if (again.x, again.y) != (end.x, end.y):
            start = await ready(first)
        done.what = f"{start.what} onto {again.what}"
        await followed(done)
        await events.drag(first.session, (start.x, start.y), (again.x, again.y))
    return done


async def upload(tab: Tab, target: Target, files: Sequence[Path]) -> Done:
    """Give a file input its files; another element is clicked, and the chooser that opens gets them."""
    async with acting(tab) as done:
        element = await found(tab, target)
        await followed(done)
        names = [str(file) for file in files]
        done.what = await call(element.document, "describe", element)
        if await call(element.document, "isFileInput", element):
            if len(names) > 1 and not await call(element.document, "takesMany", element):
                raise _takes_one()
            await element.session("DOM.setFileInputFiles", files=names, objectId=element.object_id)
            return done
        await _through_chooser(tab, element, names)
    return done


async def _through_chooser(tab: Tab, element: Handle, names: list[str]) -> None:
    session = element.session
    await session("Page.setInterceptFileChooserDialog", enabled=True)
    chosen = asyncio.ensure_future(session.event("Page.fileChooserOpened", seconds=_CHOOSER_SECONDS))
    try:
        spot = await ready(element)
        await events.click(session, spot.x, spot.y)
        opened = await chosen
    except CommandTimeout:
        raise ElementNotReady(
            f"{element.label} is no file input, and a click on it opened no file chooser.",
            fix="Name the <input type=file>, or what opens its chooser.",
        ) from None
    finally:
        chosen.cancel()
        await asyncio.gather(chosen, return_exceptions=True)
        with suppress(ChromeError):
            await session("Page.setInterceptFileChooserDialog", enabled=False)
    if len(names) > 1 and opened.get("mode") == "selectSingle":
        raise _takes_one()
    await session("DOM.setFileInputFiles", files=names, backendNodeId=opened["backendNodeId"])


def _takes_one() -> InvalidArguments:
    return InvalidArguments("That input takes one file.", data={"argument": "filePaths"})
