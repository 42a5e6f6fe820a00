"""How far a change reaches: what agents read, and what the user sees beside his note."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp import Client
from playwright.async_api import BrowserContext, Locator, expect

from support.agents import agent, call
from support.app import DevServer, place
from support.overlay import Overlay
from support.sources import seen

pytestmark = pytest.mark.asyncio(loop_scope="session")

CARD = "src/components/DishCard.tsx"


async def boxes(marked: Locator) -> list[tuple[int, ...]]:
    """Where they are in the viewport, rounded."""
    found = await marked.evaluate_all(
        """all => all.map(each => each.getBoundingClientRect())
          .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))"""
    )
    return sorted(tuple(box) for box in found)


async def reach(client: Client, selector: str) -> dict[str, Any]:
    """What an agent reads of it; a starved dev server may be too late for an answer, and has it for the next."""
    async with asyncio.timeout(40):
        while "usage" not in (source := await seen(client, selector)):
            assert source["file"], source
    usage: dict[str, Any] = source["usage"]
    return usage


def site(server: DevServer, file: str, marker: str) -> dict[str, Any]:
    line, column = place(server.project / file, marker)
    return {"file": file, "line": line, "column": column}


async def test_an_agent_reads_how_far_a_change_of_the_place_reaches(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    async with agent(await shared_app.mcp_url()) as client:
        total = site(shared_app, "src/App.tsx", '<Stat label="Total"')
        label = await reach(client, ".stats > :nth-child(2) dt")
        assert label == {
            "instances": 3,
            "places": 3,
            "modules": 1,
            "site": total,
            "importedBy": ["src/App.tsx", "src/main.tsx"],
            "summary": "Shared by 3 places in 1 module, 3 elements on this page; "
            f"the usage site is src/App.tsx:{total['line']}.",
        }
        # A render prop: the use of `Poll` within `App` itself is not that of the place's component.
        choice = await reach(client, ".choice")
        assert (choice["instances"], choice["places"]) == (6, 1)
        assert choice["site"] == site(shared_app, "src/main.tsx", "<App")
        # A package's element: of those with the same call site, each is one.
        switch = await reach(client, ".switch")
        assert (switch["instances"], switch["site"]["file"]) == (1, "src/App.tsx")
        area = await call(client, "capture_area_context", containerSelector=".stats")
        assert all("usage" not in element["sourceInfo"] for element in area["area"]["elements"])
        await overlay.page.evaluate(
            """() => {
              const host = document.createElement('div');
              const card = document.querySelector('article h3');
              host.attachShadow({ mode: 'open' }).append(card.cloneNode(true));
              for (let n = 0; n < 15000; n += 1) host.append(document.createElement('i'));
              document.body.prepend(host);
            }"""
        )
        assert (await reach(client, "article h3"))["instances"] == 6


async def test_the_note_tells_it_and_marks_all_elements_while_it_is_open(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    titles = overlay.page.locator("article h3")
    await overlay.pick(titles.first)
    note = overlay.root.get_by_role("dialog")
    await expect(note).to_contain_text("1 place · 1 module · 6 on this page")
    toggle = note.get_by_role("button", name="6 on this page: mark them", exact=True)
    marked = overlay.root.locator("[aria-hidden] .box:visible")
    await expect(marked).to_have_count(0)

    # By keyboard: backwards from the text field.
    await overlay.page.keyboard.press("Shift+Tab")
    await expect(toggle).to_be_focused()
    await overlay.page.keyboard.press("Enter")
    await expect(toggle).to_have_attribute("aria-pressed", "true")
    visible = [box for box in await boxes(titles) if 0 <= box[1] < 800]
    await expect(marked).to_have_count(len(visible))
    assert await boxes(marked) == visible
    assert await marked.first.evaluate("box => getComputedStyle(box).pointerEvents") == "none"

    await overlay.page.evaluate("scrollBy(0, 120)")
    below = [box for box in await boxes(titles) if -30 < box[1] < 800]
    await expect(marked).to_have_count(len(below))
    # They follow in the frame after the one that scrolled.
    async with asyncio.timeout(10):
        while await boxes(marked) != below:
            await overlay.page.evaluate("new Promise(requestAnimationFrame)")

    await toggle.click()
    await expect(marked).to_have_count(0)
    await toggle.click()
    await expect(marked).to_have_count(len(below))
    await note.get_by_role("textbox").press("Escape")
    await expect(note).to_be_hidden()
    await expect(marked).to_have_count(0)


async def test_an_inspection_keeps_it_and_an_area_has_none(
    context: BrowserContext, shared_app: DevServer
) -> None:
    overlay = await Overlay.open(context, shared_app)
    await overlay.pick(overlay.page.locator("article .tag").first)
    await expect(overlay.root.get_by_role("dialog")).to_contain_text("3 on this page")
    await overlay.write("Rounder")
    await expect(overlay.root.get_by_role("dialog")).to_be_hidden()
    await overlay.page.keyboard.press("Alt+s")
    await overlay.crosshair()
    box = await overlay.page.locator(".stats").bounding_box()
    assert box is not None
    await overlay.page.mouse.move(box["x"] - 2, box["y"] - 2)
    await overlay.page.mouse.down()
    await overlay.page.mouse.move(box["x"] + box["width"] + 2, box["y"] + box["height"] + 2, steps=3)
    await overlay.page.mouse.up()
    await overlay.write("Wider")
    async with agent(await shared_app.mcp_url()) as client:
        found = {}
        for item in (await call(client, "list_inspections"))["inspections"]:
            whole = (await call(client, "get_inspection", inspectionId=item["id"]))["inspection"]
            found[item["description"]] = whole["sourceInfo"].get("usage")
    assert found["Rounder"]["summary"].startswith("Used in 1 place, ")
    assert found["Rounder"]["importedBy"] == ["src/App.tsx", "src/main.tsx"]
    assert found["Wider"] is None
