"""Pictures of a page's elements by Chrome, when one is connected or can be found; none is launched for it."""

from __future__ import annotations

import base64
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pageside.chrome.bridge import element_of, place_of
from pageside.chrome.browser import Browser
from pageside.chrome.capture import screenshot
from pageside.chrome.documents import Document, call
from pageside.chrome.element_clip import clip_around, without_secrets
from pageside.core.pictures import MAX_PICTURE_BYTES, MAX_SIDE_PX, Margins, Picture
from pageside.errors import ChromeUnreachable, NoPicture
from pageside.hubs.page import Page

_MARGINS = Margins(20.0, 20.0, 20.0, 20.0)
_FORMS = (("image/png", 100), ("image/jpeg", 80), ("image/jpeg", 40))


@asynccontextmanager
async def _without_overlay(document: Document) -> AsyncIterator[None]:
    await call(document, "hideOverlay", True)
    try:
        yield
    finally:
        await call(document, "hideOverlay", False)


class ChromeCamera:
    """An `ElementCamera`."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def picture(self, page: Page, element: str, around: Margins | None = None) -> Picture | None:
        """The element as it is drawn, with 20 CSS px or `around` around it, and without Pageside's overlay."""
        if not self._browser.settings.enabled:
            return None
        try:
            place = await place_of(self._browser, page.secret, page.url)
        except ChromeUnreachable:
            return None
        handle = await element_of(place, element) if place is not None else None
        if place is None or handle is None:
            return None
        clip, given = await clip_around(place.tab, handle, around or _MARGINS)
        async with without_secrets(place.tab), _without_overlay(handle.document):
            for mime, quality in _FORMS:
                limit = (2.0 * MAX_SIDE_PX, 2.0 * MAX_SIDE_PX)
                image = await screenshot(place.tab, mime=mime, quality=quality, clip=clip, limit=limit)
                data = base64.b64decode(image.data)
                if len(data) <= MAX_PICTURE_BYTES:
                    taken = round(time.time() * 1000)
                    size = (clip.width, clip.height, image.scale)
                    return Picture(mime, *size, "chrome", taken, data, given.left, given.top)
        raise NoPicture(f"The picture is over {MAX_PICTURE_BYTES} bytes in every form.")
