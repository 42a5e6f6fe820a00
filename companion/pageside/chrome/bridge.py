"""A page of the inspector client and a tab of Chrome are one: matched by the secret that the page holds."""

from __future__ import annotations

import asyncio
import json
import urllib.parse
from dataclasses import dataclass

from pageside.chrome.browser import Browser, TabInfo
from pageside.chrome.documents import Handle, call, unwrap
from pageside.chrome.session import Session
from pageside.chrome.tab import Tab
from pageside.contract import CHANNEL
from pageside.errors import ChromeError, CommandTimeout, PagesideError

SYMBOL: str = CHANNEL["pageSymbol"]
_IN_PAGE = f"globalThis[Symbol.for({json.dumps(SYMBOL)})]"
_ASK_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page runs: its tab, the session of its frame, and its own world there."""

    tab: Tab
    session: Session
    world: str


async def place_of(browser: Browser, secret: str, url: str) -> Place | None:
    """The place whose page has that secret; None when no tab of this Chrome runs it.

    Asks the tabs that show `url` first, then others of its origin, then those that are attached already: attaching
    wakes tabs that Chrome has put to sleep.
    """
    if not secret:
        return None
    tabs = await browser.tabs(launch=False)
    attached = {tab.id for tab in browser.attached}
    for group in _likely(tabs, url, attached):
        places = await asyncio.gather(*(_look(browser, info, secret) for info in group))
        found = next((place for place in places if place is not None), None)
        if found is not None:
            return found
    return None


def _likely(tabs: list[TabInfo], url: str, attached: set[str]) -> list[list[TabInfo]]:
    exact = [info for info in tabs if _document(info.url) == _document(url)]
    near = [info for info in tabs if _origin(info.url) == _origin(url) and info not in exact]
    rest = [info for info in tabs if info.id in attached and info not in exact and info not in near]
    return [group for group in (exact, near, rest) if group]


def _document(url: str) -> str:
    # Not the query: secrets were taken out of the one that the page told.
    return url.partition("#")[0].partition("?")[0]


def _origin(url: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc


async def _look(browser: Browser, info: TabInfo, secret: str) -> Place | None:
    try:
        tab = await browser.tab(info.id)
        worlds = [
            (session, world) for session in tab.sessions() for world in tab.documents.main_worlds(session)
        ]
        answers = await asyncio.gather(*(_has(session, world, secret) for session, world in worlds))
    except (ChromeError, CommandTimeout):
        # It went away, hangs or shows a dialog: then it cannot be told.
        return None
    for (session, world), answer in zip(worlds, answers, strict=True):
        if answer:
            return Place(tab, session, world)
    return None


async def _has(session: Session, world: str, secret: str) -> bool:
    return await _asked(session, world, f"{_IN_PAGE}?.secret === {json.dumps(secret)}") is True


async def secret_of(session: Session, world: str) -> str | None:
    """The secret of the page that runs in that world; '' if none does, None if it does not answer."""
    told = await _asked(session, world, f"String({_IN_PAGE}?.secret ?? '').slice(0, 100)")
    return told if isinstance(told, str) else None


async def _asked(session: Session, world: str, expression: str) -> object:
    """The value of an expression there; None if nobody answers."""
    try:
        answer = await session(
            "Runtime.evaluate",
            seconds=_ASK_SECONDS,
            expression=expression,
            uniqueContextId=world,
            returnByValue=True,
        )
        return unwrap(answer)
    except PagesideError:
        return None


async def element_of(place: Place, element: str) -> Handle | None:
    """What the client knows under that id, as an element of the toolkit's world; None if it is gone."""
    answer = await place.session(
        "Runtime.evaluate",
        expression=f"{_IN_PAGE}?.element({json.dumps(element)})",
        uniqueContextId=place.world,
    )
    found = unwrap(answer, by_value=False)
    if "objectId" not in found:
        return None
    described = await place.session("DOM.describeNode", objectId=found["objectId"])
    frame = place.tab.documents.frame_of(place.session, place.world) or place.tab.id
    document = await place.tab.documents.of_frame(place.session, frame)
    resolved = await place.session(
        "DOM.resolveNode",
        backendNodeId=described["node"]["backendNodeId"],
        executionContextId=document.context,
    )
    return Handle(document, resolved["object"]["objectId"], f"the picked element {element}")


async def uid_of(handle: Handle) -> str:
    """The uid that snapshots give the element."""
    uid: str = await call(handle.document, "uid", handle)
    return uid
