"""A picture of an element with its boxes drawn over it. The page is left as it was."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import dist

from pageside.chrome.boxes import Boxes, boxes_of, rectangle
from pageside.chrome.capture import MAX_BYTES, Clip, Image, screenshot
from pageside.chrome.documents import Handle, call, handle
from pageside.chrome.frames import onto, onto_page, path_to_top, zoom_of
from pageside.chrome.tab import Tab
from pageside.errors import ChromeError

log = logging.getLogger(__name__)

AROUND_PX = 20
"""How much of the page is seen around the margin box, in CSS px."""
LIMIT_PX = 1600.0
"""A side; larger pictures are scaled down; in device pixels."""
_SMALLER = (1.0, 0.5, 0.25)
"""Of photographs, a PNG may be larger than an answer can be: the sides of the JPEGs that are tried then."""
_REFERENCE_PX = 100
_MAX_LOOKS = 20


@dataclass(frozen=True, slots=True)
class Marked:
    """The picture, or why there is none."""

    image: Image | None
    why_not: str = ""


async def marked(tab: Tab, element: Handle) -> Marked:
    """The element with content, padding, border and margin in colours, its name and its size.

    It is scrolled into view for that, and everything is scrolled back.
    """
    path = await path_to_top(tab, element)
    zoom = await zoom_of(path)
    if await boxes_of(element, zoom) is None:
        return Marked(None, await call(element.document, "whyNoBox", element))
    async with _scrolled_into_view(path):
        boxes, margin = await _settled(path, zoom)
        is_cut_off = len(path) > 1 or await call(element.document, "isCutOff", element)
        clip, is_beyond = await _clip(tab, margin, may_be_beyond=not is_cut_off)
        if clip is None:
            return Marked(None, "The element lies where nothing can be scrolled to.")
        async with _drawn(path, boxes, zoom, is_beyond=is_beyond):
            return Marked(await _shoot(tab, clip))


async def _shoot(tab: Tab, clip: Clip) -> Image:
    image = await screenshot(tab, clip=clip, limit=(LIMIT_PX, LIMIT_PX))
    for share in _SMALLER:
        if image.size <= MAX_BYTES:
            break
        limit = LIMIT_PX * share
        image = await screenshot(tab, mime="image/jpeg", clip=clip, limit=(limit, limit))
    return image


@asynccontextmanager
async def _scrolled_into_view(path: Sequence[Handle]) -> AsyncIterator[None]:
    element = path[0]
    try:
        for each in path:
            await call(each.document, "noteScrolls", each)
        await element.session("DOM.scrollIntoViewIfNeeded", objectId=element.object_id)
        yield
    finally:
        for each in path:
            await _put_back(each, "restoreScrolls")


async def _put_back(element: Handle, function: str) -> None:
    try:
        await call(element.document, function)
    except ChromeError as error:
        # A document that went away meanwhile took with it what there was to put back.
        log.debug("%s: %s", function, error)


async def _settled(path: Sequence[Handle], zoom: float) -> tuple[Boxes, dict[str, float]]:
    """The boxes, and the margin box in the tab's viewport, when scrolling has come to an end in all processes."""
    margin: dict[str, float] = {}
    for look in range(_MAX_LOOKS):
        boxes = await boxes_of(path[0], zoom)
        if boxes is None:
            break
        before, margin = margin, rectangle(await onto_page(path, boxes.quads["margin"]))
        if margin == before or len({each.session.id for each in path}) == 1 or look == _MAX_LOOKS - 1:
            return boxes, margin
        await call(path[-1].document, "nextFrame")
    raise ChromeError("The element disappeared while it was looked at.")


async def _clip(tab: Tab, box: dict[str, float], *, may_be_beyond: bool) -> tuple[Clip | None, bool]:
    """The part of the document to show, and whether that is more than the window shows."""
    layout = await tab.session("Page.getLayoutMetrics")
    # What Chrome says of boxes counts from the visual viewport, which a pinch moves within the layout's.
    seen, page = layout["cssVisualViewport"], layout["cssContentSize"]
    x, y = box["x"] - AROUND_PX + seen["pageX"], box["y"] - AROUND_PX + seen["pageY"]
    wanted = Clip(x, y, box["width"] + 2 * AROUND_PX, box["height"] + 2 * AROUND_PX)
    shown = Clip(seen["pageX"], seen["pageY"], seen["clientWidth"], seen["clientHeight"])
    is_beyond = may_be_beyond and (box["width"] > shown.width or box["height"] > shown.height)
    return _common(wanted, Clip(0, 0, page["width"], page["height"]) if is_beyond else shown), is_beyond


def _common(a: Clip, b: Clip) -> Clip | None:
    left, top = max(a.x, b.x), max(a.y, b.y)
    width = min(a.x + a.width, b.x + b.width) - left
    height = min(a.y + a.height, b.y + b.height) - top
    return Clip(left, top, width, height) if width >= 1 and height >= 1 else None


@asynccontextmanager
async def _drawn(
    path: Sequence[Handle], boxes: Boxes, zoom: float, *, is_beyond: bool
) -> AsyncIterator[None]:
    """The boxes are drawn over the element while this lasts."""
    element = path[0]
    try:
        reference = await handle(element.document, "openMark", element, label="the mark")
        square = await boxes_of(reference, zoom) if reference is not None else None
        if square is None:
            raise ChromeError("Nothing can be drawn in the page of this element.")
        # Whatever zooms, scrolls or turns the drawing: this is how its px lie in the viewport.
        to_mark = onto(square.quads["content"], _REFERENCE_PX, _REFERENCE_PX).inverse()
        quads = {edge: to_mark.quad(quad) for edge, quad in boxes.quads.items()}
        in_tab = await onto_page(path, square.quads["content"])
        label = {
            "text": await call(element.document, "titleOf", element),
            "unit": _REFERENCE_PX / max(dist(in_tab[:2], in_tab[2:4]), 1),
            "around": AROUND_PX,
            "isBeyond": is_beyond,
        }
        await call(element.document, "drawMark", quads, label)
        yield
    finally:
        await _put_back(element, "closeMark")
