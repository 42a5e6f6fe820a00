"""What a note says besides its text, several notes in a row, and notes without any agent."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from support.agents import agent, call
from support.app import DevServer
from support.overlay import Overlay
from support.pictures import screenshot
from support.pixels import pixels

pytestmark = pytest.mark.asyncio(loop_scope="session")

INK = (224, 36, 60)
OUTSIDE = (232, 232, 232)
ALL_TAKEN = """() => JSON.parse(localStorage['inspector-inspection-items']).every(
  ({ unsent = [] }) => !unsent.some(({ kind }) => kind === 'create'))"""
WATCH = """() => {
  window.reactions = []
  for (const type of ['pointerdown', 'pointerup', 'mousedown', 'click', 'touchstart', 'keydown', 'selectstart'])
    document.addEventListener(type, () => window.reactions.push(type), true)
}"""


async def drag(page: Page, *points: tuple[float, float]) -> None:
    """The real mouse, pressed at the first point and released at the last."""
    await page.mouse.move(*points[0])
    await page.mouse.down()
    for point in points[1:]:
        await page.mouse.move(*point, steps=4)
    await page.mouse.up()


async def corner(target: Locator) -> tuple[float, float]:
    box = await target.bounding_box()
    assert box is not None
    return box["x"], box["y"]


def dialog(overlay: Overlay) -> Locator:
    return overlay.root.get_by_role("dialog", name="What should change here?")


async def listed(server: DevServer) -> list[dict[str, Any]]:
    async with agent(await server.mcp_url()) as client:
        found: list[dict[str, Any]] = (await call(client, "list_inspections"))["inspections"]
        return found


async def test_what_is_drawn_on_the_page_is_on_the_picture_that_the_agent_reads(
    context: BrowserContext, shared_app: DevServer
) -> None:
    wish = f"Move it there {secrets.token_hex(3)}"
    overlay = await Overlay.open(context, shared_app)
    page, title = overlay.page, overlay.page.get_by_role("heading", level=1)
    await overlay.pick(title)
    await page.evaluate(WATCH)
    note = dialog(overlay)
    await note.get_by_role("textbox").fill(wish)
    # The keyboard alone: into the group of intents, and one to the left.
    await note.get_by_role("textbox").press("Tab")
    await expect(note.get_by_role("radio", name="Change")).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(note.get_by_role("radio", name="Fix")).to_be_checked()
    await note.get_by_role("radio", name="High").click()
    await note.get_by_role("button", name="Sketch on the page").click()
    await expect(note).not_to_be_visible()
    x, y = await corner(title)
    await drag(page, (x + 10, y + 10), (x + 200, y + 40))
    await overlay.root.get_by_role("radio", name="Pen").click()
    await drag(page, (x + 20, y + 30), (x + 60, y - 60), (x + 120, y + 30))
    await overlay.root.get_by_role("radio", name="Box").click()
    await drag(page, (x + 5, y + 5), (x + 90, y + 45))
    await page.keyboard.press("Control+z")
    await page.keyboard.press("Escape")
    await expect(note).to_be_visible()
    await expect(note.get_by_role("button", name="Sketch on the page, 2 drawn")).to_be_visible()
    await overlay.write(wish)
    assert await page.evaluate("window.reactions") == []

    async with agent(await shared_app.mcp_url()) as client:
        item = next(each for each in await listed(shared_app) if each["description"] == wish)
        assert (item["intent"], item["severity"], item["sketch"]) == ("fix", "high", 2)
        seen = (await call(client, "get_inspection", inspectionId=item["id"]))["inspection"]
        arrow, pen = seen["sketch"]["shapes"]
        assert arrow == {"kind": "arrow", "from": [10, 10], "to": [200, 40]}
        assert (pen["kind"], pen["y"]) == ("pen", -60)
        content = await screenshot(client, item["id"])
        told = content.meta or {}
        # The pen went above the heading, and so does the picture.
        box = seen["sourceInfo"]["elementInfo"]["boundingBox"]
        assert told["pageside/height"] >= box["height"] + 60
        drawn = await pixels(context, content)
        assert drawn.share(INK, tolerance=12) > 0.004
        assert drawn.share(OUTSIDE) < 0.05

    panel = await overlay.show_panel()
    await expect(panel).to_contain_text("Fix")
    entry = overlay.items.filter(has_text=wish)
    await entry.hover()
    ink = overlay.root.locator(".sketch .ink")
    await expect(ink).to_have_count(2)
    await page.mouse.move(5, 5)
    await expect(ink).to_have_count(0)
    await overlay.root.locator(f'.marker[aria-label*="{wish}"]').hover()
    await expect(ink).to_have_count(2)
    await entry.get_by_role("button", name="Edit note").click()
    await panel.get_by_role("radio", name="Question").click()
    async with page.expect_response(lambda response: response.url.endswith("/page/changes")):
        await panel.get_by_role("textbox", name="What should change here?").press("Enter")
    await expect(entry).to_contain_text("Question")
    intents = {each["description"]: each["intent"] for each in await listed(shared_app)}
    assert intents[wish] == "question"


async def test_several_notes_in_a_row_and_the_intent_is_remembered(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    cards = overlay.page.locator("article h3")
    note = dialog(overlay)
    await overlay.pick(cards.nth(0))
    await note.get_by_role("radio", name="Question").click()
    await note.get_by_role("textbox").fill("First")
    await note.get_by_role("textbox").press("Control+Enter")
    await overlay.crosshair()
    await overlay.click(cards.nth(1))
    await expect(note.get_by_role("radio", name="Question")).to_be_checked()
    await note.get_by_role("textbox").fill("Second\nof three")
    await note.get_by_role("button", name="Save, pick next").click()
    await overlay.crosshair()
    await overlay.click(cards.nth(2))
    await overlay.write("Third")
    await expect(overlay.root.locator(".banner")).not_to_be_visible()
    panel = await overlay.show_panel()
    for text in ("First", "Second", "Third"):
        await expect(panel).to_contain_text(text)
    notes = {item["description"]: item for item in await listed(shared_app)}
    for text in ("First", "Second\nof three", "Third"):
        assert (notes[text]["intent"], notes[text]["file"]) == ("question", "src/components/DishCard.tsx")


async def test_without_an_agent_notes_are_copied_and_go_into_a_file_and_back(
    context: BrowserContext, shared_app: DevServer, tmp_path: Path
) -> None:
    await context.grant_permissions(["clipboard-read", "clipboard-write"])
    overlay = await Overlay.open(context, shared_app)
    page = overlay.page
    await overlay.pick(page.get_by_role("heading", level=1))
    await overlay.write("Say **hello**")
    await overlay.pick(page.locator("article h3").first)
    await overlay.write("Another one")
    panel = await overlay.show_panel()
    entry = overlay.items.filter(has_text="Say **hello**")
    await entry.get_by_role("button", name="Copy as Markdown").click()
    await expect(overlay.root.get_by_text("Inspection copied.")).to_be_visible()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert "### \\<h1\\> App · src/App.tsx:" in copied
    assert "> Say **hello**" in copied
    # As on plain http from another machine.
    await page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })"
    )
    await panel.get_by_role("button", name="Copy all").click()
    await expect(overlay.root.get_by_text("inspections copied.")).to_be_visible()
    await page.evaluate("delete navigator.clipboard")
    assert await page.evaluate("navigator.clipboard.readText().then((text) => text.includes('\\n---\\n'))")

    async with page.expect_download() as downloading:
        await panel.get_by_role("button", name="Export").click()
    file = tmp_path / "inspections.json"
    await (await downloading.value).save_as(file)
    exported = json.loads(file.read_text("utf-8"))
    count = len(exported["items"])
    assert count == len(await listed(shared_app))
    wrong = {**exported["items"][0], "sketch": {"shapes": [{"kind": "svg", "points": []}]}}
    file.write_text(json.dumps({**exported, "items": [*exported["items"], wrong]}), "utf-8")

    await import_file(panel, file)
    skipped = f"0 imported. {count + 1} skipped: {count} here already, item {count + 1}: sketch."
    await expect(overlay.root.get_by_text(skipped)).to_be_visible()

    for left in range(count, 0, -1):
        await overlay.items.first.get_by_role("button", name="Delete").click()
        await expect(overlay.items).to_have_count(left - 1)
    await import_file(panel, file)
    await expect(overlay.root.get_by_text(f"{count} imported. 1 skipped")).to_be_visible()
    await expect(overlay.items).to_have_count(count)
    await expect(panel).to_contain_text("Say **hello**")
    await page.wait_for_function(ALL_TAKEN)
    renewed = {item["description"]: item for item in await listed(shared_app)}
    for before in exported["items"]:
        after = renewed[before["description"]]
        assert (after["intent"], after["file"]) == (before["intent"], before["sourceInfo"]["file"])
        assert after.get("sketch", 0) == len(before.get("sketch", {"shapes": []})["shapes"])
    (file.parent / "no.json").write_text("<html>", "utf-8")
    await import_file(panel, file.parent / "no.json")
    await expect(overlay.root.get_by_text("Nothing was imported. The file is no JSON.")).to_be_visible()


async def import_file(panel: Locator, file: Path) -> None:
    async with panel.page.expect_file_chooser() as choosing:
        await panel.get_by_role("button", name="Import").click()
    await (await choosing.value).set_files(file)
