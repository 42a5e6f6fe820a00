"""The tab socket on real sockets: tabs that behave, tabs that do not, and who may not connect."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import aiohttp
import psutil
import pytest

from pageside.contract import CHANNEL, TABS
from pageside.errors import CommandTimeout, ReportedByPage, TabDisconnected
from pageside.hubs.tabs import Tabs
from pageside.settings import Settings
from pageside.web import app as composition
from pageside.web import tab_socket
from pageside.web.app import Companion
from pageside.web.tab_connection import Times
from pageside.web.tab_port import TabPort
from pageside.web.tab_socket import EXTENSION
from support.raw import Reply, exchange, head
from support.tabs import WireTab, until, wire_tab

CLOSE = TABS["closeCodes"]
LIMITS = TABS["limits"]
OTHER = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, tab_port=0, tab_origins=(OTHER,))


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Companions that start afterwards have these times of the tab socket, and no grace for commands."""

    def set_times(**given: float) -> None:
        monkeypatch.setattr(composition, "TabPort", partial(TabPort, times=Times(**given)))
        monkeypatch.setattr(composition, "Tabs", partial(Tabs, grace=0))

    return set_times


@pytest.fixture
async def impatient(settings: Settings, times: Callable[..., None]) -> AsyncIterator[Companion]:
    """A companion that waits for nobody."""
    times(register=0.5, write=0.3, close=0.3)
    running = await Companion.start(settings)
    yield running
    await running.stop()


def tabs_of(companion: Companion) -> Tabs:
    return companion.world.extension_tabs


def asked(
    companion: Companion, tab: WireTab, seconds: float = 30, **params: Any
) -> asyncio.Task[dict[str, Any]]:
    call = tabs_of(companion).command(tab.id, "kapturemcp_fill", params, seconds=seconds)
    return asyncio.create_task(call)


async def works(companion: Companion, tab: WireTab) -> None:
    """A command reaches that tab, and its answer comes back."""
    call = asked(companion, tab, value="x")
    command = await tab.receive()
    assert (command["command"], command["params"]) == ("kapturemcp_fill", {"value": "x"})
    await tab.succeed(command, url="http://x/")
    assert await call == {"url": "http://x/"}


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


MALFORMED = {
    "no JSON": ("{", "no JSON"),
    "no object": ("[]", "JSON object"),
    "no type": ("{}", "'type'"),
    "an unknown type": ('{"type": "evaluate"}', "'type'"),
    "deeply nested": ("[" * 200_000, "no JSON"),
    "no number": ('{"type": "pong", "at": Infinity}', "no JSON"),
    "a wrong type": ('{"type": "update", "title": 7}', "'title'"),
    "no id": ('{"type": "response", "success": true}', "'id'"),
    "registered again": ('{"type": "register", "tabId": "another"}', "registered already"),
}


@pytest.mark.parametrize(("frame", "says"), MALFORMED.values(), ids=MALFORMED.keys())
async def test_a_malformed_message_ends_its_own_connection_with_the_reason(
    companion: Companion, frame: str, says: str
) -> None:
    async with wire_tab(companion.tab_port) as good, wire_tab(companion.tab_port) as bad:
        call = asked(companion, bad)
        await bad.receive()
        await bad.socket.send_str(frame)
        code, [told] = await bad.closed()
        assert (code, told["type"], told["error"]["code"]) == (CLOSE["badMessage"], "error", "BAD_REQUEST")
        assert says in told["error"]["message"]
        with pytest.raises(TabDisconnected):
            await call
        await works(companion, good)


@pytest.mark.parametrize(
    ("first", "says"),
    [
        ('{"type": "update"}', "first message"),
        ('{"type": "register", "tabId": "a/b"}', "'tabId'"),
        ("register", "no JSON"),
    ],
)
async def test_who_does_not_begin_by_registering_is_no_tab(
    companion: Companion, first: str, says: str
) -> None:
    async with wire_tab(companion.tab_port, register=False) as tab:
        await tab.socket.send_str(first)
        code, [told] = await tab.closed()
        assert code == CLOSE["badMessage"]
        assert says in told["error"]["message"]
    assert tabs_of(companion).all() == []


async def test_binary_and_huge_messages_end_their_connection(companion: Companion) -> None:
    async with (
        wire_tab(companion.tab_port) as good,
        wire_tab(companion.tab_port) as binary,
        wire_tab(companion.tab_port) as huge,
    ):
        await binary.socket.send_bytes(b'{"type": "pong"}')
        code, [told] = await binary.closed()
        assert (code, "binary" in told["error"]["message"]) == (CLOSE["badMessage"], True)
        sending = asyncio.create_task(huge.socket.send_str(" " * (LIMITS["messageBytes"] + 1)))
        assert (await huge.closed())[0] == 1009
        await asyncio.gather(sending, return_exceptions=True)
        await until(tabs_of(companion), lambda: len(tabs_of(companion).all()) == 1)
        await works(companion, good)


async def test_a_large_picture_arrives(companion: Companion) -> None:
    async with wire_tab(companion.tab_port) as tab:
        call = asked(companion, tab)
        await tab.succeed(await tab.receive(), name="a", data="A" * 4_000_000)
        assert len((await call)["data"]) == 4_000_000


async def test_answers_that_are_not_asked_for_are_told_so_and_hurt_nobody(companion: Companion) -> None:
    async with wire_tab(companion.tab_port) as one, wire_tab(companion.tab_port) as other:
        call = asked(companion, one)
        command = await one.receive()
        await other.succeed(command, stolen=True)
        assert "not sent to this tab" in (await other.receive())["error"]["message"]
        await other.say(type="executing", id="never-sent")
        assert (await other.receive())["error"]["code"] == "NOT_FOUND"
        await one.succeed(command, mine=True)
        assert await call == {"mine": True}
        await one.succeed(command, mine=False)
        assert "answered already" in (await one.receive())["error"]["message"]
        await works(companion, one)
        await works(companion, other)


async def test_a_tab_that_never_answers_ends_every_call_and_stays(impatient: Companion) -> None:
    async with wire_tab(impatient.tab_port) as silent, wire_tab(impatient.tab_port) as other:
        for call in [asked(impatient, silent, seconds=0.05) for _ in range(3)]:
            with pytest.raises(CommandTimeout):
                await call
        said = [(await silent.receive())["type"] for _ in range(6)]
        assert sorted(said) == ["cancel"] * 3 + ["command"] * 3
        await works(impatient, other)
        await works(impatient, silent)


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


async def test_two_hundred_tabs_connect_and_one_more_does_not(companion: Companion) -> None:
    tabs = tabs_of(companion)
    many = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=many) as session, AsyncExitStack() as open_tabs:
        url = f"http://127.0.0.1:{companion.tab_port}/"
        connected = []
        for number in range(LIMITS["tabs"]):
            opened = await open_tabs.enter_async_context(session.ws_connect(url, origin=EXTENSION))
            connected.append(WireTab(opened, f"t{number}"))
            await connected[-1].register()
        assert len(tabs.all()) == LIMITS["tabs"]
        async with wire_tab(companion.tab_port, register=False) as more:
            code, [told] = await more.closed()
            assert (code, told["error"]["code"]) == (CLOSE["tooMany"], "TOO_MANY")
        await works(companion, connected[0])
        await works(companion, connected[-1])
        await connected[0].socket.close()
        await until(tabs, lambda: len(tabs.all()) < LIMITS["tabs"])
        async with wire_tab(companion.tab_port) as more:
            await works(companion, more)


async def test_who_registers_nothing_is_not_kept(impatient: Companion) -> None:
    async with wire_tab(impatient.tab_port, register=False) as tab:
        code, [told] = await tab.closed()
        assert (code, "No tab was registered" in told["error"]["message"]) == (CLOSE["notRegistered"], True)


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
    settings: Settings, times: Callable[..., None]
) -> None:
    times(heartbeat=0.05, silent=0.5, close=0.3)
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


async def test_pongs_of_either_kind_keep_a_tab(settings: Settings, times: Callable[..., None]) -> None:
    times(heartbeat=0.1, silent=1)
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


async def raw_tab(port: int | None, tab_id: str) -> socket.socket:
    """A registered tab on a plain socket, which reads nothing more."""
    loop = asyncio.get_running_loop()
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    await loop.sock_connect(plain, ("127.0.0.1", port))
    upgrade = {
        "Host": f"127.0.0.1:{port}",
        "Origin": EXTENSION,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
    }
    await loop.sock_sendall(plain, head("GET", "/", upgrade))
    assert b" 101 " in await loop.sock_recv(plain, 1000)
    frame = json.dumps({"type": "register", "tabId": tab_id}).encode()
    await loop.sock_sendall(plain, bytes([0x81, 0x80 | len(frame), 0, 0, 0, 0]) + frame)
    return plain


async def test_a_tab_that_takes_nothing_is_ended_and_others_do_not_wait(impatient: Companion) -> None:
    tabs = tabs_of(impatient)
    async with wire_tab(impatient.tab_port) as other:
        plain = await raw_tab(impatient.tab_port, "stuck")
        with plain:
            await until(tabs, lambda: tabs.get("stuck") is not None)
            calls = [
                asyncio.create_task(
                    tabs.command("stuck", "kapturemcp_fill", {"value": "x" * 1_000_000}, seconds=30)
                )
                for _ in range(LIMITS["commandsPerTab"])
            ]
            await works(impatient, other)
            for call in calls:
                with pytest.raises(TabDisconnected):
                    await call
        await works(impatient, other)


async def test_a_flood_of_updates_does_not_keep_others_waiting(companion: Companion) -> None:
    tabs = tabs_of(companion)
    async with wire_tab(companion.tab_port) as loud, wire_tab(companion.tab_port) as other:

        async def flood() -> None:
            for number in range(3000):
                await loud.say(type="update", title=f"title {number}")

        flooding = asyncio.create_task(flood())
        while not flooding.done():
            await works(companion, other)
        await flooding
        await until(tabs, lambda: [t.title for t in tabs.all() if t.id == loud.id] == ["title 2999"])
        await works(companion, loud)


async def test_a_connection_that_breaks_ends_its_calls(companion: Companion) -> None:
    tabs = tabs_of(companion)
    async with wire_tab(companion.tab_port) as other:
        plain = await raw_tab(companion.tab_port, "breaks")
        await until(tabs, lambda: tabs.get("breaks") is not None)
        call = asyncio.create_task(tabs.command("breaks", "kapturemcp_click", {"selector": "a"}, seconds=30))
        await asyncio.get_running_loop().sock_recv(plain, 1000)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        plain.close()
        with pytest.raises(TabDisconnected) as caught:
            await call
        assert caught.value.data["call"] == "kapturemcp_click"
        await works(companion, other)


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
