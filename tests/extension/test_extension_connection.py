"""The connection of tabs: several at once, lost and found again, refused, cancelled."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest

from pageside.errors import PagesideError
from pageside.hubs.tabs import ExtensionTab
from pageside.web.app import Companion
from support.extension import (
    ORIGIN,
    Extension,
    UserTab,
    companion_for_tabs,
    connected,
    told_of,
)
from support.site import Site
from support.sockets import free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")

FOREVER = {"code": "await new Promise(() => {})"}


async def open_tab(extension: Extension, running: Companion, url: str) -> tuple[UserTab, str]:
    tab = await extension.open(url)
    assert running.tab_port is not None
    return tab, await tab.connect(running.tab_port)


def known(running: Companion, tab_id: str) -> ExtensionTab:
    found = running.world.extension_tabs.get(tab_id)
    assert found is not None
    return found


async def test_two_tabs_work_at_once_and_one_that_closes_takes_only_its_own_command_along(
    extension: Extension, running: Companion, site: Site
) -> None:
    first, first_id = await open_tab(extension, running, site.url("any-tab.html"))
    second, second_id = await open_tab(extension, running, site.url("many.html"))
    tabs = running.world.extension_tabs
    await first.allow_scripts()

    hanging = asyncio.ensure_future(tabs.command(first_id, "kapturemcp_evaluate", FOREVER, seconds=20))
    await first.state("state.connection === 'executing'")
    assert await extension.badge(first) == "…"
    assert await extension.badge(second) == "on"
    shown = await tabs.command(second_id, "kapturemcp_screenshot", {"name": "second"}, seconds=20)
    assert shown["width"] > 0
    await first.page.close()
    with pytest.raises(PagesideError) as caught:
        await hanging
    assert caught.value.error_code == "TAB_DISCONNECTED"
    assert [tab.id for tab in tabs.all()] == [second_id]
    await second.page.close()
    await connected(running, 0)


async def test_the_companion_knows_what_the_tab_shows(tab: UserTab, running: Companion, site: Site) -> None:
    tab_id = (await tab.state())["tabId"]
    told = known(running, tab_id)
    assert (told.url, told.title) == (site.url("any-tab.html"), "Any tab")
    assert told.target_id

    await tab.page.goto(site.page("<title>Elsewhere</title>"))
    await tab.state("state.title === 'Elsewhere'")
    await told_of(running, lambda: known(running, tab_id).title == "Elsewhere")
    assert known(running, tab_id).url == tab.page.url


async def test_a_tab_that_is_disconnected_is_free_of_everything(
    tab: UserTab, running: Companion, extension: Extension
) -> None:
    tab_id = (await tab.state())["tabId"]

    await tab.disconnect()
    await connected(running, 0)
    assert await extension.badge(tab) == ""
    left = "tabId => chrome.debugger.sendCommand({ tabId }, 'Page.enable').catch((error) => error.message)"
    assert "not attached" in await extension.worker.evaluate(left, tab.number)
    refused = await tab.run("click", selector="#add")
    assert refused["error"]["code"] == "TAB_DISCONNECTED"
    assert running.tab_port is not None
    assert await tab.connect(running.tab_port) == tab_id


async def test_what_stands_in_the_way_of_a_connection_is_said(
    extension: Extension, running: Companion, site: Site
) -> None:
    (nobody,) = free_ports(1)
    tab = await extension.open(site.url("any-tab.html"))
    await tab.tell("setPort", port=nobody)
    await tab.tell("connect")
    told = await tab.state("state.problem")
    assert told["problem"] == {
        "code": "NO_COMPANION",
        "message": f"No companion listens on port {nobody}: start your dev server or `pageside serve`.",
    }
    assert (told["connection"], told["retryAt"]) == ("idle", None)

    closed = await extension.open("chrome://version/")
    await closed.tell("setPort", port=running.tab_port)
    await closed.tell("connect")
    told = await closed.state("state.problem")
    assert told["problem"]["code"] == "TAB_NOT_DEBUGGABLE"
    await closed.tell("setPort", port=70_000)
    await closed.state("state.problem?.code === 'INVALID_ARGUMENTS'")
    for each in (tab, closed):
        await each.page.close()


async def test_an_id_that_another_connection_has_is_not_taken_over(tab: UserTab, running: Companion) -> None:
    tab_id = (await tab.state())["tabId"]
    await tab.disconnect()
    await connected(running, 0)
    assert running.tab_port is not None
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"http://127.0.0.1:{running.tab_port}/", origin=ORIGIN) as other,
    ):
        await other.send_json({"type": "register", "tabId": tab_id})
        assert (await other.receive_json())["type"] == "registered"

        await tab.tell("connect")
        told = await tab.state("state.problem")
        assert told["problem"]["code"] == "TAB_ID_IN_USE"
        assert await tab.connect(running.tab_port) != tab_id
        await tab.disconnect()


async def test_a_tab_comes_back_by_itself_when_its_companion_does_on_another_port_too(
    extension: Extension, site: Site, tmp_path: Path
) -> None:
    async with companion_for_tabs(tmp_path) as first:
        tab, tab_id = await open_tab(extension, first, site.url("any-tab.html"))
        await tab.allow_scripts()
        port = first.tab_port
        assert port is not None
    lost = await tab.state("state.retryAt")
    assert (lost["connection"], lost["problem"]["code"]) in {
        ("idle", "COMPANION_LOST"),
        ("idle", "NO_COMPANION"),
    }
    assert await extension.badge(tab) == "!"
    await tab.page.evaluate("console.log('meanwhile')")

    async with companion_for_tabs(tmp_path, tab_port=port) as again:
        await tab.state("state.connection === 'connected'")
        await connected(again, 1)
        assert known(again, tab_id).scripts_allowed
        logs = await again.world.extension_tabs.command(tab_id, "kapturemcp_logs", {}, seconds=20)
        assert [each["message"] for each in logs["logs"]] == ["meanwhile"]
    await tab.state("state.retryAt")
    async with companion_for_tabs(tmp_path) as elsewhere:
        await tab.tell("setPort", port=elsewhere.tab_port)
        await tab.state("state.connection === 'connected'")
        assert known(elsewhere, tab_id).url == tab.page.url
        await tab.disconnect()
        await tab.page.close()


async def test_a_worker_that_chrome_stopped_in_the_middle_of_a_command_connects_its_tabs_again(
    tab: UserTab, extension: Extension, running: Companion
) -> None:
    tab_id = (await tab.state())["tabId"]
    await tab.allow_scripts()
    await tab.page.evaluate("console.log('before')")
    await tab.state("state.consoleCount === 1")
    tabs = running.world.extension_tabs
    hanging = asyncio.ensure_future(tabs.command(tab_id, "kapturemcp_evaluate", FOREVER, seconds=20))
    await tab.state("state.connection === 'executing'")

    await extension.stop_worker()
    with pytest.raises(PagesideError) as caught:
        await hanging
    assert caught.value.error_code == "TAB_DISCONNECTED"
    # What happens in the tab wakes it.
    await tab.page.evaluate("console.log('after')")
    await connected(running, 1)
    anew = await extension.tab(tab.number, tab.page)
    told = await anew.state("state.connection === 'connected'")
    assert (told["tabId"], told["scriptsAllowed"]) == (tab_id, True)
    assert [each["message"] for each in await anew.console()] == ["after", "before"]
    again = await tabs.command(tab_id, "kapturemcp_click", {"selector": "#add"}, seconds=20)
    assert again["success"]


async def test_debugging_that_the_user_cancels_disconnects_the_tab(
    tab: UserTab, running: Companion, extension: Extension
) -> None:
    tell = "tabId => chrome.debugger.onDetach.dispatch({ tabId }, 'canceled_by_user')"
    await extension.worker.evaluate(tell, tab.number)
    told = await tab.state("state.problem")
    assert told["problem"]["code"] == "DEBUGGER_CANCELLED"
    assert (told["connection"], told["retryAt"]) == ("idle", None)
    await connected(running, 0)


async def test_a_tab_that_goes_where_no_extension_may_is_disconnected(
    tab: UserTab, running: Companion
) -> None:
    await tab.page.goto("chrome://version/")
    told = await tab.state("state.problem && state.connection === 'idle'")
    assert told["problem"]["code"] == "TAB_NOT_DEBUGGABLE"
    await connected(running, 0)
