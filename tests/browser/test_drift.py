"""Inspections whose source and page change under them: what an agent reads of them then."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import Client
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import DevServer, edit, place
from support.overlay import Overlay
from support.sources import Above

pytestmark = pytest.mark.asyncio(loop_scope="session")

STAT = "src/components/Stat.tsx"
APP = "src/App.tsx"


async def read(client: Client, inspection: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """(what became of its source, where its element is)."""
    found = (await call(client, "get_inspection", inspectionId=inspection))["inspection"]
    return found["source"], found["element"]


async def test_the_source_moves_changes_and_goes_and_the_element_is_found_again_as_long_as_there_is_one(
    context: BrowserContext, app: DevServer
) -> None:
    file = app.project / APP
    before = place(file, 'className="lead"')
    overlay = await Overlay.open(context, app)
    page = overlay.page
    await overlay.pick(page.locator(".lead"))
    await overlay.write("Shorter")
    async with agent(await app.mcp_url()) as client:
        (item,) = (await call(client, "wait_for_inspection"))["inspections"]
        assert "source" not in item
        wanted = item["id"]
        source, element = await read(client, wanted)
        assert source == {"state": "unchanged", "line": before[0]}
        assert (element["found"], element["by"]) == ("placed", "id")

        # Lines above, and a reload: another document, another line.
        Above().put(file)
        await page.reload()
        await overlay.connected()
        await expect(page.locator(".lead")).to_be_visible()
        now = place(file, 'className="lead"')
        source, element = await read(client, wanted)
        assert source == {"state": "moved", "line": now[0], "was": before[0]}
        assert (element["found"], element["by"], element["selector"]) == ("placed", "selector", ".lead")
        assert element["source"] == {"file": APP, "line": now[0], "column": now[1], "exact": True}
        (listed,) = (await call(client, "list_inspections"))["inspections"]
        assert (listed["line"], listed["source"]["state"]) == (now[0], "moved")

        # Another class: its selector leads nowhere, its words still do.
        edit(file, 'className="lead"', 'className="lead-in"')
        await expect(page.locator(".lead-in")).to_be_visible()
        source, element = await read(client, wanted)
        assert source == {"state": "edited", "line": now[0], "was": before[0]}
        assert (element["found"], element["by"], element["selector"]) == (
            "approximate",
            "text",
            ".lead-in",
        )

        # Other words as well.
        edit(file, "Pick a dish before 11:30. One order, one delivery, no spreadsheet.", "Be quick.")
        await expect(page.locator(".lead-in")).to_have_text("Be quick.")
        source, element = await read(client, wanted)
        assert (source["state"], element["found"]) == ("edited", "lost")

        # The whole file.
        await overlay.pick(page.locator(".stat dt").first)
        await overlay.write("Bolder")
        items = (await call(client, "list_inspections"))["inspections"]
        (bolder,) = (item for item in items if item["description"] == "Bolder")
        (app.project / STAT).unlink()
        await page.close()
        found = (await call(client, "get_inspection", inspectionId=bolder["id"]))["inspection"]
        assert (found["source"]["state"], found["source"]["was"]) == ("gone", bolder["line"])
