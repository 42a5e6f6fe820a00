"""Who takes pictures of a page's elements from outside the page."""

from __future__ import annotations

from typing import Protocol

from pageside.core.pictures import Margins, Picture
from pageside.hubs.page import Page


class ElementCamera(Protocol):
    """A browser that is connected by other means than the page itself."""

    async def picture(self, page: Page, element: str, around: Margins | None = None) -> Picture | None:
        """What the user sees of the page's element of that id; None when this camera does not reach the page.

        `around`: how much of what lies around it is wanted as well.

        Raises `PagesideError` when it reaches the page and cannot take the picture; the page is asked then as well.
        """
        ...


class NoChrome:
    """No browser is connected: the page has to draw its elements by itself."""

    async def picture(self, page: Page, element: str, around: Margins | None = None) -> Picture | None:
        return None
