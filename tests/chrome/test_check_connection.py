"""`check_connection` tells what there is and does nothing; without a Chrome every tool says clearly what is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from pageside.chrome.browser import Browser
from pageside.chrome.programs import find_program
from pageside.settings import Settings, chrome_settings, from_environment
from pageside.toolsets.relay import RELAY
from pageside.web.app import Companion
from support import chromium
from support.agents import agent, call, fails
from support.fake_chrome import fake_chrome
from support.sockets import free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")


@asynccontextmanager
async def companion_with(folder: Path, **variables: str) -> AsyncIterator[Companion]:
    """Configured by environment variables."""
    (folder / "shop").mkdir()
    chrome = chrome_settings(from_environment(variables))
    running = await Companion.start(
        Settings(
            project=folder / "shop", port=0, state=folder / "state", chrome=chrome, script_origins=("*",)
        )
    )
    try:
        yield running
    finally:
        await running.stop()


async def check(running: Companion) -> dict[str, Any]:
    """What an agent is told, after which nothing is connected or launched that was not before."""
    before = running.world.chrome.endpoint
    async with agent(running.mcp_url, query="?toolsets=relay") as client:
        told = await call(client, "check_connection")
    assert running.world.chrome.endpoint == before
    assert running.world.chrome.own is None
    return told


async def test_without_any_chrome_it_says_what_was_tried_and_what_would_be_launched(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    program = find_program(chromium.find())
    async with companion_with(tmp_path, CHROME_DEBUG_PORT=str(port), CHROME_PATH=program) as running:
        running.world.leases.take("/shop", ("http://localhost:5173/",), "8.0.0")
        told = await check(running)
    assert told["status"] == "not found"
    assert told["tried"] == [{"where": f"127.0.0.1:{port}", "found": "nothing"}]
    assert (told["autoLaunch"], told["program"]) == (True, program)
    assert told["whatToDo"] == f"Nothing: the next call launches {program}."
    assert told["settings"]["CHROME_DEBUG_PORT"] == str(port)
    assert (told["pages"], told["boundPage"], told["devServers"]) == (0, None, ["http://localhost:5173/"])


async def test_it_says_why_nothing_can_be_launched(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    (tmp_path / "one").mkdir()
    off = {"CHROME_DEBUG_PORT": str(port), "CHROME_AUTO_LAUNCH": "false"}
    async with companion_with(tmp_path / "one", **off) as running:
        told = await check(running)
    assert told["autoLaunch"] is False
    assert "program" not in told
    assert "--remote-debugging-port" in told["whatToDo"]
    (tmp_path / "two").mkdir()
    wrong = {"CHROME_DEBUG_PORT": str(port), "CHROME_PATH": str(tmp_path / "chrome")}
    async with companion_with(tmp_path / "two", **wrong) as running:
        told = await check(running)
    assert "CHROME_PATH names" in told["why"]
    assert "program" not in told


async def test_a_chrome_that_listens_is_told_and_left_alone(chrome: Browser, tmp_path: Path) -> None:
    assert chrome.endpoint is not None
    port = chrome.endpoint.address.rpartition(":")[2]
    async with companion_with(tmp_path, CHROME_DEBUG_PORT=port) as running:
        told = await check(running)
        assert told["status"] == "reachable"
        assert told["chrome"]["at"] == f"127.0.0.1:{port}"
        assert told["chrome"]["product"] in told["tried"][0]["found"]
        assert told["chrome"]["tabs"] == len(await chrome.tabs())
        await running.world.chrome.ensure()
        connected = await check(running)
    assert connected["status"] == "connected"
    assert connected["chrome"]["tabs"] == told["chrome"]["tabs"]
    assert connected["chrome"]["launchedByPageside"] is False


async def test_a_chrome_that_is_stuck_is_told_before_and_after_it_was_connected(tmp_path: Path) -> None:
    async def stuck(_request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(3600)
        raise AssertionError

    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    async with fake_chrome() as fake:
        fake.answers["Target.setDiscoverTargets"] = {}
        port = str(fake.port)
        async with companion_with(tmp_path / "one", CHROME_DEBUG_PORT=port) as running:
            await running.world.chrome.ensure()
            # It answers nothing that it is asked from now on.
            fake.answers.clear()
            told = await check(running)
        assert told["status"] == "not answering"
        assert told["chrome"]["at"] == f"127.0.0.1:{port}"
        assert "suspended or overloaded" in told["whatToDo"]
        fake.version = stuck
        async with companion_with(tmp_path / "two", CHROME_DEBUG_PORT=port) as running:
            told = await check(running)
        assert told["status"] == "not answering"
        assert told["tried"] == [{"where": f"127.0.0.1:{port}", "found": "takes connections, says nothing"}]
        assert fake.connections == 1


async def test_of_a_websocket_that_was_named_it_says_whether_somebody_is_there(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    async with fake_chrome() as fake:
        url = f"ws://somebody:hunter22@127.0.0.1:{fake.port}/devtools/browser/fake?token=hunter22"
        async with companion_with(tmp_path / "one", CDP_WS_URL=url) as running:
            told = await check(running)
        assert told["status"] == "reachable"
        assert fake.connections == 0
        assert "hunter22" not in str(told)
    (port,) = free_ports(1)
    async with companion_with(tmp_path / "two", CDP_WS_URL=f"ws://127.0.0.1:{port}/devtools") as running:
        gone = await check(running)
    assert gone["status"] == "not found"
    assert gone["tried"] == [{"where": f"127.0.0.1:{port}", "found": "nothing"}]
    assert "CDP_WS_URL" in gone["whatToDo"]


async def test_the_first_call_that_needs_a_chrome_launches_one(running: Companion) -> None:
    async with agent(running.mcp_url, query="?toolsets=relay") as client:
        assert (await call(client, "check_connection"))["status"] == "not found"
        assert running.world.chrome.own is None
        assert (await call(client, "evaluate_js", expression="location.href"))["value"] == "about:blank"
        told = await call(client, "check_connection")
    assert (told["status"], told["chrome"]["tabs"]) == ("connected", 1)
    assert told["chrome"]["launchedByPageside"] is True


ARGUMENTS: dict[str, dict[str, Any]] = {
    "evaluate_js": {"expression": "1"},
    "get_elements": {"selector": "p"},
    "get_computed_styles": {"selector": "p"},
    "get_network_request_detail": {"requestId": "1.1"},
    "watch_console": {"pattern": "x"},
}
NO_CHROME_NEEDED = ("check_connection", "start_server", "get_server_logs", "stop_server", "list_servers")


async def test_every_tool_says_clearly_that_there_is_no_chrome(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    settings = {"CHROME_DEBUG_PORT": str(port), "CHROME_AUTO_LAUNCH": "false"}
    async with (
        companion_with(tmp_path, **settings) as running,
        agent(running.mcp_url, query="?toolsets=relay") as client,
    ):
        tools = [tool.name for tool in (await client.list_tools()).tools]
        assert tools == [tool.name for tool in RELAY.tools]
        for name in tools:
            if name not in NO_CHROME_NEEDED:
                error = await fails(client, name, **ARGUMENTS.get(name, {}))
                assert error["code"] == "CHROME_UNREACHABLE", name
                assert f"port {port}" in error["message"]
                assert "check_connection" in error["fix"]
        # A prompt has the name of a tool; they are told apart.
        prompt = await client.get_prompt("get_network_requests", {})
        assert prompt.messages


async def test_with_chrome_switched_off_it_says_how_to_switch_it_on(tmp_path: Path) -> None:
    async with companion_with(tmp_path, PAGESIDE_CHROME="off") as running:
        told = await check(running)
        assert (told["status"], told["settings"]["PAGESIDE_CHROME"]) == ("off", "off")
        assert "--no-chrome" in told["whatToDo"]
        async with agent(running.mcp_url, query="?toolsets=relay") as client:
            error = await fails(client, "get_console_logs")
    assert error["code"] == "CHROME_UNREACHABLE"
    assert "switched off" in error["message"]
