"""Frameworks that write their HTML themselves: picked exactly, and left as they are."""

from __future__ import annotations

import pytest
from playwright.async_api import BrowserContext, expect

from frameworks.apps import APPS, App
from frameworks.conftest import Running
from frameworks.visit import html_of, press, taken_over, to_about, visited
from support.agents import agent, call
from support.frameworks import build, copy_of, put_back
from support.overlay import Overlay
from support.sources import check_spots, check_through_edits

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]


async def test_the_servers_html_and_the_console_are_the_same_with_and_without_the_plugin(
    context: BrowserContext, running: Running
) -> None:
    await running.server.companion()
    async with visited(context, running.app, running.server.url):
        pass
    async with visited(context, running.app, running.server.url) as told:
        assert await html_of(running.server.url) == running.html_without
    assert told.lines == running.told_without
    assert not [line for line in told.lines if "ydrat" in line]


async def test_every_kind_of_element_has_its_exact_place_before_and_after_the_page_was_used(
    context: BrowserContext, running: Running
) -> None:
    app, server = running.app, running.server
    overlay = await Overlay.open(context, server)
    await taken_over(overlay.page, app)
    async with agent(await server.mcp_url()) as client:
        await check_spots(client, server.project, app.shelf)
        info = await call(client, "get_page_info")
        assert info["info"]["framework"] == app.library
        await press(overlay.page, app)
        await check_spots(client, server.project, app.shelf + app.later)
        await to_about(overlay.page)
        await overlay.connected()
        await expect(overlay.root.locator(".dot")).to_be_visible()
        await check_spots(client, server.project, app.about)


async def test_places_move_along_with_edits_above_them(context: BrowserContext, running: Running) -> None:
    app, server = running.app, running.server
    async with put_back(server.project, {spot.file for spot in app.shelf}):
        await check_through_edits(
            context,
            server,
            app.shelf,
            app.heading,
            stays=app.stays,
            ready=lambda page: taken_over(page, app),
        )


@pytest.mark.parametrize(
    "app",
    [
        pytest.param(app, id=app.framework.name, marks=pytest.mark.xdist_group(app.framework.name))
        for app in APPS
    ],
)
async def test_a_production_build_has_the_same_bytes_with_and_without_the_plugin(app: App) -> None:
    async with copy_of(app.framework) as project:
        without = await build(app.framework, project, enabled=False)
        assert any(name.endswith(".js") for name in without)
        assert await build(app.framework, project, enabled=True) == without
