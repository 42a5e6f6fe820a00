"""Pictures of a tab that agents ask for: the viewport, the whole page or an element, with secrets covered."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, replace

from pageside.chrome.capture import MAX_BYTES, Image, metrics, screenshot
from pageside.chrome.capture import MAX_SIDE_PX as MAX_DRAWN_PX
from pageside.chrome.element_clip import element_clip, without_secrets
from pageside.chrome.find import Target, find
from pageside.chrome.tab import Tab

MAX_SIDE_PX = 2000
"""Of an image of the viewport or an element in an answer."""
COARSE = 60
"""The quality of the JPEG that is taken where the picture is too large: words stay readable."""
_JPEG = "image/jpeg"
_LIGHTER = 0.45
"""What such a JPEG takes of the bytes of a PNG, or of a finer JPEG: mostly less."""
_TRIES = 6


@dataclass(frozen=True, slots=True)
class Shot:
    """What to take; `quality` (1 to 100) is for JPEG and WebP."""

    mime: str = "image/png"
    quality: int = 80
    element: Target | None = None
    """None: the viewport."""
    full_page: bool = False


async def shoot(
    tab: Tab, shot: Shot, limit: tuple[float, float] = (float(MAX_DRAWN_PX), float(MAX_DRAWN_PX))
) -> Image:
    """The picture, scaled down to fit `limit` (width and height in device pixels)."""
    clip = await element_clip(tab, await find(tab, shot.element)) if shot.element is not None else None
    seen = asyncio.ensure_future(metrics(tab))
    try:
        async with without_secrets(tab):
            return await screenshot(
                tab,
                mime=shot.mime,
                quality=shot.quality,
                clip=clip,
                full_page=shot.full_page,
                limit=limit,
                view=await seen,
            )
    finally:
        seen.cancel()


@dataclass(frozen=True, slots=True)
class Fitting:
    """A picture that an answer can carry; and the one that was asked for, where that is larger."""

    image: Image
    whole: Image | None = None


async def shoot_to_fit(tab: Tab, shot: Shot, limit: tuple[float, float] | None = None) -> Image:
    """One that any answer can carry; `limit` as of `shoot`."""
    return (await shoot_fitting(tab, shot, limit=limit)).image


async def shoot_fitting(
    tab: Tab, shot: Shot, room: int = MAX_BYTES, *, limit: tuple[float, float] | None = None
) -> Fitting:
    """At most `room` bytes: where it would be larger, a coarser JPEG, and then a smaller one; `limit` as of `shoot`."""
    widest = (MAX_SIDE_PX, MAX_DRAWN_PX if shot.full_page else MAX_SIDE_PX)
    whole = image = await shoot(tab, shot, limit or widest)
    coarse = replace(shot, mime=_JPEG, quality=min(shot.quality, COARSE))
    lighter = 1.0 if coarse == shot else _LIGHTER
    for _ in range(_TRIES):
        if image.size <= room:
            break
        # Bytes go with the area, nearly.
        share = min(1.0, 0.95 * math.sqrt(room / (image.size * lighter)))
        image = await shoot(tab, coarse, (image.width * share, image.height * share))
        lighter = 1.0
    return Fitting(image, whole if image is not whole else None)
