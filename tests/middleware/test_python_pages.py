"""Pages of Flask, FastAPI, Django and aiohttp: exact places, picks and notes, with no Node at all."""

from __future__ import annotations

import pytest
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import edit, place
from support.overlay import Overlay
from support.python_server import COMMANDS, python_server
from support.sources import Above, Spot, check_spots

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(100)]

UI, LOAF, NAV = "templates/parts/ui.html", "templates/parts/loaf.html", "templates/parts/nav.html"
SHOP = [
    Spot("body", "templates/base.html", "<body", "base.html"),
    Spot("main", "templates/base.html", "<main", "base.html"),
    Spot(".hours", "templates/base.html", 'class="hours"', "foot"),
    Spot(".bar .name", NAV, 'class="name"', "parts/nav.html"),
    Spot("nav a:nth-of-type(2)", NAV, "<a href", "parts/nav.html"),
    Spot("h1", "templates/shop.html", "today?</h1>", "main"),
    Spot(".panel", UI, 'class="panel"', "panel"),
    Spot(".panel-title", UI, 'class="panel-title"', "panel"),
    Spot(".loaves", "templates/shop.html", 'class="loaves"', "ui.panel"),
    Spot(".hint", "templates/shop.html", 'class="hint"', "main"),
    Spot(".loaf:nth-of-type(2)", LOAF, "<article", "parts/loaf.html"),
    Spot(".sold-out", LOAF, 'class="sold-out"', "parts/loaf.html"),
    Spot(".buy", LOAF, 'class="buy"', "parts/loaf.html"),
    Spot(".tag.fresh", UI, 'class="tag{', "tag"),
    Spot(".price", UI, 'class="price"', "price"),
    Spot(".wave path", UI, "<path", "wave"),
]
ORDERS = [
    Spot("tr.even", "templates/orders.html", "<tr", "ui.panel"),
    Spot(".ready", "templates/orders.html", 'class="ready"', "ui.panel"),
    Spot(".baking", "templates/orders.html", 'class="baking"', "ui.panel"),
    Spot(".phone", "templates/orders.html", 'class="phone"', "foot"),
    Spot(".hours", "templates/base.html", 'class="hours"', "foot"),
]
ABOVE = Above("{# one line\n more above #}\n", {})


@pytest.mark.parametrize("kind", COMMANDS)
async def test_every_kind_of_element_has_its_exact_place_before_and_after_edits(
    context: BrowserContext, kind: str
) -> None:
    # One has all of them; the others show that their own way to load templates makes no difference.
    spots = SHOP if kind == "aiohttp" else SHOP[::3]
    async with python_server(kind) as server:
        overlay = await Overlay.open(context, server)
        async with agent(await server.mcp_url(), query="?toolsets=inspector,relay") as client:
            await check_spots(client, server.project, spots)
            await overlay.pick(overlay.page.locator(".loaf h3").nth(1))
            await overlay.write("Say what is in it")
            panel = overlay.root.get_by_role("region", name="Inspections")
            await expect(panel).to_contain_text("Say what is in it")
            (item,) = (await call(client, "list_inspections"))["inspections"]
            line, column = place(server.project / LOAF, "<h3>")
            assert (item["file"], item["line"], item["column"]) == (LOAF, line, column)

            for file in sorted({spot.file for spot in SHOP}):
                ABOVE.put(server.project / file)
            edit(server.project / "templates/shop.html", "today?</h1>", "now?</h1>")
            await overlay.page.reload()
            await overlay.connected()
            await expect(overlay.page.locator("h1")).to_have_text("What is warm now?")
            edited = [
                Spot(s.selector, s.file, s.marker.replace("today?", "now?"), s.component) for s in spots
            ]
            await check_spots(client, server.project, edited)
            await overlay.page.goto(f"{server.url}orders")
            await overlay.connected()
            await check_spots(client, server.project, ORDERS)
            (listed,) = (await call(client, "list_servers"))["servers"]
            assert listed["by"] == "middleware"
            assert listed["url"] == server.url
