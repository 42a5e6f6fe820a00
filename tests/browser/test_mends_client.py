"""What only a real browser shows of the client: reloads, real keys and clicks, companions that come and go."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import DevServer
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_half_written_note_survives_a_full_reload(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    await overlay.pick(overlay.page.get_by_role("heading", level=1))
    field = overlay.root.get_by_role("dialog").get_by_role("textbox")
    await field.fill("Half writ")
    await overlay.page.reload()
    await overlay.connected()
    await expect(field).to_have_value("Half writ")
    await field.press_sequentially("ten no more")
    await field.press("Enter")
    async with agent(await shared_app.mcp_url()) as client:
        (item,) = (await call(client, "wait_for_inspection"))["inspections"]
        whole = (await call(client, "get_inspection", inspectionId=item["id"]))["inspection"]
    assert whole["description"] == "Half written no more"
    assert whole["sourceInfo"]["elementInfo"]["tagName"].lower() == "h1"


async def test_a_deleted_note_is_no_damage_after_a_reload(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    await overlay.pick(overlay.page.get_by_role("heading", level=1))
    await overlay.write("Away with it")
    panel = await overlay.show_panel()
    await overlay.page.clock.install()
    await panel.get_by_role("button", name="Delete").click()
    await expect(overlay.items).to_have_count(0)
    async with overlay.page.expect_response("**/changes"):
        await overlay.page.clock.fast_forward(9000)
    async with agent(await shared_app.mcp_url()) as client:
        assert (await call(client, "list_inspections"))["total"] == 0
    await overlay.page.reload()
    await overlay.connected()
    await expect(await overlay.show_panel()).to_contain_text("Nothing here yet")
    await expect(overlay.root.get_by_role("alert")).to_be_hidden()


async def test_a_click_right_after_esc_reaches_the_app(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    await overlay.page.evaluate(
        "window.clicks = 0; document.querySelector('h1').addEventListener('click', () => { clicks += 1 })"
    )
    await overlay.page.keyboard.press("Alt+i")
    await overlay.crosshair()
    await overlay.page.keyboard.press("Escape")
    await overlay.click(overlay.page.get_by_role("heading", level=1))
    assert await overlay.page.evaluate("window.clicks") == 1


async def test_a_pick_ends_when_its_companion_was_killed(context: BrowserContext, app: DevServer) -> None:
    overlay = await Overlay.open(context, app)
    before = await app.companion()
    async with agent(await app.mcp_url()) as client:
        picking = asyncio.ensure_future(call(client, "capture_element_context"))
        await overlay.crosshair()
        os.kill(before["pid"], signal.SIGKILL)
        await expect(overlay.root.locator(".banner")).to_be_hidden(timeout=20_000)
        await expect(overlay.root.locator(".toast")).to_contain_text("stopped asking")
        picking.cancel()
        await asyncio.gather(picking, return_exceptions=True)
