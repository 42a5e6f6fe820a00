"""Doing to an element what a person would: wait until it can be done, then do it with real input events.

Each returns as soon as the input was delivered; what it sets off in the page is followed by `activity`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pageside.chrome import input as events
from pageside.chrome.activity import activity_of
from pageside.chrome.documents import Handle, call
from pageside.chrome.find import Target, documents, find, selector_error
from pageside.chrome.session import CommandFailed, Session
from pageside.chrome.tab import Tab
from pageside.errors import (
    ChromeError,
    CommandTimeout,
    DialogOpen,
    ElementNotFound,
    ElementNotReady,
    InvalidArguments,
    PagesideError,
    TabDisconnected,
)

READY_SECONDS = 2.0
"""So long an element may take until it can be used; then what is in the way is said."""
_MARGIN_SECONDS = 3.0
_CHOOSER_SECONDS = 3.0


@dataclass(slots=True)
class Done:
    """What an action did: `what` it was done to, and what else came of it so far."""

    what: str
    notes: list[str] = field(default_factory=list)
    armed: asyncio.Future[None] | None = field(default=None, repr=False)
    """Its effects are followed from when this is done: to be awaited before any input."""


@dataclass(frozen=True, slots=True)
class _Spot:
    x: float
    y: float
    what: str


@asynccontextmanager
async def acting(tab: Tab) -> AsyncIterator[Done]:
    """Around every action: one at a time, never into a page that is being left, and its effects are followed."""
    async with tab.lock:
        activity = activity_of(tab)
        await activity.loaded()
        # Meanwhile the element is looked for.
        armed = asyncio.ensure_future(activity.arm())
        done = Done("", armed=armed)
        try:
            yield done
            await armed
        except DialogOpen:
            if tab.dialog is None:
                raise
        finally:
            armed.cancel()
            await asyncio.gather(armed, return_exceptions=True)
        if tab.dialog is not None:
            dialog = tab.dialog
            done.notes.append(
                f"A dialog opened: {dialog.get('type')} {dialog.get('message')!r}. Answer it with handle_dialog."
            )


async def click(
    tab: Tab, target: Target | tuple[float, float], *, count: int = 1, button: str = "left"
) -> Done:
    """Click an element, or at a point of the viewport (CSS px)."""
    async with acting(tab) as done:
        session, spot = await _spot(tab, target)
        done.what = spot.what
        await followed(done)
        await events.click(session, spot.x, spot.y, count=count, button=button)
    return done


async def hover(tab: Tab, target: Target | tuple[float, float]) -> Done:
    """Move the mouse over an element."""
    async with acting(tab) as done:
        session, spot = await _spot(tab, target, enabled=False)
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
        seconds=READY_SECONDS + _MARGIN_SECONDS,
    )
    spot = _spot_in(outcome, element)
    if "click" in outcome:
        there = await _ready(element)
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
        _not_the_users(await _top(tab, "takesKey", keys), f"press {keys}")
        await followed(done)
        await events.press(session, keys)
    return done


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
        end = await _ready(second, hit=False, enabled=False)
        start = await _ready(first)
        again = await _ready(second, hit=False, enabled=False)
        if (again.x, again.y) != (end.x, end.y):
            start = await _ready(first)
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
        spot = await _ready(element)
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


async def wait_for(
    tab: Tab,
    *,
    texts: Sequence[str] = (),
    selector: str | None = None,
    gone: bool = False,
    seconds: float = 10.0,
) -> str | None:
    """The text or selector that is seen now (None: all are gone); raises `CommandTimeout`.

    Looks into every frame, and goes on through navigations.
    """
    wanted = {"texts": list(texts), "gone": gone, **({"selector": selector} if selector else {})}
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while (left := deadline - loop.time()) > 0:
        found = await _round(tab, wanted, min(left, 0.5), everywhere=gone)
        if found is not None:
            return None if found is True else str(found)
    what = f"selector {selector!r}" if selector else " or ".join(map(repr, texts))
    verb = "go away" if gone else "appear"
    raise CommandTimeout(
        f"{what} did not {verb} within {seconds:g} s.",
        fix="Look at the page (take_snapshot), then wait for what it will show.",
    )


async def _round(tab: Tab, wanted: dict[str, Any], seconds: float, *, everywhere: bool) -> str | bool | None:
    """Half a second at a time in all frames, so that a navigation costs one round at most."""
    asks: set[asyncio.Task[Any]] = set()
    try:
        async for document in documents(tab):
            ask = call(document, "waitFor", wanted, round(seconds * 1000), seconds=seconds + _MARGIN_SECONDS)
            asks.add(asyncio.ensure_future(ask))
        total = len(asks)
        found: list[str | bool] = []
        while asks:
            ended, asks = await asyncio.wait(asks, return_when=asyncio.FIRST_COMPLETED)
            found += [answer for answer in map(_answer, ended) if answer is not None]
            if found and (not everywhere or len(found) == total):
                return found[0]
    except PagesideError as error:
        if tab.session.broken is not None or not _may_pass(error):
            raise selector_error(f"selector {wanted.get('selector')!r}", error) from None
        # The document was replaced: the next round asks the new one.
        await asyncio.sleep(0.02)
    finally:
        for waiting in asks:
            waiting.cancel()
        await asyncio.gather(*asks, return_exceptions=True)
    return None


def _may_pass(error: PagesideError) -> bool:
    """Documents and frames come and go while one waits; everything else ends the wait."""
    return isinstance(error, CommandFailed | CommandTimeout | TabDisconnected | ElementNotFound)


def _answer(ask: asyncio.Task[Any]) -> Any:
    error = ask.exception()
    if error is not None:
        raise error
    return ask.result()


async def focused(tab: Tab) -> Session:
    """The session of the frame that has the keyboard."""
    for session in tab.frames.values():
        with suppress(ChromeError, CommandTimeout):
            if await tab.evaluate("document.hasFocus()", session=session, seconds=2):
                return session
    return tab.session


async def followed(done: Done) -> None:
    """Return when what comes now will be followed."""
    if done.armed is not None:
        await asyncio.shield(done.armed)


async def found(tab: Tab, target: Target) -> Handle:
    """The element; one that is not there yet may be what the last action is about to bring."""
    try:
        return await find(tab, target)
    except ElementNotFound:
        activity = activity_of(tab)
        if not activity.is_under_way:
            raise
        await activity.settle()
        await activity.arm()
        return await find(tab, target)


async def _spot(
    tab: Tab, target: Target | tuple[float, float], *, enabled: bool = True
) -> tuple[Session, _Spot]:
    if isinstance(target, tuple):
        x, y = target
        width, height = await tab.evaluate("[innerWidth, innerHeight]")
        if not (x < width and y < height):
            raise InvalidArguments(
                f"The point {x:g}, {y:g} is outside of the viewport of {width}x{height} CSS px.",
                data={"argument": "x" if x >= width else "y"},
                fix="Scroll there with a script, or name the element: then it is scrolled into view.",
            )
        what = f"the point {x:g}, {y:g}"
        _not_the_users(await _top(tab, "takesPoint", x, y), f"use {what}")
        return tab.session, _Spot(x, y, what)
    element = await found(tab, target)
    return element.session, await _ready(element, enabled=enabled)


async def _top(tab: Tab, function: str, *arguments: Any) -> str:
    return str(await call(await tab.documents.of_frame(tab.session, tab.id), function, *arguments))


def _not_the_users(why: str, what: str) -> None:
    """Input of an agent never answers in the overlay what the user was asked."""
    if why:
        raise ElementNotReady(
            f"Cannot {what}: {why}.", data={"why": why}, fix="Wait until the user is done, or act elsewhere."
        )


async def _ready(element: Handle, *, enabled: bool = True, hit: bool = True) -> _Spot:
    needs = {"enabled": enabled, "hit": hit, "editable": False}
    answer = await call(
        element.document,
        "ready",
        element,
        needs,
        READY_SECONDS * 1000,
        seconds=READY_SECONDS + _MARGIN_SECONDS,
    )
    return _spot_in(answer, element)


def _spot_in(answer: dict[str, Any], element: Handle) -> _Spot:
    """Where the element can be used; raises `ElementNotReady` with what is in the way."""
    if "why" in answer:
        raise ElementNotReady(
            f"Cannot use {answer['what']} ({element.label}): {answer['why']} (waited {READY_SECONDS:g} s).",
            data={"element": answer["what"], "why": answer["why"]},
        )
    return _Spot(answer["x"], answer["y"], answer["what"])
