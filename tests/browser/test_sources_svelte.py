"""Exact file:line:column for Svelte 5, on first load and after edits that Svelte's plugin does not send on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from support.agents import agent
from support.app import DevServer, copy_example, dev_server, edit, place
from support.overlay import Overlay
from support.sources import Heading, Spot, check_through_edits, seen, sites

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.usefixtures("no_warnings")]

APP, ROW, BOARD = "src/App.svelte", "src/components/DepartureRow.svelte", "src/components/Board.svelte"
PANEL, FILTER = "src/components/Panel.svelte", "src/components/PlaceFilter.svelte"
HEADING, STAT = "src/components/Heading.svelte", "src/components/Stat.svelte"
TIDE, SEATS = "src/components/TideLine.svelte", "src/components/SeatMeter.svelte"

SPOTS = [
    Spot(".brand", APP, 'class="brand"', "App", ("App",)),
    Spot(".ship path", APP, "<path", "App", ("App",)),
    Spot("h1", APP, "Where to, captain?</h1>", "App", ("App",)),
    Spot(".lead", APP, "Next with seats", "App", ("App",)),
    Spot(".place:nth-of-type(2)", FILTER, 'class="place"', "PlaceFilter", ("PlaceFilter", "App")),
    Spot(".board th", BOARD, "<th ", "Board", ("Board", "App")),
    Spot(".board tbody", BOARD, "<tbody", "Board", ("Board", "App")),
    Spot(".departure:nth-child(2)", ROW, "<tr ", "DepartureRow", ("DepartureRow", "App")),
    Spot(".late", ROW, 'class="late"', "DepartureRow", ("DepartureRow", "App")),
    Spot(".sold", ROW, 'class="sold"', "DepartureRow", ("DepartureRow", "App")),
    Spot(".departure .button", APP, 'class="button"', "App", ("App",)),
    Spot(".seats .taken", SEATS, 'class="taken"', "SeatMeter", ("SeatMeter", "DepartureRow", "App")),
    Spot(".panel.wide", PANEL, 'class="panel"', "Panel", ("Panel", "App")),
    Spot(".panel h3", PANEL, "<h3", "Panel", ("Panel", "App")),
    Spot(".panel-foot", PANEL, 'class="panel-foot"', "Panel", ("Panel", "App")),
    Spot(".source", APP, 'class="source"', "App", ("App",)),
    Spot(".tide polyline", TIDE, "<polyline", "TideLine", ("TideLine", "App")),
    Spot(".figure.large", STAT, 'class="figure"', "Stat", ("Stat", "App")),
    Spot(".heading", HEADING, "<svelte:element", "Heading", ("Heading", "App")),
    Spot(".library", APP, "<Flag", "App", ("Flag", "App")),
    Spot(".library em", APP, "<Flag", "App", ("Flag", "App")),
    Spot(".on-flag", APP, 'class="on-flag"', "App", ("App",)),
]


def with_library(project: Path) -> Path:
    """Add a package with a component, as packages ship them, and use it."""
    package = project / "node_modules" / "pier-flag"
    package.mkdir()
    manifest = {"name": "pier-flag", "type": "module", "svelte": "./Flag.svelte"}
    exports = {"svelte": "./Flag.svelte", "default": "./Flag.svelte"}
    (package / "package.json").write_text(json.dumps({**manifest, "exports": {".": exports}}))
    (package / "Flag.svelte").write_text(
        "<script>let { children } = $props();</script>\n"
        '<p class="library"><em>from a package</em> {@render children()}</p>\n'
    )
    edit(project / "package.json", '"svelte": "5', '"pier-flag": "*",\n    "svelte": "5')
    edit(project / APP, "import Board", "import Flag from 'pier-flag';\nimport Board")
    edit(project / APP, "</main>", '  <Flag><i class="on-flag">Ahoy</i></Flag>\n</main>')
    return project


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def served() -> AsyncIterator[DevServer]:
    """The example, which uses a package."""
    async with dev_server(with_library(copy_example("vite-svelte"))) as server:
        yield server


async def test_places_stay_exact_through_edits(context: BrowserContext) -> None:
    async with dev_server(with_library(copy_example("vite-svelte"))) as server:
        await check_through_edits(context, server, SPOTS, Heading(APP, "Where to, captain?"))


async def test_what_no_template_made_and_what_appears_later(
    context: BrowserContext, served: DevServer
) -> None:
    page = (await Overlay.open(context, served)).page
    app, ticket = served.project / APP, served.project / "src" / "components" / "Ticket.svelte"
    async with agent(await served.mcp_url()) as client:
        html = await seen(client, ".notice strong")
        await page.get_by_role("button", name="Vinga light").click()
        await expect(page.locator(".lead.none")).to_be_visible()
        none = await seen(client, ".lead.none")
        await page.get_by_role("button", name="Lindholm").click()
        await page.get_by_role("button", name="Ticket").first.click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        mounted = await seen(client, ".ticket-to")
        taken = await seen(client, ".seats .taken")
    assert (html["file"], html["line"], html["column"]) == (APP, *place(app, 'class="notice"'))
    assert (html["exact"], "{@html}" in html["reason"]) == (False, True)
    assert (none["line"], none["column"], none["exact"]) == (*place(app, 'class="lead none"'), True)
    assert (mounted["line"], mounted["column"]) == place(ticket, 'class="ticket-to"')
    assert (mounted["exact"], sites(mounted)) == (True, [("Ticket", "", 0, 0)])
    assert sites(taken) == [
        ("SeatMeter", ROW, *place(served.project / ROW, "<SeatMeter")),
        ("DepartureRow", APP, *place(app, "<DepartureRow")),
        ("App", "", 0, 0),
    ]
