"""Pictures of a tab that agents ask for: the viewport, the whole page or an element, with secrets covered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from pageside.chrome.capture import MAX_BYTES, Image, metrics, screenshot
from pageside.chrome.capture import MAX_SIDE_PX as MAX_DRAWN_PX
from pageside.chrome.element_clip import element_clip, without_secrets
from pageside.chrome.find import Target, find
from pageside.chrome.tab import Tab

MAX_SIDE_PX = 2000
"""Of an image of the viewport or an element in an answer."""
# Each as a share of the one before.
_SMALLER = (("image/jpeg", 80, 1.0), ("image/jpeg", 60, 0.5), ("image/jpeg", 50, 0.25))


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


async def shoot_to_fit(tab: Tab, shot: Shot, limit: tuple[float, float] | None = None) -> Image:
    """One that an answer can carry: where it would be too large, as JPEG, and then smaller; `limit` as of `shoot`."""
    widest = (MAX_SIDE_PX, MAX_DRAWN_PX if shot.full_page else MAX_SIDE_PX)
    image = await shoot(tab, shot, limit or widest)
    for smaller, quality, share in _SMALLER:
        if image.size <= MAX_BYTES:
            break
        less = (image.width * share, image.height * share)
        image = await shoot(tab, replace(shot, mime=smaller, quality=quality), less)
    return image
