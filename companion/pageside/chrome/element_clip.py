"""Where to take the picture of an element, and what is covered in it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pageside.chrome.boxes import boxes_of, rectangle
from pageside.chrome.capture import Clip, metrics
from pageside.chrome.documents import Document, Handle, call
from pageside.chrome.find import documents, hangs
from pageside.chrome.frames import onto_page, path_to_top, zoom_of
from pageside.chrome.session import CommandFailed
from pageside.chrome.tab import Tab
from pageside.core.pictures import Margins
from pageside.errors import ChromeError, CommandTimeout, ElementNotReady

log = logging.getLogger(__name__)


NO_MARGINS = Margins(0.0, 0.0, 0.0, 0.0)


async def element_clip(tab: Tab, handle: Handle) -> Clip:
    """The upright rectangle around its border box, after scrolling it into view.

    Raises `ElementNotReady` for an element without a box.
    """
    clip, _ = await clip_around(tab, handle, NO_MARGINS)
    return clip


async def clip_around(tab: Tab, handle: Handle, margins: Margins) -> tuple[Clip, Margins]:
    """As `element_clip`, with so much more of the page around it; and how much more there is, left and top.

    Raises `ElementNotReady` for an element without a box.
    """
    try:
        await handle.session("DOM.scrollIntoViewIfNeeded", objectId=handle.object_id)
    except CommandFailed as error:
        raise _no_box(handle, error.reason) from None
    path = await path_to_top(tab, handle)
    boxes = await boxes_of(handle, await zoom_of(path))
    if boxes is None:
        raise _no_box(handle, "it is not drawn")
    box = rectangle(await onto_page(path, boxes.quads["border"]))
    view = (await metrics(tab)).viewport
    x, y = box["x"] + view.x, box["y"] + view.y
    left, top = max(0.0, x - margins.left), max(0.0, y - margins.top)
    right = x + box["width"] + margins.right
    bottom = y + box["height"] + margins.bottom
    if right - left < 1 or bottom - top < 1:
        raise _no_box(handle, "it has no size")
    given = Margins(x - left, y - top, margins.right, margins.bottom)
    return Clip(left, top, right - left, bottom - top), given


def _no_box(handle: Handle, why: str) -> ElementNotReady:
    return ElementNotReady(
        f"There is no picture of {handle.label}: {why}.",
        fix="Name an element that is shown; one with display: none or display: contents has no box.",
    )


@asynccontextmanager
async def without_secrets(tab: Tab) -> AsyncIterator[None]:
    """Passwords, card numbers, one-time codes and `data-private` parts are covered while this lasts."""
    covered: list[Document] = []
    if tab.frames and await hangs(tab):
        raise CommandTimeout(
            "A frame of the page does not answer, so what is secret in it cannot be covered: no picture.",
            fix="Read the page as text; the frame has to be ended, or the page loaded anew.",
        )
    try:
        async for document in documents(tab):
            covered += [document] if await call(document, "maskSecrets") else []
        yield
    finally:
        for document in covered:
            try:
                await call(document, "unmaskSecrets")
            except ChromeError as error:
                # A document that went away meanwhile took its covers with it.
                log.debug("covers are gone: %s", error)
