"""Finding an element: by the uid of a snapshot, by a CSS selector, or by the words on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from pageside.chrome.documents import Document, Handle, call, handle, is_gone
from pageside.chrome.session import CALL_SECONDS, CommandFailed, Params, Session
from pageside.chrome.tab import Tab
from pageside.errors import (
    CommandTimeout,
    ElementNotFound,
    InvalidArguments,
    PagesideError,
    ScriptFailed,
    TabDisconnected,
)

_PIERCE = ">>>"
FRAME_SECONDS = 2.0
"""For a frame of another process; whoever takes longer hangs."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Target:
    """What an agent said of an element: one of the three."""

    uid: str | None = None
    selector: str | None = None
    text: str | None = None

    def __str__(self) -> str:
        if self.uid is not None:
            return f"uid {self.uid}"
        return f"selector {self.selector!r}" if self.selector is not None else f"text {self.text!r}"


async def find(tab: Tab, target: Target) -> Handle:
    """The element; raises `ElementNotFound`, or `InvalidArguments` for a selector that is none."""
    if target.uid is not None:
        return await _by_uid(tab, target.uid)
    function, wanted = (
        ("findBySelector", target.selector) if target.selector is not None else ("findByText", target.text)
    )

    async def look(document: Document) -> Handle | None:
        return await handle(document, function, wanted, label=str(target))

    try:
        found = await in_frame(tab, tab.id, look)
        for frame_id in [] if found is not None else await other_frames(tab):
            found = found or await in_other_frame(tab, frame_id, look)
    except ScriptFailed as error:
        raise selector_error(str(target), error) from None
    found = found or await _through_frames(tab, target)
    if found is not None:
        return found
    raise ElementNotFound(
        f"No element of the tab matches {target}.",
        fix="See what the page shows (take_snapshot) and name the element by its uid; or wait_for it.",
    )


async def others_saying(tab: Tab, text: str) -> int:
    """How many elements say so just as well as the one that `find` chooses."""
    others: int = await in_frame(tab, tab.id, lambda document: call(document, "othersSaying", text))
    return others


async def in_other_frame(
    tab: Tab, frame_id: str, look: Callable[[Document], Awaitable[T | None]]
) -> T | None:
    """The same in a frame that may go away meanwhile: None then."""
    try:
        return await in_frame(tab, frame_id, look)
    except CommandFailed:
        # A frame that went away meanwhile has no elements.
        return None


async def _by_uid(tab: Tab, uid: str) -> Handle:
    document = tab.documents.of_uid(uid)
    try:
        found = await handle(document, "element", uid, label=f"uid {uid}")
    except CommandFailed as error:
        if not is_gone(error):
            raise
        found = None
    if found is None:
        raise ElementNotFound(
            f"The element with uid {uid} is no longer on the page.",
            fix="Call take_snapshot and use a uid of that.",
            data={"uid": uid},
        )
    return found


async def in_frame(tab: Tab, frame_id: str, work: Callable[[Document], Awaitable[T]]) -> T:
    """What `work` makes of the document that the frame shows; of its successor, if it was replaced just now."""
    session = tab.frame_session(frame_id)
    document = await tab.documents.of_frame(session, frame_id)
    try:
        return await work(document)
    except CommandFailed as error:
        if not is_gone(error):
            raise
        tab.documents.drop(document)
    return await work(await tab.documents.of_frame(session, frame_id))


async def fresh(tab: Tab, frame_id: str) -> Document:
    """The document that the frame shows, tried: it answers."""

    async def answering(document: Document) -> Document:
        await call(document, "element", "0")
        return document

    return await in_frame(tab, frame_id, answering)


async def documents(tab: Tab, *, past_hanging: bool = False) -> AsyncIterator[Document]:
    """The top document, then those of frames that it cannot see into: other origins, other processes.

    `past_hanging`: without those of frames that do not answer; else one such raises `CommandTimeout`.
    """
    yield await tab.documents.of_frame(tab.session, tab.id)
    for frame_id in await other_frames(tab):
        session = tab.frame_session(frame_id)
        may_hang = past_hanging and session is not tab.session
        limit = FRAME_SECONDS if may_hang else CALL_SECONDS
        try:
            yield await tab.documents.of_frame(session, frame_id, seconds=limit)
        except CommandFailed:
            # A frame that went away meanwhile has no elements.
            continue
        except CommandTimeout:
            if not may_hang:
                raise


async def foreign_documents(tab: Tab) -> list[Document]:
    """Those that no document around them can see into."""
    every = [document async for document in documents(tab, past_hanging=True)]
    found = [document for document in every if document.frame_id != tab.id]
    asked = (call(each, "isInner", seconds=FRAME_SECONDS) for each in found)
    inner = await asyncio.gather(*asked, return_exceptions=True)
    return [document for document, answer in zip(found, inner, strict=True) if answer is False]


async def hangs(tab: Tab) -> bool:
    """Whether a frame of another process does not answer."""
    return None in await asyncio.gather(*(_frame_tree(tab, session) for session in tab.frames.values()))


async def other_frames(tab: Tab) -> list[str]:
    """Ids of the frames, nested ones too, whose documents are of another origin than what embeds them."""
    if not tab.frames and len(tab.documents.main_worlds(tab.session)) == 1:
        return []
    trees = await asyncio.gather(*(_frame_tree(tab, session) for session in tab.sessions()))
    found: list[str] = []
    for tree in filter(None, trees):
        _collect(tree["frameTree"], None, found)
    return [frame_id for frame_id in found if frame_id != tab.id]


async def _frame_tree(tab: Tab, session: Session) -> Params | None:
    """None of a frame that hangs, or went away: nothing in it can be found."""
    if session is tab.session:
        return await session("Page.getFrameTree")
    with suppress(CommandTimeout, TabDisconnected):
        return await session("Page.getFrameTree", seconds=FRAME_SECONDS)
    return None


def _collect(tree: dict[str, object], origin: str | None, found: list[str]) -> None:
    frame = tree["frame"]
    assert isinstance(frame, dict)
    own = str(frame.get("securityOrigin", ""))
    if own != origin or own in ("://", "null"):
        found.append(str(frame["id"]))
    children = tree.get("childFrames", [])
    assert isinstance(children, list)
    for child in children:
        _collect(child, own, found)


def selector_error(target: str, error: PagesideError) -> PagesideError:
    """What to raise for what finding raised: a selector that is none is the agent's mistake."""
    if not isinstance(error, ScriptFailed) or "is not a valid CSS selector" not in error.message:
        return error
    return InvalidArguments(f"{target} is not a valid CSS selector.", code="INVALID_SELECTOR")


async def _through_frames(tab: Tab, target: Target) -> Handle | None:
    """` >>> ` also goes into frames of other origins, whose documents have toolkits of their own."""
    way = await inner_frame(tab, target.selector or "")
    return await in_frame(tab, way[0], _selected(way[1])) if way is not None else None


async def inner_frame(tab: Tab, selector: str) -> tuple[str, str] | None:
    """The frame that all but the last part of the selector lead to, by ` >>> `, and that last part."""
    parts = [part.strip() for part in selector.split(_PIERCE)]
    if len(parts) < 2:
        return None
    frame_id = tab.id
    for part in parts[:-1]:
        frame = await in_frame(tab, frame_id, _selected(part))
        if frame is None:
            return None
        node = (await frame.session("DOM.describeNode", objectId=frame.object_id))["node"]
        if "frameId" not in node:
            return None
        frame_id = node["frameId"]
    return frame_id, parts[-1]


def _selected(selector: str) -> Callable[[Document], Awaitable[Handle | None]]:
    return lambda document: handle(document, "findBySelector", selector, label=str(Target(selector=selector)))
