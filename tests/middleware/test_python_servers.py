"""What happens to the companion of a Python app when processes reload, multiply and die."""

from __future__ import annotations

import asyncio
import os
import signal
import time

import psutil
import pytest
from playwright.async_api import BrowserContext, expect

from pageside.processes import registry
from support.agents import agent, call
from support.app import DevServer, save
from support.overlay import Overlay
from support.python_server import COMMANDS, PythonServer, answers, python_server

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(100)]

IDLE = {"PAGESIDE_IDLE_SECONDS": "10"}
"""Longer than a reload takes on a busy machine."""
END_SECONDS = 40.0


async def companions(server: DevServer) -> list[int]:
    """The pids of all companions of the server's project that live."""

    def find() -> list[int]:
        found = []
        for process in psutil.process_iter(["cmdline", "status"]):
            words = process.info["cmdline"] or []
            if "serve" in words and str(server.project) in words and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        return found

    return await asyncio.to_thread(find)


async def ended(pid: int) -> None:
    """Wait until that process is no more, or is a zombie that nobody collects."""

    def wait() -> None:
        deadline = time.monotonic() + END_SECONDS
        while registry.start_time(pid) is not None:
            assert time.monotonic() < deadline, f"{pid} still runs"
            time.sleep(0.05)

    await asyncio.to_thread(wait)


async def reload(context: BrowserContext, server: PythonServer, printed: str) -> None:
    """Change the app's code under an open page, and see it there again, with the same companion."""
    overlay = await Overlay.open(context, server)
    pid = (await server.companion())["pid"]
    code = server.project / "app.py"
    save(code, code.read_text("utf-8").replace("Oat porridge loaf", "Oat loaf"))
    await server.printed(printed)
    await answers(server)
    await overlay.page.reload()
    await expect(overlay.page.get_by_text("Oat loaf")).to_be_visible()
    await overlay.connected()
    assert await companions(server) == [pid]


async def test_uvicorns_reload_does_not_wait_for_the_pages_stream(context: BrowserContext) -> None:
    async with python_server("fastapi", environment=IDLE) as server:
        await reload(context, server, r"(?s)startup complete.*startup complete")


async def test_flasks_reload_keeps_page_and_companion(context: BrowserContext) -> None:
    async with python_server("flask", environment=IDLE) as server:
        await reload(context, server, r"(?s)Restarting with stat\n.*Restarting")


async def test_a_killed_companion_is_replaced_and_the_page_comes_back(context: BrowserContext) -> None:
    async with python_server("aiohttp") as server:
        overlay = await Overlay.open(context, server)
        await overlay.pick(overlay.page.locator("h1"))
        await overlay.write("Kept through a crash")
        await expect(overlay.root.get_by_role("region", name="Inspections")).to_contain_text("Kept through")
        before = (await server.companion())["pid"]
        os.kill(before, signal.SIGKILL)
        await ended(before)
        await server.printed(r"(?s)Pageside: .*Pageside: ")
        await overlay.connected()
        assert (await server.companion())["pid"] != before
        async with agent(await server.mcp_url()) as client:
            (item,) = (await call(client, "list_inspections"))["inspections"]
            assert item["description"] == "Kept through a crash"
            assert (await call(client, "get_page_info"))["page"]["url"] == server.url


async def test_workers_share_one_companion_that_ends_when_they_are_killed(context: BrowserContext) -> None:
    command = [{"--reload": "--workers=2"}.get(word, word) for word in COMMANDS["fastapi"]]
    async with python_server("fastapi", command=command) as server:
        await server.printed(r"(?s)startup complete.*startup complete")
        overlay = await Overlay.open(context, server)
        async with agent(await server.mcp_url(), query="?toolsets=inspector,relay") as client:
            source = (await call(client, "capture_element_context", selector=".price"))["element"][
                "sourceInfo"
            ]
            assert (source["file"], source["exact"]) == ("templates/parts/ui.html", True)
            listed = (await call(client, "list_servers"))["servers"]
            assert [each["by"] for each in listed] == ["middleware", "middleware"]
        await overlay.connected()
        (pid,) = await companions(server)
        os.killpg(server.pid, signal.SIGKILL)
        await ended(pid)
