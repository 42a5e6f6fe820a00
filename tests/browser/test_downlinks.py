"""One stream per browser: by SharedWorker, else by a leader among the tabs, else only while visible."""

from __future__ import annotations

import asyncio

import pytest
from mcp import Client
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import DevServer
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")

NO_WORKER = "delete window.SharedWorker"
NO_LOCKS = "delete Navigator.prototype.locks"


async def _answers(client: Client, part: str) -> bool:
    return bool(await call(client, "execute_page_script", code="true", page=part))


async def test_the_next_tab_leads_when_the_leader_closes(context: BrowserContext, app: DevServer) -> None:
    await context.add_init_script(NO_WORKER)
    leader = await Overlay.open(context, app, "?tab=1")
    others = [await Overlay.open(context, app, f"?tab={n}") for n in (2, 3)]
    async with agent(await app.mcp_url()) as client:
        for n in (1, 2, 3):
            assert await _answers(client, f"?tab={n}")
        await leader.page.close()
        for overlay, n in zip(others, (2, 3), strict=True):
            await overlay.connected()
            assert await _answers(client, f"?tab={n}")


async def test_with_neither_worker_nor_locks_the_visible_tab_is_connected(
    context: BrowserContext, app: DevServer
) -> None:
    await context.add_init_script(f"{NO_WORKER};{NO_LOCKS}")
    overlay = await Overlay.open(context, app, "?tab=1")
    async with agent(await app.mcp_url()) as client:
        assert await _answers(client, "?tab=1")
        await overlay.pick(overlay.page.get_by_role("heading", level=1))
        await overlay.write("Also here")
        found = await call(client, "wait_for_inspection")
        assert [item["description"] for item in found["inspections"]] == ["Also here"]


async def test_a_worker_serves_the_other_tabs_when_the_first_one_closes(
    context: BrowserContext, app: DevServer
) -> None:
    first = await Overlay.open(context, app, "?tab=1")
    second = await Overlay.open(context, app, "?tab=2")
    await first.page.close()
    async with agent(await app.mcp_url()) as client:
        assert await _answers(client, "?tab=2")
        await expect(second.root.get_by_role("img", name="Connected to")).to_be_visible()


async def test_a_tab_that_crashes_is_noticed(context: BrowserContext, app: DevServer) -> None:
    await Overlay.open(context, app, "?tab=kept")
    crashing = await Overlay.open(context, app, "?tab=crashing")
    async with agent(await app.mcp_url()) as client:
        assert len((await call(client, "get_page_info", page="kept"))["pages"]) == 2
        crashed = asyncio.Event()
        crashing.page.on("crash", lambda _page: crashed.set())
        session = await context.new_cdp_session(crashing.page)
        dying = asyncio.ensure_future(session.send("Page.crash"))
        await asyncio.wait_for(crashed.wait(), 10)
        dying.cancel()
        async with asyncio.timeout(20):
            while len((await call(client, "get_page_info", page="kept"))["pages"]) == 2:
                continue
