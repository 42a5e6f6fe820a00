"""What a picture shows, as a browser decodes it."""

from __future__ import annotations

import base64
import json
from typing import Any

import mcp_types as t
from playwright.async_api import BrowserContext

Colour = tuple[int, int, int]

_READ = """async (url) => {
  const image = new Image()
  image.src = url
  await image.decode()
  const { naturalWidth: width, naturalHeight: height } = image
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const counts = new Map()
  for (let at = 0; at < data.length; at += 4) {
    const colour = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2]
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  // Of noise every pixel is another: what is rare says nothing, and takes a minute on its way.
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5000)
  return { width, height, counts: JSON.stringify(most) }
}"""


class Pixels:
    """The size of a picture in px, and how much of it is of which colour."""

    def __init__(self, read: dict[str, Any]) -> None:
        self.width: int = read["width"]
        self.height: int = read["height"]
        self._counts: dict[Colour, int] = {_colour(packed): n for packed, n in json.loads(read["counts"])}

    @property
    def dominant(self) -> Colour:
        """What most of it is."""
        return max(self._counts, key=lambda colour: self._counts[colour])

    def share(self, colour: Colour, tolerance: int = 3) -> float:
        """0 to 1: how much of the picture is of about this colour."""
        near = sum(n for each, n in self._counts.items() if _distance(each, colour) <= tolerance)
        return near / (self.width * self.height)


def _colour(packed: int) -> Colour:
    return packed >> 16, packed >> 8 & 255, packed & 255


def _distance(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


async def pixels(context: BrowserContext, content: t.BlobResourceContents) -> Pixels:
    """Decode a screenshot resource."""
    return await decoded(context, content.mime_type or "", base64.b64decode(content.blob))


async def decoded(context: BrowserContext, mime: str, data: bytes) -> Pixels:
    """Decode an image."""
    page = await context.new_page()
    try:
        url = f"data:{mime};base64,{base64.b64encode(data).decode()}"
        return Pixels(await page.evaluate(_READ, url))
    finally:
        await page.close()
