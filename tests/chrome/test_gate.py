"""The door before Chrome's tools: scripts on registered origins only, brakes for the tab that shows a page."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from mcp import Client

from chrome.conftest import chrome_settings
from pageside.contract import CHANNEL
from pageside.core.permissions import group_of
from pageside.settings import Settings
from pageside.toolsets.every import TOOLSETS
from pageside.web.app import Companion
from support.agents import agent, fails, text
from support.browsing import does, refused
from support.page import WirePage
from support.plugin import wire_plugin
from support.site import Site
from support.tabs import wire_tab

pytestmark = pytest.mark.asyncio(loop_scope="session")
SYMBOL = CHANNEL["pageSymbol"]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Companion]:
    """A companion as people have it: scripts run nowhere but at its dev servers."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "shop").mkdir()
    settings = Settings(
        project=folder / "shop", port=0, state=folder / "state", chrome=chrome_settings(), tab_port=0
    )
    companion = await Companion.start(settings)
    yield companion
    await companion.stop()


@asynccontextmanager
async def connected(companion: Companion, client: Client, url: str) -> AsyncIterator[WirePage]:
    """The agent's tab shows `url`, and in it lives a page of the inspector client, whose wire is here."""
    secret = secrets.token_urlsafe(16)
    await does(client, "new_page", url=url)
    (tab,) = [
        each for each in companion.world.chrome.attached if each.id in companion.world.chosen_tabs.values()
    ]
    await tab.evaluate(f"globalThis[Symbol.for({SYMBOL!r})] = {{secret: {secret!r}}}; 1")
    async with WirePage(companion, url, joins=False) as page:
        await page.open(secret=secret)
        yield page
        connected = companion.world.pages.get(page.id)
        assert connected is not None
        # It does not come back, so nobody waits for that.
        companion.world.pages._gone(connected)  # noqa: SLF001
    await companion.world.chrome.close_tab(tab.id)


# Where scripts run

RUNS = (
    ("chrome_evaluate_script", {"function": "() => 40 + 2"}),
    ("chrome_devtools", {"tool": "evaluate_script", "args": {"function": "() => 40 + 2"}}),
    ("evaluate_js", {"expression": "40 + 2"}),
    ("browser_execute_js", {"code": "40 + 2"}),
)


async def test_scripts_run_where_a_dev_server_is_registered_and_nowhere_else(
    strict: Companion, site: Site
) -> None:
    async with agent(strict.mcp_url, query="?toolsets=all") as client:
        await does(client, "new_page", url=site.origin)
        for tool, args in RUNS:
            error = await fails(client, tool, **args)
            assert (error["code"], error["data"]) == ("SCRIPT_NOT_ALLOWED", {"origin": site.origin})
        async with wire_plugin(strict) as plugin:
            # The plugin says localhost, the tab 127.0.0.1: the same port of this machine.
            await plugin.take(urls=[site.other_origin + "/app/"])
            for tool, args in RUNS:
                result = await client.call_tool(tool, args)
                assert not result.is_error, text(result)
                assert "42" in text(result)
        await does(client, "navigate_page", url="about:blank")
        assert "42" in await does(client, "evaluate_script", function="() => 42")


async def test_a_blob_is_of_the_origin_that_made_it(strict: Companion, site: Site) -> None:
    go = "location.href = URL.createObjectURL(new Blob(['<p>blob'], {type: 'text/html'}))"
    async with agent(strict.mcp_url, query="?toolsets=all") as client:
        await does(client, "new_page", url=site.origin)
        tab = strict.world.chrome.attached[-1]
        await tab.evaluate(go)
        await does(client, "wait_for", text="blob")
        error = await refused(client, "evaluate_script", function="() => 1")
        assert error["data"]["origin"] == site.origin


async def test_documents_without_an_origin_get_no_script(strict: Companion) -> None:
    async with agent(strict.mcp_url, query="?toolsets=all") as client:
        await does(client, "new_page", url="about:blank")
        tab = strict.world.chrome.attached[-1]
        await tab.session("Page.navigate", url="data:text/html,<p>data")
        await does(client, "wait_for", text="data")
        error = await refused(client, "evaluate_script", function="() => 1")
        assert (error["code"], error["data"]["origin"]) == (
            "SCRIPT_NOT_ALLOWED",
            "an address without an origin",
        )


async def test_an_element_of_a_foreign_frame_takes_no_script_there(strict: Companion, site: Site) -> None:
    async with agent(strict.mcp_url, query="?toolsets=all") as client, wire_plugin(strict) as plugin:
        await plugin.take(urls=[site.origin])
        await does(client, "new_page", url=site.origin)
        tab = strict.world.chrome.attached[-1]
        frame = "const f = document.createElement('iframe'); f.src = 'data:text/html,<button>Pay</button>';"
        await tab.evaluate(f"{frame} document.body.append(f); 1")
        await does(client, "wait_for", text="Pay")
        seen = await does(client, "take_snapshot")
        (row,) = [line for line in seen.split("\n") if '"Pay"' in line]
        uid = row.split()[0].removeprefix("uid=")
        error = await refused(
            client, "evaluate_script", function="(el) => el.ownerDocument.URL", args=[{"uid": uid}]
        )
        assert error["code"] == "SCRIPT_NOT_ALLOWED"


# Brakes


async def test_the_web_console_is_the_users_alone(strict: Companion, site: Site) -> None:
    console = strict.console_link().replace("127.0.0.1", "localhost")
    async with (
        agent(strict.mcp_url, query="?toolsets=all") as client,
        wire_tab(strict.tab_port, url=strict.url + "/__pageside__/console") as tab,
    ):
        await does(client, "new_page", url=console)
        attached = strict.world.chrome.attached
        (shown,) = [each for each in attached if each.origin() == console.partition("/__")[0]]
        tried: tuple[tuple[str, dict[str, Any]], ...] = (
            ("chrome_take_snapshot", {}),
            ("chrome_press_key", {"key": "Enter"}),
            ("evaluate_js", {"expression": "sessionStorage.length"}),
            ("kapturemcp_click", {"tabId": shown.id, "selector": "button"}),
            ("kapturemcp_click", {"tabId": tab.id, "selector": "button"}),
        )
        for tool, args in tried:
            assert (await fails(client, tool, **args))["code"] == "DENIED_BY_USER", tool
    async with agent(strict.mcp_url, query="?toolsets=all") as other:
        # Nor is it meant by those who name no tab.
        assert (await fails(other, "chrome_take_snapshot"))["code"] in ("TAB_NOT_FOUND", "MULTIPLE_TABS")
        await does(other, "new_page", url=site.origin)
        await does(other, "take_snapshot")
    await strict.world.chrome.close_tab(shown.id)


async def test_the_tab_of_a_paused_page_is_paused_and_no_other(running: Companion, site: Site) -> None:
    async with agent(running.mcp_url, "Ada", query="?toolsets=all") as client:
        async with connected(running, client, site.origin) as page:
            await does(client, "take_snapshot")
            entry = running.world.activity.entries(page.id)[-1]
            assert (entry["tool"], entry["agent"], entry["outcome"]) == ("chrome_take_snapshot", "Ada", "ok")
            await page.send("brakes", paused=True)
            number = running.world.chrome.number(
                running.world.chosen_tabs[next(iter(running.world.chosen_tabs))]
            )
            for tool, args in (
                ("chrome_take_snapshot", {}),
                ("chrome_click", {"selector": "body"}),
                ("chrome_navigate_page", {"type": "reload"}),
                ("chrome_close_page", {"pageId": number}),
                ("chrome_devtools", {"tool": "take_screenshot"}),
                ("get_elements", {"selector": "body"}),
                ("browser_read_page", {}),
                ("inspect_element", {"css_selector": "body"}),
            ):
                assert await code_of(client, tool, args) == "PAUSED_BY_USER", tool
            await does(client, "list_pages")
            await does(client, "new_page", url="about:blank")
            await does(client, "take_snapshot")


async def code_of(client: Client, tool: str, args: dict[str, Any]) -> str:
    try:
        result = await client.call_tool(tool, args)
    except Exception as error:
        return str(getattr(getattr(error, "error", None), "data", {}).get("code"))
    return text(result).partition(":")[0] if result.is_error else "ok"


async def test_stop_ends_a_script_that_would_never_end(running: Companion, site: Site) -> None:
    async with agent(running.mcp_url, "Ada", query="?toolsets=all") as client:
        async with connected(running, client, site.origin) as page:
            script = "() => { document.title = 'looping'; for (;;); }"
            loops = asyncio.create_task(
                fails(client, "chrome_evaluate_script", function=script, timeout=60_000)
            )
            while not any(each["tool"] == "chrome_evaluate_script" for each in await page.activity.get()):
                continue
            status, state = await page.send("brakes", stop=True)
            assert (status, state["paused"]) == (200, True)
            assert (await loops)["code"] == "CANCELLED_BY_USER"
            assert running.world.activity.running(None) == []
            tab = next(
                each
                for each in running.world.chrome.attached
                if each.id in running.world.chosen_tabs.values()
            )
            assert await tab.evaluate("40 + 2", seconds=10) == 42, "the page is free again"


ARGUMENTS: dict[str, dict[str, Any]] = {
    "execute_page_script": {"code": "1"},
    "inspect_element": {"css_selector": "body"},
    "chrome_new_page": {"url": "about:blank"},
    "browser_navigate": {"url": "about:blank", "newTab": True},
    "chrome_evaluate_script": {"function": "1"},
    "evaluate_js": {"expression": "1"},
    "browser_execute_js": {"code": "1"},
    "start_server": {"id": "x", "command": "npm"},
    "stop_server": {"id": "x"},
    "chrome_navigate_page": {"type": "reload"},
    "chrome_drag": {"from_selector": "body", "to_selector": "body"},
    "get_network_request_detail": {"requestId": "1"},
    "browser_wait": {"selector": "body"},
    "ask_user": {"question": "Which?"},
    "ask_user_to_choose": {"question": "Which?", "candidates": ["#a", "#b"]},
}
"""Of the others, those that the schema requires are made up."""


async def test_no_tool_of_any_toolset_runs_before_the_user_was_asked(running: Companion) -> None:
    """With nobody to ask, every one of them says so, and nothing is done."""
    world = running.world
    file = running.settings.project / "x.txt"
    file.touch()
    async with agent(running.mcp_url, query="?toolsets=all") as client:
        await does(client, "new_page", url="about:blank")
        before = {tab.id for tab in await world.chrome.tabs()}
        groups = ("acting", "reading", "asking", "servers")
        world.brakes.policy = dict.fromkeys(groups, "ask")
        try:
            tools = {
                tool.name: tool for each in TOOLSETS for tool in each.tools if group_of(tool.name) != "free"
            }
            own = {"pageId": max(world.chrome.number(each) for each in before)}
            given = {
                **ARGUMENTS,
                "chrome_select_page": own,
                "chrome_close_page": own,
                "chrome_upload_file": {"selector": "body", "filePath": str(file)},
            }
            told: dict[str, str] = {}
            for name, tool in tools.items():
                args = given.get(name) or _made_up(tool.definition["inputSchema"])
                args |= {"tabId": next(iter(before))} if "tabId" in args else {}
                told[name] = await code_of(client, name, args)
            others = [f"{name} {code}" for name, code in told.items() if code != "PAGE_NOT_CONNECTED"]
            assert " ".join(others) == ""
            assert {tab.id for tab in await world.chrome.tabs()} == before
        finally:
            world.brakes.policy = {}


def _made_up(schema: dict[str, Any]) -> dict[str, Any]:
    where = {"selector": "body"} if "selector" in schema["properties"] else {}
    return {**where, **{name: _value(schema["properties"][name]) for name in schema.get("required", ())}}


def _value(spec: dict[str, Any]) -> Any:
    if "enum" in spec:
        return spec["enum"][0]
    kind = spec.get("type")
    if kind == "array":
        return [_made_up(spec["items"]) if spec["items"].get("type") == "object" else _value(spec["items"])]
    if kind == "object":
        return {}
    made: dict[Any, Any] = {"number": 100, "integer": 100, "boolean": True}
    return made.get(kind, "Enter")
