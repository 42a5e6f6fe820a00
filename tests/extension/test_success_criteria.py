"""The eight success criteria of the Kapture protocol, each a test of its name: with agent, companion and extension."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as t
import pytest
from mcp import Client
from playwright.async_api import expect

from pageside.contract import TABS
from pageside.settings import Settings
from pageside.web.app import Companion
from support.agents import agent, call, fails
from support.console_page import ConsolePage
from support.extension import Extension, UserTab, companion_for_tabs, connected
from support.panel import Panel
from support.serve import Running, serving
from support.site import Site
from support.sockets import deaf_server, free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")

KAPTURE = "?toolsets=kapture"
TOKEN = "abcdefghijklmnop1234567890"


class Ada:
    """An agent, and the tab that it uses."""

    def __init__(self, client: Client, tab_id: str) -> None:
        self.client, self.tab_id = client, tab_id

    async def __call__(self, tool: str, **args: Any) -> dict[str, Any]:
        return await call(self.client, f"kapturemcp_{tool}", tabId=self.tab_id, **args)

    async def fails(self, tool: str, **args: Any) -> str:
        """The code of the error."""
        error = await fails(self.client, f"kapturemcp_{tool}", **{"tabId": self.tab_id, **args})
        return str(error["code"])


@asynccontextmanager
async def using(tab: UserTab, running: Companion) -> AsyncIterator[Ada]:
    async with agent(running.mcp_url, query=KAPTURE) as client:
        yield Ada(client, (await tab.state())["tabId"])


async def listed(client: Client) -> list[dict[str, Any]]:
    tabs: list[dict[str, Any]] = (await call(client, "kapturemcp_list_tabs"))["tabs"]
    return tabs


async def test_1_stable_websocket_connection_management(
    extension: Extension, site: Site, settings: Settings, tmp_path: Path
) -> None:
    """The companion is killed; the one that is started next has both tabs again, by themselves, under their ids."""
    (port,) = free_ports(1)
    first, second = [await extension.open(site.url(name)) for name in ("any-tab.html", "many.html")]
    ids: set[str] = set()

    async def seen(running: Running | Companion) -> set[str]:
        async with agent(running.mcp_url, query=KAPTURE) as client:
            return {each["tabId"] for each in await listed(client)}

    async with serving(settings, "--tab-port", str(port)) as running:
        ids = {await first.connect(port), await second.connect(port)}
        assert await seen(running) == ids
        await running.end(signal.SIGKILL)
    for tab in (first, second):
        assert (await tab.state("state.retryAt"))["connection"] == "idle"

    async with companion_for_tabs(tmp_path / "next", tab_port=port) as again:
        for tab in (first, second):
            await tab.state("state.connection === 'connected'")
        assert await seen(again) == ids
        for tab in (first, second):
            await tab.disconnect()
        await connected(again, 0)
    for tab in (first, second):
        await tab.page.close()


async def test_2_reliable_command_execution_with_proper_error_handling(
    tab: UserTab, running: Companion
) -> None:
    async with using(tab, running) as ada:
        await tab.allow_scripts()
        assert await ada.fails("click", selector="#nobody") == "ELEMENT_NOT_FOUND"
        assert await ada.fails("hover", selector="a[") == "INVALID_SELECTOR"
        assert await ada.fails("evaluate", code="nobody.knows") == "EXECUTION_ERROR"
        assert await ada.fails("click", tabId="nobody", selector="a") == "TAB_NOT_FOUND"
        assert (await ada("evaluate", code="6 * 7"))["result"] == 42

        hanging = asyncio.ensure_future(ada.fails("evaluate", code="await new Promise(() => {})"))
        await tab.state("state.connection === 'executing'")
        await tab.page.close()
        assert await hanging == "TAB_DISCONNECTED"
        assert await ada.fails("click", selector="a") == "TAB_DISCONNECTED"


async def test_3_support_for_all_specified_puppeteer_like_commands(
    tab: UserTab, running: Companion, site: Site
) -> None:
    done: list[str] = []

    async with using(tab, running) as ada:

        async def does(tool: str, **args: Any) -> dict[str, Any]:
            done.append(f"kapturemcp_{tool}")
            return await ada(tool, **args)

        await tab.allow_scripts()
        assert (await does("navigate", url=site.url("many.html")))["status"] == 200
        assert (await does("go_back"))["title"] == "Any tab"
        assert (await does("go_forward"))["url"] == site.url("many.html")
        await ada("go_back")
        assert (await does("click", selector="#add"))["element"] == "<button#add>"
        assert (await does("hover", selector="#menu"))["success"]
        assert (await does("fill", selector="[name=name]", value="Ada"))["value"] == "Ada"
        assert (await does("select", selector="[name=colour]", value="g"))["value"] == "g"
        said = "[document.querySelector('[name=name]').value, document.querySelector('select').value, said.textContent]"
        assert (await does("evaluate", code=f"console.log('here'); {said}"))["result"] == ["Ada", "g", "over"]
        assert (await does("logs", max=1))["logs"][0]["message"] == "here"
        args = {"tabId": ada.tab_id, "name": "box", "selector": "#box"}
        shown = await ada.client.call_tool("kapturemcp_screenshot", args)
        (picture,) = (block for block in shown.content if isinstance(block, t.ImageContent))
        assert (picture.mime_type, (shown.structured_content or {})["name"]) == ("image/png", "box")

    assert sorted([*done, "kapturemcp_screenshot"]) == sorted(TABS["commands"])


async def test_4_proper_command_queuing_and_timeout_handling(
    tab: UserTab, running: Companion, site: Site
) -> None:
    async with using(tab, running) as ada:
        await tab.allow_scripts()
        await ada("evaluate", code="globalThis.order = []; null")
        code = "order.push('{0} begins'); await new Promise(done => setTimeout(done, 30)); order.push('{0} ends')"
        await asyncio.gather(*(ada("evaluate", code=code.format(name)) for name in "abc"))
        order = (await ada("evaluate", code="order"))["result"]
        assert [word.split()[0] for word in order[::2]] == [word.split()[0] for word in order[1::2]]
        assert sorted(order[::2]) == ["a begins", "b begins", "c begins"]

        never = site.origin + site.slow(30)
        late = asyncio.ensure_future(ada.fails("navigate", url=never, timeout=400))
        await tab.state("state.connection === 'executing'")
        next_one = asyncio.ensure_future(ada("evaluate", code="document.title"))
        assert await late == "COMMAND_TIMEOUT"
        assert (await next_one)["result"] == "Any tab"


async def test_5_clear_connection_state_management_in_ui(
    extension: Extension, site: Site, running: Companion
) -> None:
    """The panel, the popup and the toolbar's button tell each state; what can be pressed fits it."""
    tab = await extension.open(site.url("any-tab.html"))
    panel, popup = [await Panel.open(extension, tab, view) for view in ("panel", "popup")]

    async def shows(status: str, button: str, badge: str) -> None:
        for view in (panel, popup):
            await expect(view.status).to_have_text(status)
            await expect(view.button(button)).to_be_visible()
        assert await extension.badge(tab) == badge

    await shows("Not connected", "Connect", "")
    with deaf_server() as port:
        await panel.use_port(port)
        await panel.button("Connect").click()
        await shows("Connecting…", "Cancel", "")
        await popup.button("Cancel").click()
        await shows("Not connected", "Connect", "")
    assert running.tab_port is not None
    await panel.use_port(running.tab_port)
    seen = await panel.states()
    await panel.connect()
    await shows("Connected", "Disconnect", "on")
    await tab.allow_scripts()
    async with using(tab, running) as ada:
        code = "new Promise(done => { globalThis.release = done })"
        script = asyncio.ensure_future(ada("evaluate", code=code))
        await shows("Running", "Disconnect", "…")
        await expect(panel.page.locator(".running")).to_contain_text("evaluate")
        await tab.page.evaluate("release()")
        await script
        await shows("Connected", "Disconnect", "on")
    await popup.button("Disconnect").click()
    await shows("Not connected", "Connect", "")
    # Two of them may be over before a view is told.
    passing = ("connecting", "disconnecting")
    told = [each for each in await seen.json_value() if each not in passing]
    assert told == ["idle", "connected", "executing", "connected", "idle"]
    for page in (tab.page, panel.page, popup.page):
        await page.close()


async def test_6_mcp_server_properly_exposes_all_tools(running: Companion) -> None:
    needs = {
        "list_tabs": [],
        "navigate": ["tabId", "url"],
        "go_back": ["tabId"],
        "go_forward": ["tabId"],
        "screenshot": ["tabId", "name"],
        "click": ["tabId", "selector"],
        "hover": ["tabId", "selector"],
        "fill": ["tabId", "selector", "value"],
        "select": ["tabId", "selector", "value"],
        "evaluate": ["tabId", "code"],
        "logs": ["tabId"],
    }
    async with agent(running.mcp_url, query=KAPTURE) as client:
        tools = (await client.list_tools()).tools
        assert {tool.name: tool.input_schema.get("required", []) for tool in tools} == {
            f"kapturemcp_{name}": arguments for name, arguments in needs.items()
        }
        defaults = {
            (tool.name, name): about["default"]
            for tool in tools
            for name, about in tool.input_schema["properties"].items()
            if "default" in about
        }
        assert defaults == {("kapturemcp_navigate", "timeout"): 30000, ("kapturemcp_logs", "max"): 100}
        assert await listed(client) == []


async def test_7_test_webapp_successfully_tests_all_functionality(
    extension: Extension, tab: UserTab, running: Companion, site: Site
) -> None:
    async with extension.context.expect_page() as opened:
        await extension.worker.evaluate("() => chrome.windows.create({ url: 'about:blank' }).then(() => 1)")
    console = ConsolePage(await opened.value)
    await console.enter_tools(running)
    before = await console.history.count()
    (told,) = (await console.run("kapturemcp_list_tabs"))["tabs"]
    assert (told["title"], told["via"]) == ("Any tab", "extension")
    await console.page.get_by_role("radio", name="Any tab").check()
    await tab.allow_scripts()

    assert (await console.run("kapturemcp_click", selector="#add"))["element"] == "<button#add>"
    await expect(tab.page.locator("#said")).to_have_text("added true")
    await console.run("kapturemcp_hover", selector="#menu")
    await expect(tab.page.locator("#said")).to_have_text("over")
    assert (await console.run("kapturemcp_fill", selector="[name=name]", value="Ada"))["value"] == "Ada"
    assert (await console.run("kapturemcp_select", selector="select", value="g"))["value"] == "g"
    code = "console.log('from the console'); document.querySelector('[name=name]').value"
    assert (await console.run("kapturemcp_evaluate", code=code))["result"] == "Ada"
    (entry, *_) = (await console.run("kapturemcp_logs", max="5"))["logs"]
    assert entry["message"] == "from the console"
    picture = await console.run("kapturemcp_screenshot", name="form", selector="h1")
    image = console.response.get_by_role("button", name="Picture 1: open large").locator("img")
    assert (
        await image.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == picture["width"]
    )
    second = site.page("<title>Second</title>")
    assert (await console.run("kapturemcp_navigate", url=second))["title"] == "Second"
    assert (await console.run("kapturemcp_go_back"))["title"] == "Any tab"
    assert (await console.run("kapturemcp_go_forward"))["title"] == "Second"

    await console.choose("kapturemcp_click")
    await console.page.get_by_role("textbox", name="selector").fill("#nothing")
    assert await console.execute() == "Failed"
    await expect(console.response).to_contain_text("ELEMENT_NOT_FOUND")
    await expect(console.history).to_have_count(before + 12)
    await expect(console.history.nth(11)).to_contain_text("kapturemcp_list_tabs")
    await tab.disconnect()
    await expect(console.page.get_by_text("No tab is connected.", exact=True)).to_be_visible()
    assert console.complaints == []
    await console.page.close()


async def test_8_console_log_collection_works_reliably_across_page_navigations(
    tab: UserTab, running: Companion, site: Site
) -> None:
    async with using(tab, running) as ada:
        for name in ("one", "two"):
            await ada("navigate", url=site.page(f"<script>console.warn('of', '{name}')</script>"))
        await tab.page.reload()
        await ada("go_back")
        # In a frame of another site too.
        inner = site.path("<script>console.info('inner')</script>")
        await ada("navigate", url=site.page(f"<iframe src='{site.other_origin}{inner}'></iframe>"))
        await tab.state("state.consoleCount >= 4")

        told = [(each["level"], each["message"]) for each in (await ada("logs"))["logs"]]
        warned = [message for level, message in told if level == "warning"]
        assert warned[-3:] == ["of two", "of two", "of one"]
        assert told[0] == ("info", "inner")

        # Secrets that a page gives away go no further than the companion.
        await tab.allow_scripts()
        code = f"console.log('Authorization: Bearer {TOKEN}'); ({{ header: 'Bearer {TOKEN}' }})"
        given = [await ada("evaluate", code=code), await ada("logs", max=1)]
        assert TOKEN not in str(given)
        assert str(given).count("<redacted>") == 2
