"""Exact file:line:column for Preact, on first load and after hot updates."""

from __future__ import annotations

import pytest
from playwright.async_api import BrowserContext

from support.agents import agent
from support.app import DevServer, place
from support.overlay import Overlay
from support.sources import Heading, Spot, check_spots, check_through_edits, seen

pytestmark = pytest.mark.asyncio(loop_scope="session")
EXAMPLE = "vite-preact"

APP, DEPARTURE, PANEL = "src/App.tsx", "src/components/Departure.tsx", "src/components/Panel.tsx"
IN_APP = ("App", "Shell")
IN_DEPARTURE = ("Departure", *IN_APP)
PREACT = [
    Spot(".shell", "src/main.tsx", 'class="shell"', "Shell", ("Shell",)),
    Spot("h1", APP, "Next from pier 4</h1>", "App", IN_APP),
    Spot(".brand", APP, 'class="brand"', "App", IN_APP),
    Spot("input", "src/components/Search.tsx", "ref={ref}", "Search", ("Search", *IN_APP)),
    Spot("article:nth-of-type(2)", DEPARTURE, 'class="departure"', "Departure", IN_DEPARTURE),
    Spot("article h3", DEPARTURE, "<h3>", "Departure", IN_DEPARTURE),
    Spot(".full", DEPARTURE, 'class="full"', "Departure", IN_DEPARTURE),
    Spot(".buy", "src/components/Button.tsx", "<button", "Button", ("Button", *IN_DEPARTURE)),
    Spot(".boat", "src/components/Route.tsx", "<circle", "Route", ("Route", *IN_DEPARTURE)),
    Spot(".board", "src/components/Board.tsx", "<ol", "Board", None),
    Spot(".row:nth-child(2)", "src/components/Board.tsx", "<li", "Board", None),
    Spot(".berth", APP, 'class="berth"', "App", None),
    Spot(".badge", APP, 'class="badge"', "App", None),
    Spot(".longest", APP, 'class="longest"', "App", None),
    Spot(".panel-head h2", PANEL, "<h2>", "Panel", ("Panel", *IN_APP)),
    Spot(".notice", APP, 'class="notice"', "App", None),
]


async def test_every_kind_of_element_has_its_exact_place_before_and_after_hot_updates(
    context: BrowserContext, served: DevServer
) -> None:
    entry = [spot for spot in PREACT if spot.file == "src/main.tsx"]
    async with agent(await served.mcp_url()) as client:
        overlay = await Overlay.open(context, served)
        # A change of the entry reloads the page.
        await check_spots(client, served.project, entry)
        await overlay.page.close()
    sources = [spot for spot in PREACT if spot not in entry]
    await check_through_edits(context, served, sources, Heading(APP, "Next from pier 4"))


async def test_owners_have_call_sites_and_portals_their_places(
    context: BrowserContext, served: DevServer
) -> None:
    overlay = await Overlay.open(context, served)
    src = served.project / "src"
    await overlay.page.get_by_role("button", name="Ticket").first.click()
    async with agent(await served.mcp_url()) as client:
        await check_spots(
            client,
            served.project,
            [
                Spot(".dialog", "src/components/Dialog.tsx", 'class="dialog"', "Dialog", ("Dialog", *IN_APP)),
                Spot(".ticket", APP, 'class="ticket"', "App", None),
            ],
        )
        fog = await seen(client, ".notice strong")
        boat = await seen(client, ".boat")
    assert fog["exact"] is False
    assert (fog["line"], fog["column"]) == place(src / "App.tsx", 'class="notice"')
    assert "dangerouslySetInnerHTML" in fog["reason"]
    sites = [(frame["component"], frame["file"], frame["line"], frame["column"]) for frame in boat["stack"]]
    assert sites == [
        ("Route", DEPARTURE, *place(served.project / DEPARTURE, "<Route")),
        ("Departure", APP, *place(src / "App.tsx", "<Departure")),
        ("App", "src/main.tsx", *place(src / "main.tsx", "<App")),
        ("Shell", "src/main.tsx", *place(src / "main.tsx", "<Shell")),
    ]
