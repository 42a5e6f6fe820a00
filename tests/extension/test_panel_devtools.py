"""The panel and the popup where they belong: in Chrome's own DevTools, and at its toolbar."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import pytest
from playwright.async_api import expect

from support.devtools import DevTools
from support.extension import chromium_with_extension, companion_for_tabs
from support.site import Site
from support.sockets import free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")

_FILL = """(selector, text) => {
  const input = document.querySelector(selector)
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.form.requestSubmit()
}"""


async def test_the_panel_in_devtools_and_the_popup_are_of_the_tab_that_one_looks_at(
    site: Site, tmp_path: Path
) -> None:
    (port,) = free_ports(1)
    flags = ("--auto-open-devtools-for-tabs", f"--remote-debugging-port={port}")
    async with (
        companion_for_tabs(tmp_path / "companion") as companion,
        chromium_with_extension(tmp_path / "profile", *flags) as extension,
        aiohttp.ClientSession() as http,
    ):
        shop = await extension.open(site.page("<title>Shop</title><h1>Shop</h1>"))
        page = shop.page.url.removeprefix("http://")
        tools = DevTools(http, port)
        async with tools.panel(page) as panel:
            await panel.until("Shop")
            await panel.evaluate(f"({_FILL})('.port', '{companion.tab_port}')")
            await panel.press(".top button")
            await panel.until("Disconnect")
            told = await shop.state("state.connection === 'connected'")
            (connected,) = companion.world.extension_tabs.all()
            assert (connected.id, connected.url) == (told["tabId"], shop.page.url)
            await panel.press("[aria-label='Copy the tab id']")
            await panel.until("Copied")
            await panel.press("input[value=kapturemcp_screenshot]")
            await panel.evaluate(f"({_FILL})('[name=name]', 'shop')")
            await panel.until("Download")
            async with extension.context.expect_page() as opened:
                await panel.press(".thumbnail")
            picture = await opened.value
            await expect(picture.get_by_role("img", name="Screenshot “shop”")).to_be_visible()
            await picture.close()
            # A popup is of the tab in front, which the picture's may still be.
            await shop.page.bring_to_front()
            async with tools.popup(extension) as popup:
                await popup.until("Connected")
                await popup.until(shop.page.url)
                await popup.press(".head button")
                await panel.until("Not connected")
