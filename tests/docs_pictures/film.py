"""A recording: what a page shows at each moment that matters, with a pointer and a caption that only recordings have.

How long a moment lasts is said, not measured: a run on a busy machine makes the same recording.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from playwright.async_api import Locator, expect

from docs_pictures.stage import shown
from support.overlay import Overlay

STEP_MS = 40
_STEPS = 14
# In the overlay's own root: what it raises above the page has these on top.
_PROPS = """(root) => {
  const made = (name, css, html) => {
    const element = document.createElement('div')
    element.id = name
    element.style.cssText = `position:absolute;z-index:9;pointer-events:none;${css}`
    element.innerHTML = html
    root.shadowRoot.append(element)
  }
  made('recorded-pointer', 'left:0;top:0;width:22px;height:26px',
    '<svg viewBox="0 0 22 26" style="width:22px;height:26px;stroke:#fff;stroke-width:1.6;fill:#111">' +
    '<path d="M2 2v18l4.6-4 3 7 3.6-1.6-3-6.8H17z"/></svg>')
  made('recorded-caption', 'left:16px;bottom:16px;max-width:520px;padding:9px 15px;border-radius:9px;' +
    'font:600 14px/1.35 system-ui,sans-serif;color:#fff;background:#15151c;border:1px solid #555', '')
}"""
_POINT = "(root, [x, y]) => { root.shadowRoot.getElementById('recorded-pointer').style.translate = `${x}px ${y}px` }"
_SAY = "(root, text) => { root.shadowRoot.getElementById('recorded-caption').textContent = text }"


class Film:
    """Frames of one page, each with the time that it stays."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay, self._page = overlay, overlay.page
        self._at = (0.0, 0.0)
        self._frames: list[tuple[Image.Image, int]] = []

    async def start(self, at: tuple[float, float]) -> None:
        """The pointer is there."""
        await self._overlay.root.evaluate(_PROPS)
        await self._point(at)

    async def say(self, caption: str) -> None:
        await self._overlay.root.evaluate(_SAY, caption)

    async def hold(self, duration_ms: int) -> None:
        """What is to be seen now, for that long."""
        frame = await shown(self._page)
        if self._frames and self._frames[-1][0].tobytes() == frame.tobytes():
            frame, shown_ms = self._frames.pop()
            duration_ms += shown_ms
        self._frames.append((frame, duration_ms))

    async def move(self, target: Locator, tip: Locator | None = None) -> None:
        """The mouse goes to the middle of `target`, as a hand moves it; each frame has its place in the `tip`."""
        box = await target.bounding_box()
        assert box is not None
        (x, y), (to_x, to_y) = self._at, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for step in range(1, _STEPS + 1):
            part = step / _STEPS
            part *= part * (3 - 2 * part)
            await self._point((round(x + (to_x - x) * part), round(y + (to_y - y) * part)))
            if tip is not None:
                await expect(tip).to_contain_text(".tsx")
            await self.hold(STEP_MS)

    async def click(self) -> None:
        """Where the pointer is."""
        await self._page.mouse.down()
        await self._page.mouse.up()

    async def type(self, text: str) -> None:
        for start in range(0, len(text), 3):
            await self._page.keyboard.type(text[start : start + 3])
            await self.hold(2 * STEP_MS)

    async def _point(self, at: tuple[float, float]) -> None:
        self._at = at
        await self._page.mouse.move(*at)
        await self._overlay.root.evaluate(_POINT, at)

    def save(self, path: Path) -> str:
        """An animated WebP that repeats; how long and how large it is."""
        (first, _), *more = self._frames
        first.save(
            path,
            "WEBP",
            save_all=True,
            append_images=[frame for frame, _ in more],
            duration=[duration_ms for _, duration_ms in self._frames],
            loop=0,
            lossless=True,
            quality=80,
            method=4,
        )
        seconds = sum(duration_ms for _, duration_ms in self._frames) / 1000
        return f"{seconds:.1f} s, {len(self._frames)} frames, {path.stat().st_size / 1024:.0f} KiB"
