"""What every action has: its turn in the tab, its element, and the spot where that can be used."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pageside.chrome.activity import activity_of
from pageside.chrome.documents import Handle, call
from pageside.chrome.find import Target, find
from pageside.chrome.session import Session
from pageside.chrome.tab import Tab
from pageside.errors import DialogOpen, ElementNotFound, ElementNotReady, InvalidArguments, PagesideError

T = TypeVar("T")

READY_SECONDS = 2.0
"""So long an element may take until it can be used; then what is in the way is said."""
MARGIN_SECONDS = 3.0
"""More for the answer of a document that itself waits."""


@dataclass(slots=True)
class Done:
    """What an action did: `what` it was done to, and what else came of it so far."""

    what: str
    notes: list[str] = field(default_factory=list)
    armed: asyncio.Future[None] | None = field(default=None, repr=False)
    """Its effects are followed from when this is done: to be awaited before any input."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an element can be used (CSS px of the viewport), and what it is."""

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


async def followed(done: Done) -> None:
    """Return when what comes now will be followed."""
    if done.armed is not None:
        await asyncio.shield(done.armed)


async def found(tab: Tab, target: Target) -> Handle:
    """The element; one that is not there yet may be what the last action is about to bring."""
    return await or_once_settled(tab, lambda: find(tab, target), ElementNotFound)


async def or_once_settled(tab: Tab, attempt: Callable[[], Awaitable[T]], failure: type[PagesideError]) -> T:
    """What the attempt gives; after a `failure` while the last action still has effects, what it gives after them."""
    try:
        return await attempt()
    except failure:
        activity = activity_of(tab)
        if not activity.is_under_way:
            raise
        await activity.settle()
        await activity.arm()
        return await attempt()


async def spot_of(
    tab: Tab, target: Target | tuple[float, float], *, enabled: bool = True
) -> tuple[Session, Spot]:
    """Where to point, and whose input that is; `enabled`: what is disabled is in the way of itself."""
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
        await refuse_the_users(tab, f"use {what}", "takesPoint", x, y)
        return tab.session, Spot(x, y, what)
    element = await found(tab, target)
    return element.session, await ready(element, enabled=enabled)


async def refuse_the_users(tab: Tab, what: str, function: str, *arguments: Any) -> None:
    """Input of an agent never answers what the overlay asks the user: the page's `function` says whether it would."""
    why = await call(await tab.documents.of_frame(tab.session, tab.id), function, *arguments)
    if why:
        raise ElementNotReady(
            f"Cannot {what}: {why}.", data={"why": why}, fix="Wait until the user is done, or act elsewhere."
        )


async def ready(element: Handle, *, enabled: bool = True, hit: bool = True) -> Spot:
    """Wait until the element can be used; `hit`: what covers it is in the way."""
    needs = {"enabled": enabled, "hit": hit, "editable": False}
    answer = await call(
        element.document,
        "ready",
        element,
        needs,
        READY_SECONDS * 1000,
        seconds=READY_SECONDS + MARGIN_SECONDS,
    )
    return spot_in(answer, element)


def spot_in(answer: dict[str, Any], element: Handle) -> Spot:
    """Where the element can be used; raises `ElementNotReady` with what is in the way."""
    if "why" in answer:
        raise ElementNotReady(
            f"Cannot use {answer['what']} ({element.label}): {answer['why']} (waited {READY_SECONDS:g} s).",
            data={"element": answer["what"], "why": answer["why"]},
        )
    return Spot(answer["x"], answer["y"], answer["what"])
