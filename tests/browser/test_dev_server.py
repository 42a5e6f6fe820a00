"""What the Vite plugin brings about: one companion, the agent's endpoint on the app's own origin, restarts."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import psutil
import pytest
from playwright.async_api import BrowserContext, expect

from support.agents import agent, call
from support.app import DevServer, copy_example, dev_server, save
from support.overlay import Overlay

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_agent_reaches_the_companion_on_the_apps_own_origin(
    context: BrowserContext, app: DevServer
) -> None:
    await Overlay.open(context, app)
    async with agent(f"{app.url}__mcp__") as client:
        assert (await call(client, "get_page_info"))["page"]["url"] == app.url


async def test_a_script_of_the_page_cannot_be_an_agent(context: BrowserContext, app: DevServer) -> None:
    overlay = await Overlay.open(context, app)
    status = await overlay.page.evaluate(
        """async () => {
          const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
          return (await fetch('/__mcp__', { method: 'POST', headers, body })).status
        }"""
    )
    assert status == 401


async def test_two_dev_servers_of_a_project_share_one_companion(context: BrowserContext) -> None:
    project = copy_example("vite-react")
    async with dev_server(project) as one, dev_server(project, state=one.state) as two:
        assert (await one.companion())["pid"] == (await two.companion())["pid"]
        first, second = await Overlay.open(context, one), await Overlay.open(context, two)
        await first.pick(first.page.get_by_role("heading", level=1))
        await first.write("Seen in both")
        await expect(await second.show_panel()).to_contain_text("Seen in both")
        console = await context.new_page()
        await console.goto((await two.printed(r"Console: +(\S+)"))[1])
        await expect(console.get_by_role("main")).to_contain_text("Seen in both")


async def test_a_restart_of_vite_keeps_companion_page_and_agent(
    context: BrowserContext, app: DevServer
) -> None:
    overlay = await Overlay.open(context, app)
    before = await app.companion()
    async with agent(await app.mcp_url()) as client:
        await call(client, "get_page_info")
        config = app.project / "vite.config.ts"
        save(config, config.read_text("utf-8") + "\n// changed\n")
        await app.printed(r"server restarted")
        await overlay.connected()
        assert (await call(client, "list_inspections"))["total"] == 0
        async with asyncio.timeout(15):
            while not (await client.call_tool("get_page_info", {})).structured_content:
                await overlay.connected()
    assert (await app.companion())["pid"] == before["pid"]


async def test_the_companion_ends_when_its_dev_server_has_gone() -> None:
    async with dev_server(copy_example("vite-react"), environment={"PAGESIDE_IDLE_SECONDS": "1"}) as server:
        companion = psutil.Process((await server.companion())["pid"])
        await server.stop(companion_too=False)
        await asyncio.to_thread(companion.wait, 10)
        assert not companion.is_running()


async def test_without_the_companion_the_app_works_and_says_so_once(
    context: BrowserContext, tmp_path: Path
) -> None:
    nothing = {"VIRTUAL_ENV": str(tmp_path), "PATH": _only_node(tmp_path)}
    async with dev_server(copy_example("vite-react"), environment=nothing) as server:
        await server.printed(r"(?i)pageside.*\n(.*\n)*.*pipx install pageside")
        page = await context.new_page()
        await page.goto(server.url)
        await page.get_by_role("button", name="Join").first.click()
        await expect(page.get_by_role("button", name="Chosen")).to_be_visible()
        overlay = Overlay(page)
        await overlay.pick(page.get_by_role("heading", level=1))
        await overlay.write("Made while offline")
        await expect(await overlay.show_panel()).to_contain_text("Made while offline")
        assert server.output.count("pipx install pageside") == 1


def _only_node(folder: Path) -> str:
    """A PATH with node and nothing else."""
    found = next(Path(p) / "node" for p in os.environ["PATH"].split(":") if (Path(p) / "node").exists())
    (folder / "node").symlink_to(found)
    return str(folder)
