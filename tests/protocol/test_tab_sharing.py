"""One tab port, several companions: one has it, the others share its tabs, and one of them takes it next."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType, web
from blockbuster import BlockBuster

from pageside.contract import CHANNEL
from pageside.errors import CommandTimeout, PagesideError, ReportedByPage, TabDisconnected, TabNotFound
from pageside.hubs.tabs import ExtensionTab, Tabs, TabSocketState
from pageside.settings import ChromeSettings, Settings
from pageside.web import composition, guard, tab_port
from pageside.web.app import Companion
from pageside.web.tab_port import LAST_SECONDS, pause
from support.agents import agent, call
from support.app import copy_example, dev_server
from support.serve import serving
from support.sockets import free_ports
from support.tabs import WireTab, settled, until, wire_tab

linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="only there the system tells whose socket it is"
)
Start = Callable[..., Awaitable[Companion]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts a companion of the project of that name; `state` is the name of its state folder."""
    running: list[Companion] = []

    async def started(name: str, tab_port: int | None, state: str = "state") -> Companion:
        project = tmp_path / name
        project.mkdir(exist_ok=True)
        settings = Settings(
            project=project,
            port=0,
            state=tmp_path / state,
            chrome=ChromeSettings(enabled=False),
            tab_port=tab_port,
        )
        running.append(await Companion.start(settings))
        return running[-1]

    yield started
    await asyncio.gather(
        *(companion.stop() for companion in running if companion.world.extension_tabs.is_open)
    )


def tabs_of(companion: Companion) -> Tabs:
    return companion.world.extension_tabs


def named(companion: Companion, **wanted: Any) -> list[ExtensionTab]:
    """Its tabs that are like that."""
    return [
        tab
        for tab in tabs_of(companion).all()
        if all(getattr(tab, name) == value for name, value in wanted.items())
    ]


async def sees(companion: Companion, **wanted: Any) -> ExtensionTab:
    """Its tab that is like that, once there is one."""
    await until(tabs_of(companion), lambda: len(named(companion, **wanted)) == 1)
    return named(companion, **wanted)[0]


def asked(companion: Companion, tab_id: str, seconds: float = 30) -> asyncio.Task[dict[str, Any]]:
    call = tabs_of(companion).command(tab_id, "kapturemcp_click", {"selector": "#a"}, seconds=seconds)
    return asyncio.create_task(call)


async def error_of(call: asyncio.Task[Any]) -> PagesideError:
    with pytest.raises(PagesideError) as caught:
        await call
    return caught.value


async def works(companion: Companion, tab: WireTab) -> None:
    await sees(companion, id=tab.id)
    call = asked(companion, tab.id)
    await tab.succeed(await tab.receive(), element="a")
    assert await call == {"element": "a"}


@pytest.mark.parametrize("state", ["state", pytest.param("another", marks=linux_only)])
async def test_tabs_of_the_companion_that_has_the_port_are_everybody_s(start: Start, state: str) -> None:
    owner = await start("shop", 0)
    other = await start("blog", owner.tab_port, state)
    assert tabs_of(other).state.kind == "shared"
    assert str(owner.port) in tabs_of(other).state.why
    assert other.tab_port == owner.tab_port
    async with wire_tab(owner.tab_port, "t1", url="http://x/", title="X", targetId="T") as tab:
        shared = await sees(other, id="t1")
        mine = tabs_of(owner).get("t1")
        assert mine is not None
        assert shared == replace(mine, is_shared=True)
        await tab.say(type="update", title="Y", scriptsAllowed=False)
        assert (await sees(other, title="Y")).scripts_allowed is False
        await works(other, tab)
        await works(owner, tab)
    await until(tabs_of(other), lambda: not tabs_of(other).all())
    assert tabs_of(other).was_here("t1")


async def test_errors_withdrawals_and_time_limits_travel(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composition, "Tabs", partial(Tabs, grace=0))
    owner = await start("shop", 0)
    other = await start("blog", owner.tab_port)
    async with wire_tab(owner.tab_port, "t1") as tab:
        await sees(other, id="t1")
        call = asked(other, "t1")
        await tab.fail(await tab.receive(), "ELEMENT_NOT_FOUND", "There is no #a.", data={"selector": "#a"})
        error = await error_of(call)
        assert isinstance(error, ReportedByPage)
        assert (error.error_code, error.data) == ("ELEMENT_NOT_FOUND", {"selector": "#a"})
        assert "#a" in error.message

        call = asked(other, "t1")
        command = await tab.receive()
        call.cancel()
        assert await tab.receive() == {"type": "cancel", "id": command["id"]}

        call = asked(other, "t1", seconds=0.05)
        await tab.receive()
        assert isinstance(await error_of(call), CommandTimeout)
        assert (await tab.receive())["type"] == "cancel"

        call = asked(other, "t1")
        await tab.receive()
        await tab.socket.close()
        error = await error_of(call)
        assert isinstance(error, TabDisconnected)
        assert error.data == {"call": "kapturemcp_click"}
    assert isinstance(await error_of(asked(other, "never")), TabNotFound)


async def test_when_the_owner_ends_one_of_the_others_takes_the_port_and_the_rest_share_again(
    start: Start,
) -> None:
    owner = await start("shop", 0)
    port = owner.tab_port
    others = [await start(name, port) for name in ("blog", "desk", "mail")]
    async with wire_tab(port, "t1") as tab:
        for other in others:
            await sees(other, id="t1")
        calls = [asked(other, "t1") for other in others]
        for _ in calls:
            await tab.receive()
        await owner.stop()
        for call in calls:
            assert isinstance(await error_of(call), TabDisconnected)
        waits = [asyncio.create_task(settled(tabs_of(each), "listening")) for each in others]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
    [heir] = [each for each in others if tabs_of(each).state.kind == "listening"]
    assert heir.tab_port == port
    async with wire_tab(port, "t1") as tab:
        for each in others:
            if each is not heir:
                await settled(tabs_of(each), "shared")
            await works(each, tab)


async def test_without_the_same_user_s_word_the_token_of_the_registry_opens(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "same_user", lambda _peer: False)
    owner = await start("shop", 0)
    other = await start("blog", owner.tab_port)
    assert tabs_of(other).state.kind == "shared"
    stranger = await start("desk", owner.tab_port, "another")
    assert (tabs_of(stranger).state.kind, stranger.tab_port) == ("off", None)
    assert ("401" if sys.platform == "linux" else "not known") in tabs_of(stranger).state.why


@asynccontextmanager
async def other_program(answer: bytes) -> AsyncIterator[int]:
    """A program that answers everybody with that and goes on holding the connection; its port."""
    held: list[asyncio.StreamWriter] = []

    async def handle(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)
        writer.write(answer)

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in held:
            writer.close()
        await server.wait_closed()


def ok(body: bytes, length: int | None = None) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (
        len(body) if length is None else length,
        body,
    )


PROGRAMS = {
    "nothing": b"",
    "no HTTP": b"220 mail.example ESMTP\r\n",
    "a page": ok(b"<!doctype html>"),
    "too much": ok(b"{}", 10**12),
    "endless": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "another service": ok(b'{"service": "other", "port": 1}'),
    "no port": ok(b'{"service": "pageside", "port": "1"}'),
    "elsewhere": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
    "a companion that is not there": ok(b'{"service": "pageside", "port": 1}'),
}


@pytest.mark.parametrize("answer", PROGRAMS.values(), ids=PROGRAMS.keys())
async def test_where_another_program_has_the_port_the_socket_is_off_and_taken_when_it_is_free(
    start: Start, answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "pageside")
    async with other_program(answer) as port:
        companion = await start("shop", port)
        state = tabs_of(companion).state
        assert (state.kind, state.port, companion.tab_port) == ("off", port, None)
        assert str(port) in state.why
        assert ("suspended" in state.why) == (not answer)
    await settled(tabs_of(companion), "listening")
    assert companion.tab_port == port
    assert caplog.text.count("the tab socket is off") == 1
    async with wire_tab(port) as tab:
        await works(companion, tab)


def test_who_waits_for_the_port_asks_later_and_later_but_at_once_after_a_good_connection() -> None:
    assert pause(0) <= 0.05
    for tries in range(1, 100):
        assert min(0.1 * 2 ** (tries - 1), LAST_SECONDS / 2) <= pause(tries) <= LAST_SECONDS


async def test_one_that_is_switched_off_says_so(start: Start) -> None:
    companion = await start("shop", None)
    state = tabs_of(companion).state
    assert (state.kind, state.port, companion.tab_port) == ("off", None, None)
    assert "--tab-port" in state.why


async def shared_socket(http: aiohttp.ClientSession, owner: Companion) -> aiohttp.ClientWebSocketResponse:
    url = owner.url + CHANNEL["prefix"] + CHANNEL["routes"]["tabs"]
    socket = await http.ws_connect(url, headers={"Authorization": f"Bearer {owner.secrets.agent}"})
    assert json.loads((await socket.receive(10)).data) == {"type": "tabs", "tabs": []}
    return socket


GOOD: dict[str, Any] = {
    "type": "command",
    "id": "1",
    "tabId": "t1",
    "command": "kapturemcp_click",
    "params": {},
    "seconds": 5,
}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"tabId": "never"}, "TAB_NOT_FOUND"),
        ({"tabId": 1}, "BAD_REQUEST"),
        ({"command": "rm"}, "BAD_REQUEST"),
        ({"params": []}, "BAD_REQUEST"),
        ({"seconds": "5"}, "BAD_REQUEST"),
    ],
)
async def test_what_another_companion_asks_wrongly_is_answered_with_an_error(
    start: Start, wrong: dict[str, Any], code: str
) -> None:
    owner = await start("shop", 0)
    async with aiohttp.ClientSession() as http, wire_tab(owner.tab_port, "t1") as tab:
        url = owner.url + CHANNEL["prefix"] + CHANNEL["routes"]["tabs"]
        async with http.ws_connect(url) as socket:
            await socket.receive(10)
            await socket.send_json(GOOD | wrong)
            told = json.loads((await socket.receive(10)).data)
            assert (told["id"], told["type"], told["error"]["code"]) == ("1", "error", code)
        await works(owner, tab)


@pytest.mark.parametrize("frame", ["{", "[]", '{"type": "command"}', '{"id": "1", "type": "stop"}', b"{}"])
async def test_what_is_no_message_of_a_companion_ends_its_connection(
    start: Start, frame: str | bytes
) -> None:
    owner = await start("shop", 0)
    async with aiohttp.ClientSession() as http:
        socket = await shared_socket(http, owner)
        await (socket.send_str(frame) if isinstance(frame, str) else socket.send_bytes(frame))
        assert (await socket.receive(10)).type is WSMsgType.CLOSE
    async with wire_tab(owner.tab_port) as tab:
        await works(owner, tab)


@asynccontextmanager
async def false_companion(*frames: str) -> AsyncIterator[int]:
    """Says that it is one, and these frames to whoever wants its tabs; its port."""

    async def health(request: web.Request) -> web.Response:
        return web.json_response({"service": "pageside", "port": request.url.port})

    async def tabs(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        for frame in frames:
            await socket.send_str(frame)
        return socket

    app = web.Application()
    app.router.add_get("/health", health)
    app.router.add_get(CHANNEL["prefix"] + CHANNEL["routes"]["tabs"], tabs)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


TAB = {"tabId": "t1", "url": "", "title": "", "connectedAt": 1}


@pytest.mark.parametrize(
    "frames",
    [
        (),
        ("{",),
        ('{"type": "tabs"}',),
        ('{"type": "tabs", "tabs": [7]}',),
        (json.dumps({"type": "tabs", "tabs": [TAB | {"connectedAt": "now"}]}),),
        ('{"type": "what comes later"}',),
    ],
)
async def test_a_companion_that_cannot_be_understood_is_not_shared_with(
    start: Start, frames: tuple[str, ...]
) -> None:
    async with false_companion(*frames) as port:
        companion = await start("shop", port)
        state = tabs_of(companion).state
        assert (state.kind, "nothing that is understood" in state.why) == ("off", True)
    await settled(tabs_of(companion), "listening")


async def test_a_companion_of_somebody_else_is_not_shared_with(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tabs could be anything, and it would read what agents fill in."""
    async with false_companion(json.dumps({"type": "tabs", "tabs": [TAB]})) as port:
        monkeypatch.setattr(tab_port, "same_user_listens", lambda _port: False)
        companion = await start("shop", port)
        assert "another user" in tabs_of(companion).state.why
        monkeypatch.setattr(tab_port, "SYSTEM_KNOWS_USERS", False)
        monkeypatch.setattr(tab_port, "same_user_listens", lambda _port: True)
        elsewhere = await start("blog", port, "another")
        assert (elsewhere.tab_port, tabs_of(elsewhere).all()) == (None, [])
        assert "not known to be this user's" in tabs_of(elsewhere).state.why


async def test_what_a_newer_companion_says_besides_is_passed_over(start: Start) -> None:
    tabs = json.dumps({"type": "tabs", "tabs": [TAB], "more": 1})
    answer = json.dumps({"type": "result", "id": "77", "result": {}})
    async with false_companion('{"type": "new"}', tabs, answer) as port:
        companion = await start("shop", port)
        await settled(tabs_of(companion), "shared")
        assert tabs_of(companion).was_here("t1") or tabs_of(companion).get("t1") is not None


@linux_only
async def test_two_apps_at_once_share_the_tab_port(no_blocking: BlockBuster) -> None:
    """Each dev server starts a companion with a state folder of its own."""
    no_blocking.deactivate()  # Reading their registry entries blocks, and no companion runs here.
    [port] = free_ports(1)
    variables = {"PAGESIDE_TAB_PORT": str(port)}
    async with (
        dev_server(copy_example("vite-vanilla"), environment=variables) as one,
        dev_server(copy_example("vite-react"), environment=variables) as other,
    ):
        urls = [await each.mcp_url() for each in (one, other)]
        async with wire_tab(port, "t1", title="Somewhere") as tab:
            serving = asyncio.create_task(tab.serve(lambda command: {"url": command["command"], "title": ""}))
            for url in urls:
                async with agent(url, query="?toolsets=kapture") as client:
                    # The other companion hears of the tab a moment after the one that it is connected to.
                    async with asyncio.timeout(5):
                        while not (listed := await call(client, "kapturemcp_list_tabs"))["tabs"]:
                            pass
                    assert [each["tabId"] for each in listed["tabs"]] == ["t1"]
                    result = await client.call_tool("kapturemcp_go_back", {"tabId": "t1"})
                    assert result.structured_content["url"] == "kapturemcp_go_back"
            serving.cancel()


async def test_people_read_where_tabs_connect(settings: Settings) -> None:
    async with other_program(PROGRAMS["no HTTP"]) as port:
        async with serving(settings, "--tab-port", str(port)) as running:
            [line] = [line for line in running.printed if "Tab socket" in line]
            assert f"off: Port {port} is used by another program. Stop what uses it" in line
            await running.end()


async def test_who_asks_for_the_consoles_link_reads_why_no_tab_can_connect(start: Start) -> None:
    async def answer() -> dict[str, Any]:
        headers = {CHANNEL["headers"]["pluginToken"]: companion.secrets.plugin}
        url = companion.url + CHANNEL["prefix"] + CHANNEL["routes"]["consoleLink"]
        async with aiohttp.ClientSession() as http, http.post(url, json={}, headers=headers) as response:
            return dict(await response.json())

    async with other_program(PROGRAMS["no HTTP"]) as port:
        companion = await start("shop", port)
        assert (await answer())["tabs"].startswith(f"off: Port {port} is used by another program. Stop what")
    await settled(tabs_of(companion), "listening")
    assert set(await answer()) == {"url"}


async def test_who_asks_while_it_is_unclear_waits() -> None:
    tabs = Tabs()
    asked = asyncio.create_task(tab_port.settled(tabs))
    await asyncio.sleep(0)
    assert not asked.done()
    tabs.state = TabSocketState("listening", 1)
    assert await asked == tabs.state
