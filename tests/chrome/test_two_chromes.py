"""Two Chromes, one companion: a session that names its own Chrome never meets the other's tabs."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import psutil
import pytest
import pytest_asyncio
from mcp import Client

from chrome.conftest import chrome_settings
from pageside.chrome.browser import Browser
from pageside.settings import Settings
from pageside.web.app import Companion
from support.agents import agent, stdio_agent
from support.browsing import does, refused
from support.site import Site
from support.sockets import free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")


def port_of(browser: Browser) -> int:
    assert browser.endpoint is not None
    return int(browser.endpoint.address.rpartition(":")[2])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def second(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    """A Chrome that somebody else has started."""
    browser = Browser(chrome_settings(1), tmp_path_factory.mktemp("second"))
    await browser.ensure()
    yield browser
    await browser.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def companion(chrome: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Companion]:
    """Its own Chrome is the first one."""
    folder: Path = tmp_path_factory.mktemp("two")
    (folder / "shop").mkdir()
    first = dataclasses.replace(chrome.settings, ports=(port_of(chrome),), auto_launch=False)
    running = await Companion.start(
        Settings(project=folder / "shop", port=0, state=folder / "state", chrome=first, script_origins=("*",))
    )
    yield running
    await running.stop()


async def open_and_list(client: Client, url: str) -> str:
    await does(client, "new_page", url=url)
    return await does(client, "list_pages")


async def test_each_session_sees_the_tabs_of_its_own_chrome_only(
    companion: Companion, second: Browser, site: Site
) -> None:
    one, two = site.page("<title>Of the first</title>"), site.page("<title>Of the second</title>")
    own = f"?toolsets=chrome&chrome={port_of(second)}"
    async with (
        agent(companion.mcp_url, query="?toolsets=chrome") as plain,
        agent(companion.mcp_url, query=own) as named,
    ):
        assert "Of the first" in await open_and_list(plain, one)
        seen = await open_and_list(named, two)
        assert "Of the second" in seen
        assert "Of the first" not in seen
        assert "Of the second" not in await does(plain, "list_pages")
        assert "Of the second" in await does(named, "evaluate_script", function="document.title")
        for client, other in ((plain, "Of the second"), (named, "Of the first")):
            assert (await refused(client, "select_page", pageId=other))["code"] == "TAB_NOT_FOUND"
        assert len(companion.world.chromes.all) == 2
    assert companion.world.chromes.default.endpoint is not None


async def test_a_chrome_is_launched_for_a_session_and_ends_with_it(tmp_path: Path, site: Site) -> None:
    (tmp_path / "shop").mkdir()
    settings = Settings(
        project=tmp_path / "shop", port=0, state=tmp_path / "state", chrome=chrome_settings(1)
    )
    (port,) = free_ports(1)
    companion = await Companion.start(settings)
    try:
        async with agent(companion.mcp_url, query=f"?toolsets=chrome&chrome={port}") as client:
            assert "Own" in await open_and_list(client, site.page("<title>Own</title>"))
            own = companion.world.chromes.all[1]
            assert (port_of(own), own.is_launched) == (port, True)
            process = psutil.Process(own._link._launcher.pid)  # noqa: SLF001
        await asyncio.to_thread(process.wait, 10)
        assert companion.world.chrome.endpoint is None, "nobody needed the other one"
    finally:
        await companion.stop()


async def test_stdio_passes_on_the_chrome_of_its_environment(
    companion: Companion, second: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = site.page("<title>Over stdio</title>")
    variables = {"PAGESIDE_CHROME": "on", "CDP_PORT": str(port_of(second))}
    async with stdio_agent(
        companion.settings, "Twitter", "auto", "--toolsets", "chrome", variables=variables
    ) as client:
        assert "Over stdio" in await open_and_list(client, address)
    assert address in [tab.url for tab in await second.tabs()]
    assert address not in [tab.url for tab in await companion.world.chrome.tabs()]


@pytest.mark.parametrize(
    ("named", "why"), [("nonsense", "neither a port nor a host"), ("192.0.2.7:9222", "on another machine")]
)
async def test_what_is_no_chrome_of_this_machine_is_refused_at_the_door(
    companion: Companion, named: str, why: str
) -> None:
    ask = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{companion.mcp_url}?chrome={named}", json=ask) as response,
    ):
        told = (await response.json())["error"]
    assert (response.status, told["code"]) == (400, "INVALID_ARGUMENTS")
    assert why in told["message"]
