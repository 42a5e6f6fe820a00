"""Pictures of the browser extension for docs/extension.md: the real extension, a companion and an agent."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Page, expect

from docs_pictures.stage import SCHEMES, picture
from support.agents import agent, call, fails
from support.extension import chromium_with_extension, companion_for_tabs
from support.panel import Panel

NAMES = ["extension-asks", "extension-popup", "extension-panel"]
WIDE, NARROW, POPUP = (1000, 1120), (420, 640), (340, 450)
# Ports, ids and clocks differ each time.
_STILL = r"""() => {
  const still = (text) => text
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, '0c6e5c1e-7a0b-4c57-9f6e-2f1d8a3b4c5d')
    .replace(/\b\d\d:\d\d:\d\d(\.\d+)?\b/g, (time) => (time.length > 8 ? '10:24:00.120' : '10:24:00'))
    .replace(/\b\d+(\.\d+)? (ms|s)\b/g, '12 ms')
    .replace(/localhost:\d+/g, 'localhost:5173')
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) texts.currentNode.data = still(texts.currentNode.data)
  for (const port of document.querySelectorAll('.port')) port.value = '61822'
  for (const note of document.querySelectorAll('.field-told')) note.textContent = ''
}"""

_LOGGED = """() => {
  console.info('12 dishes for Tuesday')
  console.warn('No picture of “Bánh mì”: the placeholder is shown')
  console.error('POST /orders: 503 Service Unavailable')
}"""


@dataclass
class Album:
    """Takes the pictures whose name holds `only`."""

    only: str

    async def take(self, page: Page, name: str, size: tuple[int, int]) -> None:
        """What a view shows now, light and dark."""
        if self.only not in name:
            return
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.evaluate(_STILL)
        for scheme in SCHEMES:
            await picture(page, name, scheme)
        print(f"  {name}", flush=True)


async def play(url: str, only: str) -> list[str]:
    """Use the page at `url` by the extension; the names of the pictures. `only`: nothing unless a name holds that."""
    if not any(only in name for name in NAMES):
        return NAMES
    album = Album(only)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        async with (
            chromium_with_extension(place / "profile", "--hide-scrollbars") as extension,
            companion_for_tabs(place) as companion,
            agent(companion.mcp_url, query="?toolsets=kapture") as client,
        ):
            tab = await extension.open(url)
            await expect(tab.page.locator("h1")).to_be_visible()
            panel, popup = [await Panel.open(extension, tab, view) for view in ("panel", "popup")]
            for view in (panel, popup):
                await view.page.emulate_media(reduced_motion="reduce")
            assert companion.tab_port is not None
            await panel.use_port(companion.tab_port)
            await panel.connect()
            tab_id = (await tab.state())["tabId"]
            await call(client, "kapturemcp_click", tabId=tab_id, selector=".dish button")
            await fails(client, "kapturemcp_click", tabId=tab_id, selector=".dish .order")
            await fails(client, "kapturemcp_evaluate", tabId=tab_id, code="document.title")
            await expect(panel.page.locator(".request:visible")).to_be_visible()
            await album.take(panel.page, NAMES[0], NARROW)
            await album.take(popup.page, NAMES[1], POPUP)
            await panel.button("Dismiss").click()
            await tab.page.evaluate(_LOGGED)
            await expect(panel.page.locator(".line").first).to_contain_text("503")
            await panel.choose("screenshot")
            await panel.field("name").fill("menu")
            await client.call_tool("kapturemcp_screenshot", {"tabId": tab_id, "name": "menu"})
            await expect(panel.page.locator(".thumbnail")).to_be_visible()
            await panel.page.mouse.move(1, 1)
            await album.take(panel.page, NAMES[2], WIDE)
    return NAMES
