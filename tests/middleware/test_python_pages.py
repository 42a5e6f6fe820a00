"""Pages of Flask, FastAPI, Django and aiohttp: exact places, picks and notes with no Node, through reloads and crashes.

Starting servers, companions and pages is what takes the time, so that each server is started once.
"""

from __future__ import annotations

import os
import signal

import pytest
from mcp import Client
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import edit, place
from support.overlay import Overlay
from support.python_server import COMMANDS, PythonServer, answers, companions_of, ended, python_server
from support.sources import Above, Spot, check_spots, seen

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


IDLE = {"PAGESIDE_IDLE_SECONDS": "10"}
"""Longer than a reload takes on a busy machine."""
RELOADS = {
    "fastapi": r"(?s)startup complete.*startup complete",
    "flask": r"(?s)Restarting with stat\n.*Restarting",
}
"""What those print whose server starts again when the app's code changes."""


@pytest.mark.parametrize("kind", COMMANDS)
async def test_elements_have_their_exact_places_through_edits_reloads_and_crashes(
    context: BrowserContext, kind: str
) -> None:
    # One has all of them; the others show that their own way to load templates makes no difference.
    step = 1 if kind == "aiohttp" else 3
    async with python_server(kind, environment=IDLE if kind in RELOADS else {}) as server:
        overlay = await Overlay.open(context, server)
        await server.printed(r"Console: +http://127\.0\.0\.1:\d+/__pageside__/console#[\w-]{43}\n")
        async with agent(await server.mcp_url(), query="?toolsets=inspector,relay") as client:
            await check_spots(client, server.project, SHOP[::step])
            await note(overlay, server, client)
            await edit_templates(overlay, server)
            edited = [
                Spot(s.selector, s.file, s.marker.replace("today?", "now?"), s.component)
                for s in SHOP[::step]
            ]
            await check_spots(client, server.project, edited)
            await overlay.page.goto(f"{server.url}orders")
            await overlay.connected()
            await check_spots(client, server.project, ORDERS[::step])
            (listed,) = (await call(client, "list_servers"))["servers"]
            assert listed["by"] == "middleware"
            assert listed["url"] == server.url
        if kind in RELOADS:
            await edit_code(overlay, server, RELOADS[kind])
        if kind == "aiohttp":
            await kill_companion(overlay, server)


async def note(overlay: Overlay, server: PythonServer, client: Client) -> None:
    """A pick with a note reaches the agent, at its place."""
    await overlay.pick(overlay.page.locator(".loaf h3").nth(1))
    await overlay.write("Say what is in it")
    panel = overlay.root.get_by_role("region", name="Inspections")
    await expect(panel).to_contain_text("Say what is in it")
    (item,) = (await call(client, "list_inspections"))["inspections"]
    line, column = place(server.project / LOAF, "<h3>")
    assert (item["file"], item["line"], item["column"]) == (LOAF, line, column)


async def edit_templates(overlay: Overlay, server: PythonServer) -> None:
    """Move all places, change a text, and see it."""
    for file in sorted({spot.file for spot in SHOP}):
        ABOVE.put(server.project / file)
    edit(server.project / "templates/shop.html", "today?</h1>", "now?</h1>")
    await overlay.page.reload()
    await overlay.connected()
    await expect(overlay.page.locator("h1")).to_have_text("What is warm now?")


async def edit_code(overlay: Overlay, server: PythonServer, printed: str) -> None:
    """Change the app under an open page, whose stream holds nothing up, and see it with the same companion."""
    await overlay.page.goto(server.url)
    await overlay.connected()
    pid = (await server.companion())["pid"]
    edit(server.project / "app.py", "Oat porridge loaf", "Oat loaf")
    await server.printed(printed)
    await answers(server)
    await overlay.page.reload()
    await expect(overlay.page.get_by_text("Oat loaf")).to_be_visible()
    await overlay.connected()
    assert await companions_of(server) == [pid]


async def kill_companion(overlay: Overlay, server: PythonServer) -> None:
    """Another one comes, the page finds it by itself, and nothing that was noted is lost."""
    before = (await server.companion())["pid"]
    os.kill(before, signal.SIGKILL)
    await ended(before)
    await server.printed(r"(?s)Pageside: .*Pageside: ")
    await overlay.connected()
    assert (await server.companion())["pid"] != before
    async with agent(await server.mcp_url()) as client:
        (item,) = (await call(client, "list_inspections"))["inspections"]
        assert item["description"] == "Say what is in it"
        assert (await call(client, "get_page_info"))["page"]["url"] == f"{server.url}orders"


async def test_workers_share_one_companion_that_ends_when_they_are_killed(context: BrowserContext) -> None:
    command = [{"--reload": "--workers=2"}.get(word, word) for word in COMMANDS["fastapi"]]
    async with python_server("fastapi", command=command) as server:
        await server.printed(r"(?s)startup complete.*startup complete")
        overlay = await Overlay.open(context, server)
        async with agent(await server.mcp_url(), query="?toolsets=inspector,relay") as client:
            source = await seen(client, ".price")
            assert (source["file"], source["exact"]) == (UI, True)
            listed = (await call(client, "list_servers"))["servers"]
            assert [each["by"] for each in listed] == ["middleware", "middleware"]
        await overlay.connected()
        (pid,) = await companions_of(server)
        os.killpg(server.pid, signal.SIGKILL)
        await ended(pid)
