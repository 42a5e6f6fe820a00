"""Everybody can use the overlay: in any colours, by keyboard alone, on narrow, zoomed and right-to-left pages."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from playwright.async_api import BrowserContext, Page, expect

from support.agents import agent, call
from support.app import REPOSITORY, DevServer
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

AXE = REPOSITORY / "node_modules" / "axe-core" / "axe.min.js"
SCHEMES = ("light", "dark")
TARGET_PX = 24
AUDIT = """async () => {
  const { violations } = await axe.run(document.querySelector('pageside-overlay'))
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`))
}"""
OUTSIDE = """(least) => {
  const root = document.querySelector('pageside-overlay').shadowRoot
  const found = []
  for (const element of root.querySelectorAll('*')) {
    if (!element.checkVisibility() || element.closest('[inert], .unseen, svg *, .shield')) continue
    const { left, right, width, height } = element.getBoundingClientRect()
    if (!width || !height) continue
    const isOff = left < 0 || right > innerWidth + 0.5
    const isSmall = element.matches('button:not(.link), select') && (width < least || height < least)
    if (isOff || isSmall) found.push(`${element.outerHTML.slice(0, 120)} ${left} ${right} ${width}x${height}`)
  }
  return found
}"""
KEEP = "(settings) => localStorage.setItem('pageside-settings', settings)"


async def _settings(overlay: Overlay, **settings: Any) -> None:
    """As the user has kept them when the page loads."""
    await overlay.page.evaluate(KEEP, json.dumps(settings))
    await overlay.page.reload()
    await overlay.connected()


async def _audit(page: Page, state: str) -> list[str]:
    """What axe finds in the overlay in both schemes."""
    found = []
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        found += [f"{state}, {scheme}: {each}" for each in await page.evaluate(AUDIT)]
    return found


async def test_axe_finds_nothing_in_any_state_light_or_dark(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    page, root = overlay.page, overlay.root
    # A page that stands still would have axe stand still as well.
    await _settings(overlay, freeze=False)
    await page.add_script_tag(path=AXE)
    found = await _audit(page, "at rest")

    await page.keyboard.press("Alt+i")
    await page.locator("h1").hover(force=True)
    await expect(root.locator(".tip")).to_contain_text("App.tsx")
    found += await _audit(page, "pointing")
    await overlay.click(page.locator("h1"))
    await expect(root.get_by_role("radio", name="Fix")).to_be_visible()
    found += await _audit(page, "note")
    await root.get_by_role("button", name="Sketch on the page").click()
    found += await _audit(page, "sketch")
    await page.keyboard.press("Escape")
    await overlay.write("Larger")
    panel = await overlay.show_panel()

    async with agent(await shared_app.mcp_url(), "Ada’s agent") as client:
        (item,) = (await call(client, "wait_for_inspection"))["inspections"]
        steps = [
            {"id": number, "title": status, "status": status}
            for number, status in enumerate(("completed", "in-progress", "pending"))
        ]
        await call(
            client,
            "update_inspection_status",
            inspectionId=item["id"],
            status="in-progress",
            message="Which one?",
            progress={"steps": steps},
        )
        await expect(panel).to_contain_text("Which one?")
        found += await _audit(page, "in progress")
        await call(client, "update_inspection_status", status="completed", message="Done")
        await panel.get_by_role("button", name="Accept").click()
        await panel.get_by_role("button", name="Finished (1)").click()
        found += await _audit(page, "finished")
        for tab in ("Activity", "Settings"):
            await panel.get_by_role("tab", name=tab).click()
            found += await _audit(page, tab)
        asked = asyncio.create_task(call(client, "ask_user", question="Which?", options=["One", "Two"]))
        card = root.get_by_role("dialog", name="Which?")
        await expect(card).to_be_visible(timeout=20_000)
        found += await _audit(page, "asked")
        await card.get_by_role("button", name="Two").click()
        assert (await asked)["answer"] == "Two"
    assert found == []


async def test_at_320_px_all_of_it_is_on_the_screen_and_large_enough_to_press(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    page, root = overlay.page, overlay.root
    await page.set_viewport_size({"width": 320, "height": 568})
    found: list[str] = []

    async def look(state: str) -> None:
        found.extend(f"{state}: {each}" for each in await page.evaluate(OUTSIDE, TARGET_PX))

    await look("at rest")
    await page.keyboard.press("Alt+i")
    await page.locator("h1").hover(force=True)
    await expect(root.locator(".tip")).to_contain_text("App.tsx")
    await look("pointing")
    await overlay.click(page.locator("h1"))
    await expect(root.get_by_role("radio", name="Fix")).to_be_visible()
    await look("note")
    await overlay.write("Shorter")
    panel = await overlay.show_panel()
    for tab in ("Inspections", "Activity", "Settings"):
        await panel.get_by_role("tab", name=tab).click()
        await look(tab)
    assert found == []


async def test_a_zoomed_page_from_right_to_left_moves_and_enlarges_nothing(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    page, bar = overlay.page, overlay.root.get_by_role("toolbar")
    corner = "(bar) => (({ right, bottom, height }) => [right, bottom, height])(bar.getBoundingClientRect())"
    before = await bar.evaluate(corner)
    await page.evaluate(
        """() => {
          document.documentElement.dir = 'rtl'
          document.documentElement.style.cssText = 'zoom: 2; font-size: 40px; transform: translateX(-9px)'
        }"""
    )
    await page.keyboard.press("Alt+i")
    target = page.locator("h1")
    await target.hover(force=True, position={"x": 5, "y": 5})
    await expect(overlay.root.locator(".tip")).to_contain_text("App.tsx")
    assert await bar.evaluate(corner) == before
    (around, shown) = (await target.bounding_box(), await overlay.root.locator(".box").first.bounding_box())
    assert around is not None
    assert shown is not None
    assert [round(shown[side]) for side in ("x", "y", "width", "height")] == [
        round(around[side]) for side in ("x", "y", "width", "height")
    ]
    await page.keyboard.press("Escape")


async def test_the_whole_loop_works_by_keyboard_alone(context: BrowserContext, shared_app: DevServer) -> None:
    overlay = await Overlay.open(context, shared_app)
    page, root = overlay.page, overlay.root
    keyboard = page.keyboard
    pick = root.get_by_role("button", name="Pick an element")
    await page.get_by_role("button", name="Join").last.focus()
    await keyboard.press("Tab")
    while await pick.evaluate("(button) => !button.matches(':focus')"):
        await keyboard.press("Tab")
    await expect(pick).to_be_focused()
    await keyboard.press("Enter")
    await overlay.crosshair()
    for key in ("ArrowDown", "ArrowDown"):
        await keyboard.press(key)
    await keyboard.press("Enter")
    await expect(root.get_by_role("textbox", name="What should change here?")).to_be_focused()
    await keyboard.type("By keyboard")
    await keyboard.press("Enter")
    panel = root.get_by_role("region", name="Inspections")
    await expect(panel).to_contain_text("By keyboard")
    await expect(pick).to_be_focused()
    for key in ("ArrowRight", "ArrowRight"):
        await keyboard.press(key)
    opener = root.get_by_role("toolbar").get_by_role("button", name="Inspections")
    await expect(opener).to_be_focused()
    assert [await button.get_attribute("tabindex") for button in (pick, opener)] == ["-1", "0"]
    await keyboard.press("Escape")
    await expect(panel).to_be_hidden()
    await keyboard.press("Enter")
    await expect(panel).to_be_visible()
    await expect(panel.get_by_role("tab", name="Inspections")).to_be_focused()
    await keyboard.press("Escape")
    await expect(panel).to_be_hidden()
    await expect(opener).to_be_focused()


async def test_the_overlay_follows_the_scheme_of_the_page(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    page = overlay.page
    await page.emulate_media(color_scheme="dark")
    await _settings(overlay, theme="page", side="left")
    box = await overlay.root.get_by_role("toolbar").bounding_box()
    assert box is not None
    assert box["x"] == 16

    async def shows(scheme: str) -> None:
        wanted = {"light": "rgb(255, 255, 255)", "dark": "rgb(30, 30, 34)"}[scheme]
        await expect(overlay.root.get_by_role("toolbar")).to_have_css("background-color", wanted)

    await shows("dark")
    html = "document.documentElement"
    await page.evaluate(f"{html}.style.colorScheme = 'light'")
    await shows("light")
    # A page that says nothing of it, and is dark all the same.
    await page.evaluate(f"{html}.style.colorScheme = 'normal'; document.body.style.background = '#102030'")
    await shows("dark")
    await page.evaluate("document.body.style.background = 'oklch(0.98 0.01 90)'")
    await shows("light")
