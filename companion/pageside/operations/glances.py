"""What a tab looks like after something was done: a small picture, kept for the moment when nothing answers."""

from __future__ import annotations

import asyncio
import logging

from pageside.chrome.capture import Image
from pageside.chrome.tab import Tab
from pageside.operations.shots import Shot, shoot

log = logging.getLogger(__name__)

WIDTH_PX, HEIGHT_PX = 1280.0, 720.0
QUALITY = 60
ANSWER_SECONDS = 2.0
"""For a fresh picture, when something else was not answered in time."""


class _Last:
    """The newest picture that a tab gave."""

    def __init__(self, _tab: Tab) -> None:
        self.image: Image | None = None


async def glance(tab: Tab) -> Image:
    """The viewport as a JPEG of at most 1280x720 pixels, whatever the density of the screen; secrets are covered."""
    image = await shoot(tab, Shot("image/jpeg", QUALITY), (WIDTH_PX, HEIGHT_PX))
    keep(tab, image)
    return image


def keep(tab: Tab, image: Image) -> None:
    """The newest picture of the tab is this one."""
    tab.part(_Last).image = image


async def last_glance(tab: Tab) -> Image | None:
    """As the tab looks now; if it does not say so within 2 s, as it looked last, if it ever was seen."""
    taking = asyncio.ensure_future(glance(tab))
    taking.add_done_callback(_look_at)
    try:
        await asyncio.wait([taking], timeout=ANSWER_SECONDS)
        if taking.done() and not taking.cancelled() and taking.exception() is None:
            return taking.result()
    finally:
        # It tidies up by itself, which a page that hangs may hold up.
        taking.cancel()
    return tab.part(_Last).image


def _look_at(taking: asyncio.Future[Image]) -> None:
    if not taking.cancelled() and taking.exception() is not None:
        log.debug("no fresh picture: %s", taking.exception())
