"""The toolset `kapture` in tabs that Chrome shows over CDP: all ten commands, and what can go wrong."""

from __future__ import annotations

import asyncio
import base64
import re
import secrets
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import mcp_types as t
import pytest
from aiohttp import web
from mcp import Client

from chrome.conftest import chrome_settings
from pageside.contract import CHANNEL
from pageside.core.tab_messages import Register
from pageside.operations import cdp_tab
from pageside.settings import Settings
from pageside.toolsets.kapture import KAPTURE
from pageside.web.app import Companion
from support.agents import agent, call, fails, text
from support.page import WirePage
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

SYMBOL = CHANNEL["pageSymbol"]
TOOLS = {tool.name for tool in KAPTURE.tools} | {"available_tabs"}
SHOP = """<title>Shop</title><script>console.log('shop'); console.warn('few lanterns')</script>
<button id=buy onclick="setTimeout(() => document.title = 'Bought', 150)">Buy</button>
<p id=over onmouseover="this.textContent = 'hovered'">over</p><div style="display:none" id=hidden>x</div>
<input id=name value=Ada> <input id=short maxlength=3>
<select id=size><option value=s>Small</option><option value=m>Medium</option></select>
<div id=wide style="width:900px;height:300px;background:#36c"></div>
<div id=line style="width:900px;height:2px"></div>"""


@asynccontextmanager
async def using(companion: Companion, *urls: str) -> AsyncIterator[tuple[Client, list[str]]]:
    """An agent with this toolset alone, and the ids of tabs that show `urls`."""
    chrome = companion.world.chrome
    tabs = [await chrome.new_tab(url) for url in urls]
    async with agent(companion.mcp_url, "Ada", query="?toolsets=kapture") as client:
        yield client, [tab.id for tab in tabs]
    left = {each.id for each in await chrome.tabs()}
    for tab in tabs:
        if tab.id in left:
            await chrome.close_tab(tab.id)


async def does(client: Client, name: str, tab: str, /, **args: object) -> dict[str, Any]:
    """The data of a command, without the mark."""
    told = await call(client, f"kapturemcp_{name}", tabId=tab, **args)
    assert told.pop("untrusted") is True
    return told


async def runs(client: Client, tab: str, code: str) -> Any:
    return (await does(client, "evaluate", tab, code=code))["result"]


async def refused(client: Client, name: str, tab: str, /, **args: object) -> dict[str, Any]:
    error = await fails(client, f"kapturemcp_{name}", tabId=tab, **args)
    assert set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", error["fix"])) <= TOOLS
    return error


async def shoots(client: Client, tab: str, /, **args: object) -> tuple[int, int]:
    """The size that the picture itself says, which is that of the answer."""
    result = await client.call_tool("kapturemcp_screenshot", {"tabId": tab, "name": "shop", **args})
    assert not result.is_error, text(result)
    (picture,) = [each for each in result.content if isinstance(each, t.ImageContent)]
    size = struct.unpack(">II", base64.b64decode(picture.data)[16:24])
    told = {"untrusted": True, "name": "shop", "mime": "image/png", "width": size[0], "height": size[1]}
    assert result.structured_content == told
    return size


async def test_an_agent_does_all_that_the_protocol_has_in_a_tab_of_chrome(
    running: Companion, site: Site
) -> None:
    shop, other = site.page(SHOP), site.page("<title>Other</title><script>console.error('other')</script>")
    async with using(running, "about:blank") as (client, (tab,)):
        (row,) = [
            each for each in (await call(client, "kapturemcp_list_tabs"))["tabs"] if each["tabId"] == tab
        ]
        assert (row["via"], row["url"], row["connectedAt"]) == ("cdp", "about:blank", None)
        for name, args, told in (
            ("navigate", {"url": shop}, {"url": shop, "title": "Shop", "status": 200}),
            ("navigate", {"url": other}, {"url": other, "title": "Other", "status": 200}),
            ("go_back", {}, {"url": shop, "title": "Shop"}),
            ("go_forward", {}, {"url": other, "title": "Other"}),
            ("go_back", {}, {"url": shop, "title": "Shop"}),
        ):
            assert {**(await does(client, name, tab, **args)), **told} | told == {"status": None, **told}
        done = {"success": True, "url": shop}
        assert await does(client, "click", tab, selector="#buy") == {**done, "element": "<button#buy>"}
        assert await runs(client, tab, "document.title") == "Bought", "its effects are awaited"
        assert await does(client, "hover", tab, selector="#over") == {**done, "element": "<p#over>"}
        filled = await does(client, "fill", tab, selector="#name", value="Grace")
        assert filled == {**done, "element": "<input#name>", "value": "Grace"}
        assert (await does(client, "fill", tab, selector="#short", value="Grace"))["note"].count("Gra") == 1
        chosen = await does(client, "select", tab, selector="#size", value="Medium")
        assert chosen == {**done, "element": "<select#size>", "value": "Medium"}
        state = "return [over.textContent, document.getElementById('name').value, size.value]"
        assert await runs(client, tab, state) == ["hovered", "Grace", "m"]
        assert await runs(client, tab, "undefined") is None
        assert await runs(client, tab, "document.body") == "<body>"
        assert (await shoots(client, tab))[0] > 1000
        assert await shoots(client, tab, selector="#wide") == (900, 300)
        assert await shoots(client, tab, selector="#wide", width=90, height=60) == (90, 30)
        assert await shoots(client, tab, selector="#line", width=16) == (16, 1)
        # The console is kept over navigations, and what comes back from the cache is no news.
        logs = (await does(client, "logs", tab))["logs"]
        assert [(each["level"], each["message"]) for each in logs] == [
            ("error", "other"),
            ("warning", "few lanterns"),
            ("log", "shop"),
        ]
        assert all(datetime.fromisoformat(each["timestamp"]) for each in logs)
        assert (await does(client, "logs", tab, max=1))["logs"] == logs[:1]
        entries = [entry.text for entry in running.world.timeline.read(None)]
        assert any(
            re.fullmatch(r"kapturemcp_click by Ada in the tab 'Shop': \d+ ms", each) for each in entries
        )


async def test_what_goes_wrong_is_said_by_its_code(running: Companion, site: Site) -> None:
    async with using(running, site.page(SHOP)) as (client, (tab,)):
        for code, name, args in (
            ("ELEMENT_NOT_FOUND", "click", {"selector": "#none"}),
            ("ELEMENT_NOT_FOUND", "screenshot", {"name": "x", "selector": "#none"}),
            ("INVALID_SELECTOR", "hover", {"selector": "["}),
            ("ELEMENT_NOT_READY", "screenshot", {"name": "x", "selector": "#hidden"}),
            ("INVALID_ARGUMENTS", "select", {"selector": "#size", "value": "Huge"}),
            ("INVALID_ARGUMENTS", "select", {"selector": "#name", "value": "Ada"}),
            ("INVALID_ARGUMENTS", "navigate", {"url": "file:///etc/passwd"}),
            ("INVALID_ARGUMENTS", "navigate", {"url": site.origin, "timeout": "soon"}),
            ("INVALID_ARGUMENTS", "click", {"selector": "#buy", "uid": "1_2"}),
            ("INVALID_ARGUMENTS", "logs", {"max": 0}),
            ("NAVIGATION_FAILED", "go_forward", {}),
            ("EXECUTION_ERROR", "evaluate", {"code": "throw new Error('out of lanterns')"}),
            ("EXECUTION_ERROR", "evaluate", {"code": "not javascript"}),
        ):
            error = await refused(client, name, tab, **args)
            assert error["code"] == code, (name, args, error)
        error = await refused(client, "evaluate", tab, code="throw new Error('out of lanterns')")
        assert "out of lanterns" in error["message"]
        error = await fails(client, "kapturemcp_click", selector="#buy")
        assert (error["code"], "'tabId' is a required" in error["message"]) == ("INVALID_ARGUMENTS", True)
        # Nothing of it has harmed the tab.
        assert await runs(client, tab, "document.title") == "Shop"


async def test_time_is_over_where_nothing_comes(
    running: Companion, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, image = site.slow(20, "<p>late", "text/html"), site.slow(20, "", "image/png")
    async with using(running, site.page(SHOP)) as (client, (tab,)):
        error = await refused(client, "navigate", tab, url=site.origin + slow, timeout=400)
        assert error["code"] == "COMMAND_TIMEOUT"
        half = site.page(f"<title>Half</title><img src={image}>")
        told = await does(client, "navigate", tab, url=half, timeout=600)
        assert told == {"url": half, "title": "Half", "status": 200, "loading": True}
        await does(client, "go_back", tab)
        monkeypatch.setattr(cdp_tab, "COMMAND_SECONDS", 0.5)
        assert (await refused(client, "evaluate", tab, code="while (true);"))["code"] == "COMMAND_TIMEOUT"
        assert await runs(client, tab, "1 + 1") == 2


async def test_a_dialog_is_said_and_left_by_going_elsewhere(running: Companion, site: Site) -> None:
    page = site.page("<button onclick='alert(\"Sold out\")'>Buy</button>")
    async with using(running, page) as (client, (tab,)):
        told = await does(client, "click", tab, selector="button")
        assert (told["success"], "alert 'Sold out'" in told["note"]) == (True, True)
        for name, args in (("click", {"selector": "button"}), ("screenshot", {"name": "x"})):
            error = await refused(client, name, tab, **args)
            assert (error["code"], error["data"]["dialog"]["message"]) == ("DIALOG_OPEN", "Sold out")
        assert (await does(client, "logs", tab))["logs"] == []
        assert (await does(client, "navigate", tab, url=site.page(SHOP)))["title"] == "Shop"


async def test_two_tabs_work_at_once_and_one_does_one_thing_after_the_other(
    running: Companion, site: Site
) -> None:
    both = asyncio.Barrier(2)

    async def meet(_request: web.Request) -> web.Response:
        await both.wait()
        return web.Response(text="met")

    # Chrome asks for one URL once at a time.
    wait = f"return (await fetch('{site.handle(meet)}?' + Math.random())).text()"
    async with using(running, site.origin, site.origin) as (client, (one, two)):
        async with asyncio.timeout(10):
            met = await asyncio.gather(runs(client, one, wait), runs(client, two, wait))
        assert list(met) == ["met", "met"]
        await runs(client, one, "globalThis.order = []")
        step = "order.push('in'); await new Promise(requestAnimationFrame); order.push('out'); return 1"
        await asyncio.gather(*(runs(client, one, step) for _ in range(4)))
        assert await runs(client, one, "order") == ["in", "out"] * 4


async def test_a_tab_that_closes_ends_its_commands_and_is_remembered(running: Companion, site: Site) -> None:
    arrived = asyncio.Event()

    async def hang(_request: web.Request) -> web.Response:
        arrived.set()
        await asyncio.sleep(20)
        return web.Response()

    wait = f"return (await fetch('{site.handle(hang)}')).text()"
    async with using(running, site.origin, site.page(SHOP)) as (client, (tab, other)):
        waiting = asyncio.create_task(refused(client, "evaluate", tab, code=wait))
        await asyncio.wait_for(arrived.wait(), 10)
        await running.world.chrome.close_tab(tab)
        assert (await asyncio.wait_for(waiting, 5))["code"] == "TAB_DISCONNECTED"
        error = await refused(client, "click", tab, selector="a")
        assert error["code"] == "TAB_DISCONNECTED"
        assert other in [each["tabId"] for each in error["data"]["available_tabs"]]
        error = await refused(client, "click", "never-there", selector="a")
        assert error["code"] == "TAB_NOT_FOUND"
        assert other in [each["tabId"] for each in error["data"]["available_tabs"]]
        assert await runs(client, other, "document.title") == "Shop"


async def test_a_tab_that_the_extension_has_too_is_listed_once(running: Companion, site: Site) -> None:
    sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    tabs = running.world.extension_tabs
    async with using(running, site.page(SHOP)) as (client, (tab,)):
        live = tabs.register(Register("mine", site.origin, "Shop", tab), sent.put_nowait)
        rows = (await call(client, "kapturemcp_list_tabs"))["tabs"]
        assert [each["via"] for each in rows if each["tabId"] in ("mine", tab)] == ["extension"]
        asked = [asyncio.create_task(refused(client, "click", name, selector="a")) for name in ("mine", tab)]
        async with asyncio.timeout(5):
            assert {(await sent.get())["command"] for _ in asked} == {"kapturemcp_click"}
        tabs.disconnect(live, "the test is over")
        assert {error["code"] for error in await asyncio.gather(*asked)} == {"TAB_DISCONNECTED"}
        # Without the extension it is a tab like others.
        assert await runs(client, tab, "document.title") == "Shop"


async def test_a_pause_holds_in_the_tab_that_chrome_says_shows_the_page(
    running: Companion, site: Site
) -> None:
    tabs, secret = running.world.extension_tabs, secrets.token_urlsafe(16)
    async with (
        using(running, site.page(SHOP), site.page(SHOP)) as (client, (tab, other)),
        WirePage(running, site.url("moved-on"), joins=False) as page,
    ):
        await runs(client, tab, f"globalThis[Symbol.for({SYMBOL!r})] = {{secret: {secret!r}}}; 1")
        await page.open(secret=secret)
        mine = tabs.register(Register("mine", site.origin, "Shop", tab), lambda _message: None)
        sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        others = tabs.register(Register("others", page.url, "Shop", other), sent.put_nowait)
        await page.send("brakes", paused=True)
        error = await refused(client, "click", "mine", selector="#buy")
        assert error["code"] == "PAUSED_BY_USER"
        # Whatever its URL is, Chrome knows that the page is not in it.
        waiting = asyncio.create_task(refused(client, "click", "others", selector="#buy"))
        await asyncio.wait_for(sent.get(), 10)
        for live in (mine, others):
            tabs.disconnect(live, "the test is over")
        assert (await waiting)["code"] == "TAB_DISCONNECTED"
        gone = running.world.pages.get(page.id)
        assert gone is not None
        # It does not come back, so nobody waits for that.
        running.world.pages._gone(gone)  # noqa: SLF001


async def test_no_chrome_is_launched_and_scripts_run_only_where_they_may(tmp_path: Path, site: Site) -> None:
    (tmp_path / "shop").mkdir()
    settings = Settings(
        project=tmp_path / "shop", port=0, state=tmp_path / "state", chrome=chrome_settings(1)
    )
    companion = await Companion.start(settings)
    try:
        async with using(companion) as (client, _):
            told = await call(client, "kapturemcp_list_tabs")
            port = f"--remote-debugging-port={settings.chrome.ports[0]}"
            assert (told["tabs"], port in told["hint"]) == ([], True)
            error = await refused(client, "click", "x", selector="a")
            assert (error["code"], port in error["fix"]) == ("TAB_NOT_FOUND", True)
            assert companion.world.chrome.own is None
        await companion.world.chrome.ensure()
        async with using(companion, site.page(SHOP)) as (client, (tab,)):
            error = await refused(client, "evaluate", tab, code="1")
            assert (error["code"], error["data"]) == ("SCRIPT_NOT_ALLOWED", {"origin": site.origin})
            await does(client, "click", tab, selector="#buy")
    finally:
        await companion.stop()
