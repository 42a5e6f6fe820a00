"""Pictures of a tab: the viewport, the whole page or a part of it, never larger than asked for."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from typing import Any

from pageside.chrome.documents import is_gone
from pageside.chrome.session import CommandFailed, Params
from pageside.chrome.tab import Tab
from pageside.core.pictures import MAX_PICTURE_BYTES
from pageside.errors import ChromeError, CommandTimeout

MAX_SIDE_PX = 16_384
"""Chrome draws nothing beyond this, in device pixels."""
MAX_BYTES = MAX_PICTURE_BYTES
"""Of an image in an answer that may be an event."""
_FIRST_SECONDS = 5.0
_STOP_SECONDS = 2.0
_NOT_DRAWN = "Unable to capture screenshot"
"""Also of a document that has drawn nothing yet."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture; `data` in base64, sizes in device pixels, `scale` device pixels for one CSS px."""

    data: str
    mime: str
    width: int
    height: int
    scale: float

    @property
    def size(self) -> int:
        """In bytes, before base64."""
        return len(self.data) * 3 // 4 - self.data.count("=", -2)


@dataclass(frozen=True, slots=True)
class Clip:
    """A part of the document, in CSS px from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    def times(self, zoom: float) -> Clip:
        """The same part in DIPs, if that is the browser's zoom."""
        return Clip(self.x * zoom, self.y * zoom, self.width * zoom, self.height * zoom)


async def screenshot(
    tab: Tab,
    *,
    mime: str = "image/png",
    quality: int = 80,
    clip: Clip | None = None,
    full_page: bool = False,
    limit: tuple[float, float] = (MAX_SIDE_PX, MAX_SIDE_PX),
    view: Metrics | None = None,
) -> Image:
    """The viewport, or `clip`, or the whole page, scaled down to fit `limit` (device pixels); `view` if known."""
    view = view or await metrics(tab)
    box = clip or (view.page if full_page else view.viewport)
    ratio = view.ratio
    scale = min(1.0, limit[0] / (box.width * ratio), limit[1] / (box.height * ratio))
    if scale < 1.0:
        # Of less than a pixel Chrome makes no picture, nor an error.
        least = 1 / (scale * ratio)
        box = replace(box, width=max(box.width, least), height=max(box.height, least))
    beyond = full_page or (clip is not None and not _inside(clip, view.viewport))
    # Without a clip Chrome takes the viewport as it is, some ms faster.
    as_it_is = box is view.viewport and scale == 1.0 and view.is_plain
    data = await capture(
        tab,
        format=mime.removeprefix("image/"),
        optimizeForSpeed=True,
        **({} if as_it_is else {"clip": {**asdict(box.times(view.zoom)), "scale": scale}}),
        **({"quality": quality} if mime != "image/png" else {}),
        **({"captureBeyondViewport": True} if beyond else {}),
    )
    scale *= ratio
    return Image(data, mime, round(box.width * scale), round(box.height * scale), scale)


async def capture(tab: Tab, **how: Any) -> str:
    """`Page.captureScreenshot`: of the next document, where one gives way to it just then."""
    try:
        return await _captured(tab, **how)
    except CommandFailed as error:
        if not (is_gone(error) or error.reason.startswith(_NOT_DRAWN)):
            raise
    # The next document answers as soon as it is there.
    await tab.evaluate("0")
    return await _captured(tab, **how)


async def _captured(tab: Tab, **how: Any) -> str:
    """Of a tab behind others it could wait for ever: a screencast makes it draw."""
    session = tab.session
    # Sent together: Chrome keeps their order.
    started = asyncio.ensure_future(
        session("Page.startScreencast", format="jpeg", quality=1, maxWidth=16, maxHeight=16)
    )
    # Where both are refused, only the picture's error is told.
    started.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        try:
            answer = await session("Page.captureScreenshot", seconds=_FIRST_SECONDS, **how)
        except CommandTimeout:
            answer = await session("Page.captureScreenshot", **how)
        await started
    finally:
        started.cancel()
        tab.later(_stop_screencast(tab))
    data: str = answer["data"]
    return data


async def _stop_screencast(tab: Tab) -> None:
    try:
        await tab.session("Page.stopScreencast", seconds=_STOP_SECONDS)
    except ChromeError:
        # A page that is gone or shows a dialog draws nothing anyway.
        return


@dataclass(frozen=True, slots=True)
class Metrics:
    """The viewport and the whole page, in CSS px of the document."""

    viewport: Clip
    page: Clip
    ratio: float
    """Device pixels for one CSS px."""
    zoom: float
    """DIPs for one CSS px: the zoom that the browser's user set. Windows and clips of Chrome count in DIPs."""
    pinch: float = 1.0
    """How much the user has enlarged the page with two fingers."""

    @property
    def is_plain(self) -> bool:
        """Neither zoomed nor pinched."""
        return self.zoom == 1.0 and self.pinch == 1.0


async def metrics(tab: Tab) -> Metrics:
    """As they are now (`Page.getLayoutMetrics`; the ratio from the page, which alone knows emulation)."""
    layout, ratio = await asyncio.gather(
        tab.session("Page.getLayoutMetrics"), tab.evaluate("devicePixelRatio")
    )
    view: Params = layout["cssVisualViewport"]
    content: Params = layout["cssContentSize"]
    return Metrics(
        Clip(view["pageX"], view["pageY"], view["clientWidth"], view["clientHeight"]),
        Clip(0, 0, content["width"], content["height"]),
        float(ratio) if isinstance(ratio, int | float) and ratio > 0 else 1.0,
        float(view.get("zoom", 1.0)),
        float(view.get("scale", 1.0)),
    )


def _inside(clip: Clip, view: Clip) -> bool:
    return (
        clip.x >= view.x
        and clip.y >= view.y
        and clip.x + clip.width <= view.x + view.width
        and clip.y + clip.height <= view.y + view.height
    )
