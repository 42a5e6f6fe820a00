"""Tabs that do not behave: each is refused or ended with a code, and the others do not notice."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace

import aiohttp
import pytest

from pageside.contract import TABS
from pageside.errors import CommandTimeout, TabDisconnected
from pageside.settings import Settings
from pageside.web.app import Companion
from pageside.web.tab_socket import EXTENSION
from support.raw import head
from support.tabs import WireTab, asked, set_times, tabs_of, until, wire_tab, works

CLOSE = TABS["closeCodes"]
LIMITS = TABS["limits"]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, tab_port=0)


@pytest.fixture
async def impatient(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Companion]:
    """A companion that waits for nobody."""
    set_times(monkeypatch, register=0.5, write=0.3, close=0.3)
    running = await Companion.start(settings)
    yield running
    await running.stop()


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
