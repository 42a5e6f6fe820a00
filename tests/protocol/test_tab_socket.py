"""The tab socket on real sockets: how tabs connect, live and go, and who may not connect."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from dataclasses import replace
from typing import Any

import aiohttp
import psutil
import pytest

from pageside.contract import CHANNEL, TABS
from pageside.errors import ReportedByPage, TabDisconnected
from pageside.settings import Settings
from pageside.web import tab_socket
from pageside.web.app import Companion
from pageside.web.tab_socket import EXTENSION
from support.raw import Reply, exchange, head
from support.tabs import WireTab, asked, set_times, tabs_of, until, wire_tab, works

CLOSE = TABS["closeCodes"]
LIMITS = TABS["limits"]
OTHER = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, tab_port=0, tab_origins=(OTHER,))


async def test_tabs_connect_say_what_they_show_and_run_commands(
    companion: Companion, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "pageside")
    tabs = tabs_of(companion)
    assert (tabs.state.kind, tabs.state.port) == ("listening", companion.tab_port)
    async with (
        wire_tab(companion.tab_port, url="http://shop/", title="Shop", targetId="T1") as one,
        wire_tab(companion.tab_port) as other,
    ):
        assert [tab.id for tab in tabs.all()] in ([other.id, one.id], [one.id, other.id])
        await one.say(type="update", title="Basket", scriptsAllowed=True)
        await until(tabs, lambda: [t.title for t in tabs.all() if t.id == one.id] == ["Basket"])
        tab = tabs.get(one.id)
        assert tab is not None
        assert (tab.url, tab.target_id, tab.scripts_allowed) == ("http://shop/", "T1", True)
        await works(companion, one)
        await works(companion, other)
        call = asked(companion, one, value="hidden")
        await one.fail(await one.receive(), "ELEMENT_NOT_FOUND", "There is no #basket.")
        with pytest.raises(ReportedByPage, match="#basket") as caught:
            await call
        assert caught.value.error_code == "ELEMENT_NOT_FOUND"
    await until(tabs, lambda: not tabs.all())
    assert tabs.was_here(one.id)
    assert not any(text in caplog.text for text in ("Shop", "Basket", "http://shop/", "hidden"))


async def test_a_command_that_is_withdrawn_is_cancelled_in_the_tab(companion: Companion) -> None:
    async with wire_tab(companion.tab_port) as tab:
        call = asked(companion, tab)
        command = await tab.receive()
        call.cancel()
        assert await tab.receive() == {"type": "cancel", "id": command["id"]}
        await tab.succeed(command, late=True)
        await works(companion, tab)


async def test_an_id_in_use_is_refused_and_never_taken_over(companion: Companion) -> None:
    async with wire_tab(companion.tab_port, "same") as first:
        async with wire_tab(companion.tab_port, "same", register=False) as second:
            await second.say(type="register", tabId="same")
            code, [told] = await second.closed()
            assert (code, told["type"]) == (CLOSE["tabIdInUse"], "error")
        await works(companion, first)
    tabs = tabs_of(companion)
    await until(tabs, lambda: tabs.get("same") is None)
    async with wire_tab(companion.tab_port, "same") as again:
        await works(companion, again)


async def heard(tab: WireTab, pings: int, answer: dict[str, Any] | None = None) -> None:
    """So many pings of the companion, each answered with that message."""
    while pings:
        message = await tab.socket.receive(10)
        assert message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.PING), message
        if message.type is aiohttp.WSMsgType.TEXT:
            assert json.loads(message.data)["type"] == "ping"
            pings -= 1
            if answer:
                await tab.say(**answer)


async def test_a_tab_that_shows_no_sign_of_life_is_gone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_times(monkeypatch, heartbeat=0.05, silent=0.5, close=0.3)
    companion = await Companion.start(settings)
    try:
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{companion.tab_port}/"
            # This client leaves WebSocket's own pings unanswered.
            async with session.ws_connect(url, origin=EXTENSION, autoping=False) as opened:
                silent = WireTab(opened, "silent")
                await silent.register()
                call = asked(companion, silent)
                with pytest.raises(TabDisconnected):
                    await call
                while (message := await opened.receive(10)).type is not aiohttp.WSMsgType.CLOSE:
                    """What it was told before."""
                assert message.data == CLOSE["silent"]
    finally:
        await companion.stop()


async def test_pongs_of_either_kind_keep_a_tab(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    set_times(monkeypatch, heartbeat=0.1, silent=1)
    companion = await Companion.start(settings)
    try:
        async with aiohttp.ClientSession() as session:
            url = f"http://127.0.0.1:{companion.tab_port}/"
            async with (
                session.ws_connect(url, origin=EXTENSION, autoping=False) as says_pong,
                session.ws_connect(url, origin=EXTENSION, autoping=True) as foreign,
            ):
                tabs = [WireTab(says_pong, "says-pong"), WireTab(foreign, "foreign")]
                for tab in tabs:
                    await tab.register()
                await asyncio.gather(heard(tabs[0], 15, {"type": "pong"}), heard(tabs[1], 15))
                assert len(tabs_of(companion).all()) == 2
    finally:
        await companion.stop()


async def test_tabs_are_told_when_the_companion_stops(settings: Settings) -> None:
    companion = await Companion.start(settings)
    async with wire_tab(companion.tab_port) as tab:
        call = asked(companion, tab)
        await tab.receive()
        stopping = asyncio.create_task(companion.stop())
        assert await tab.closed() == (CLOSE["stopping"], [])
        with pytest.raises(TabDisconnected, match="the companion stops"):
            await call
        await stopping


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
}


async def knock(
    companion: Companion, target: str = "/", *more: tuple[str, str], **headers: str | None
) -> Reply:
    """A WebSocket's beginning as the extension sends it, but for these headers; None leaves one out."""
    assert companion.tab_port is not None
    given = {"Host": f"localhost:{companion.tab_port}", "Origin": EXTENSION} | UPGRADE
    named = given | {name.replace("_", "-"): value for name, value in headers.items()}
    pairs = [(name, value) for name, value in named.items() if value is not None]
    reply = await exchange(companion.tab_port, head("GET", target, [*pairs, *more]))
    assert reply is not None
    return reply


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "null",
        "http://localhost:5173",
        "https://evil.example",
        EXTENSION + "/",
        EXTENSION.upper(),
        EXTENSION[:-1],
        "chrome-extension://" + "a" * 32,
    ],
)
async def test_a_foreign_origin_does_not_connect(companion: Companion, origin: str | None) -> None:
    reply = await knock(companion, Origin=origin)
    assert (reply.status, reply.code) == (403, "FORBIDDEN")
    assert "--tab-origins" in reply.json()["error"]["fix"]


async def test_several_origins_are_none(companion: Companion) -> None:
    assert (await knock(companion, "/", ("Origin", EXTENSION))).status == 403
    assert (await knock(companion, "/", ("Origin", "https://evil.example"))).status == 403


async def test_no_page_s_own_origin_connects(companion: Companion) -> None:
    for port in (companion.port, companion.tab_port):
        assert (await knock(companion, Origin=f"http://localhost:{port}")).status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost", "127.0.0.1:1", "localhost.evil.example:{port}", ""]
)
async def test_a_rebound_host_does_not_connect(companion: Companion, host: str) -> None:
    reply = await knock(companion, Host=host.format(port=companion.tab_port))
    assert (reply.status, reply.code) == (421, "FORBIDDEN")


@pytest.mark.parametrize(
    "target", ["/?a", "//", "/x", "/__mcp__", "/__pageside__/tabs", "http://evil.example/"]
)
async def test_nothing_else_is_served_there(companion: Companion, target: str) -> None:
    assert (await knock(companion, target)).status == 404


async def test_a_plain_request_is_told_what_this_is(companion: Companion) -> None:
    reply = await knock(companion, Upgrade=None, Connection=None)
    assert (reply.status, "tab socket" in reply.message) == (426, True)


@pytest.mark.skipif(sys.platform != "linux", reason="only there the system tells whose socket it is")
async def test_another_user_s_browser_does_not_connect(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab_socket, "same_user", lambda _peer: False)
    reply = await knock(companion)
    assert (reply.status, "another user" in reply.message) == (403, True)


async def test_a_configured_origin_connects_and_every_name_of_this_machine_will_do(
    companion: Companion,
) -> None:
    async with wire_tab(companion.tab_port, origin=OTHER) as tab:
        await works(companion, tab)
    for name in ("localhost", "127.0.0.1", "[::1]"):
        headers = {"Host": f"{name}:{companion.tab_port}"}
        async with wire_tab(companion.tab_port, headers=headers) as tab:
            await works(companion, tab)


async def test_compression_is_not_offered(companion: Companion) -> None:
    async with aiohttp.ClientSession() as session:
        url = f"http://127.0.0.1:{companion.tab_port}/"
        async with session.ws_connect(url, origin=EXTENSION, compress=15) as opened:
            assert not opened.compress


async def test_it_listens_on_this_machine_alone(companion: Companion) -> None:
    open_sockets = await asyncio.to_thread(psutil.Process().net_connections, "inet")
    addresses = {
        each.laddr.ip for each in open_sockets if each.laddr.port == companion.tab_port and not each.raddr
    }
    assert "127.0.0.1" in addresses
    assert addresses <= {"127.0.0.1", "::1"}


async def test_which_companion_has_the_port_is_no_secret_and_nothing_else_is_told(
    companion: Companion,
) -> None:
    quiet = dict.fromkeys(UPGRADE) | {"Origin": None}
    reply = await knock(companion, "/health", **quiet)
    assert reply.status == 200
    told = reply.json()
    assert set(told) == {"service", "port", "projectId"}
    assert (told["service"], told["port"]) == (CHANNEL["service"], companion.port)
    assert (await knock(companion, "/health", **quiet, Sec_Fetch_Site="cross-site")).status == 403
    assert (await knock(companion, "/health", **(quiet | {"Origin": "https://evil.example"}))).status == 403


async def test_a_flood_of_refusals_is_not_a_flood_of_log_lines(
    companion: Companion, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(30):
        await knock(companion, Origin="https://evil.example")
    lines = [record for record in caplog.records if "refused a connection" in record.message]
    assert 0 < len(lines) < 10
    assert "evil.example" not in caplog.text
