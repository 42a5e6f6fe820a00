"""Where the pictures are taken: a page of the example app with its overlay, of a fixed size."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from PIL import Image
from playwright.async_api import Browser, Page

from support.app import REPOSITORY, DevServer, copy_example, dev_server
from support.overlay import Overlay

PICTURES = REPOSITORY / "docs" / "pictures"
SIZE = (1000, 640)
SCHEMES = ("light", "dark")
AGENT = "Ada’s agent"
# What clocks say differs each time.
STILL = r"""() => {
  const still = (text) => text
    .replace(/\b\d+(\.\d+)? ms\b/g, '12 ms')
    .replace(/\b\d+(\.\d+)? s\b/g, '3 s')
    .replace(/(?<!:)\b\d{1,2}:\d\d(:\d\d)?( [AP]M)?\b/g, '10:24')
    .replace(/\d+ min ago/g, 'just now')
  const root = document.querySelector('pageside-overlay')?.shadowRoot ?? document
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    // What the page says stays as it is.
    if (!parentElement.closest('.options') && still(data) !== data) texts.currentNode.data = still(data)
  }
}"""


@dataclass
class Shot:
    """One state: a picture of it in each scheme."""

    name: str
    title: str
    caption: str


@dataclass
class Stage:
    """Takes pictures of the states that it is led to."""

    browser: Browser
    server: DevServer
    only: str = ""
    shots: list[Shot] = field(default_factory=list)

    @asynccontextmanager
    async def open(self, width: int = SIZE[0], height: int = SIZE[1]) -> AsyncIterator[Overlay]:
        """A fresh profile, hence a user who has not been here before."""
        context = await self.browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", locale="en-GB"
        )
        yield await Overlay.open(context, self.server)
        await context.close()

    async def take(self, overlay: Overlay, name: str, title: str, caption: str) -> None:
        """Both pictures of what is to be seen now."""
        self.shots.append(Shot(name, title, caption))
        if self.only not in name:
            return
        for scheme in SCHEMES:
            await picture(overlay.page, name, scheme)
        await overlay.page.emulate_media(color_scheme="light")
        print(f"  {name}", flush=True)


@asynccontextmanager
async def noon() -> AsyncIterator[DevServer]:
    """The dev server of a fresh copy of the example app, with an empty queue; its companion is there for tabs too."""
    copy = copy_example("vite-react")
    # The pictures show the folder's name as that of the project.
    place = copy.with_name(f"{copy.name}-of") / "noon"
    place.parent.mkdir()
    async with dev_server(copy.rename(place), environment={"PAGESIDE_TAB_PORT": "0"}) as server:
        await server.companion(seconds=60)
        yield server


def progress(titles: Sequence[str], done: int) -> dict[str, Any]:
    """What an agent reports that has done so many of its steps and works on the next."""
    states = ["completed"] * done + ["in-progress"] + ["pending"] * len(titles)
    steps = [
        {"id": number, "title": title, "status": status}
        for number, (title, status) in enumerate(zip(titles, states, strict=False))
    ]
    return {"status": "in-progress", "progress": {"steps": steps}}


async def picture(page: Page, name: str, scheme: str) -> None:
    """What that page shows, `light` or `dark`."""
    await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    path = PICTURES / f"{name}-{scheme}.webp"
    (await shown(page)).save(path, "WEBP", lossless=True, quality=60, method=4)


async def shown(page: Page) -> Image.Image:
    """What that page shows now, its clocks standing still."""
    await page.evaluate(STILL)
    image = Image.open(io.BytesIO(await page.screenshot(animations="disabled", caret="hide")))
    # Six bits of eight: nobody sees the difference, and it is much smaller.
    return image.convert("RGB").point(lambda value: value & 0xFC | value >> 6)
