"""Exact places in Lit components and plain custom elements, through shadow roots."""

from __future__ import annotations

import pytest
from playwright.async_api import BrowserContext

from support.agents import agent, call, fails
from support.app import DevServer, place
from support.overlay import Overlay
from support.sources import Heading, Spot, check_through_edits, seen

pytestmark = pytest.mark.asyncio(loop_scope="session")
EXAMPLE = "vite-lit"

HOUSE, CARD, METER = "src/glass-house.ts", "src/plant-card.ts", "src/water-meter.ts"
IN_HOUSE = ("GlassHouse",)
IN_CARD = ("PlantCard", "GlassHouse")
LIT = [
    Spot("h1", "index.html", "Glasshouse</h1>", "index.html", ()),
    Spot("glass-house", "index.html", "<glass-house>", "index.html", ()),
    Spot(".note", "index.html", 'class="note"', "index.html", ()),
    Spot("glass-house >>> .plants", HOUSE, 'class="plants"', "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> .list", HOUSE, 'class="list"', "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> .cell", HOUSE, 'class="cell"', "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> plant-card", HOUSE, "<plant-card", "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> .badge", HOUSE, 'class="badge"', "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> .today", HOUSE, "<${heading} class", "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> .all", HOUSE, 'class="all"', "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> .tip", HOUSE, 'class="tip"', "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> water-meter", HOUSE, "<water-meter", "GlassHouse", IN_HOUSE),
    Spot("glass-house >>> plant-card >>> article", CARD, "<article", "PlantCard", IN_CARD),
    Spot("glass-house >>> plant-card >>> h3", CARD, "<h3>", "PlantCard", IN_CARD),
    Spot("glass-house >>> plant-card >>> .leaf", CARD, 'class="leaf"', "PlantCard", IN_CARD),
    Spot("glass-house >>> plant-card >>> .stem", CARD, 'class="stem"', "PlantCard", IN_CARD),
    Spot(
        "glass-house >>> water-meter >>> .level",
        METER,
        'class="level"',
        "WaterMeter",
        ("WaterMeter", "GlassHouse"),
    ),
]


async def test_every_kind_of_element_has_its_exact_place_before_and_after_edits(
    context: BrowserContext, served: DevServer
) -> None:
    await check_through_edits(context, served, LIT, Heading("index.html", "Glasshouse"), stays=False)


async def test_components_are_told_with_their_call_sites_and_what_has_no_tag_honestly(
    context: BrowserContext, served: DevServer
) -> None:
    await Overlay.open(context, served)
    project = served.project
    async with agent(await served.mcp_url()) as client:
        stem = await seen(client, "glass-house >>> plant-card >>> .stem")
        tip = await seen(client, "glass-house >>> .tip strong")
        goal = await seen(client, "glass-house >>> water-meter >>> .goal")
    assert stem["framework"] == "lit"
    assert [
        (frame["component"], frame["file"], frame["line"], frame["column"]) for frame in stem["stack"]
    ] == [
        ("PlantCard", HOUSE, *place(project / HOUSE, "<plant-card")),
        ("GlassHouse", "index.html", *place(project / "index.html", "<glass-house>")),
    ]
    assert (tip["exact"], tip["line"]) == (False, place(project / HOUSE, 'class="tip"')[0])
    assert tip["reason"]
    lines = (project / METER).read_text("utf-8").splitlines()
    assert (goal["file"], goal["exact"], goal["component"]) == (METER, True, "WaterMeter")
    assert "createElement('b')" in lines[goal["line"] - 1]


async def test_a_plain_selector_looks_into_shadow_roots_where_the_page_itself_has_nothing(
    context: BrowserContext, served: DevServer
) -> None:
    await Overlay.open(context, served)
    async with agent(await served.mcp_url()) as client:
        stem = (await call(client, "capture_element_context", selector=".stem"))["element"]
        heading = (await call(client, "capture_element_context", selector="h1"))["element"]
        missing = await fails(client, "capture_element_context", selector="#nowhere")
    assert stem["sourceInfo"]["file"] == CARD
    assert stem["matches"] > 1
    assert stem["selector"].startswith("glass-house >>> ")
    assert "matches" not in heading, "what the document has is not looked for elsewhere"
    assert missing["code"] == "ELEMENT_NOT_FOUND"
