"""The stream of a browser: it is lost, comes back, falls behind, and is ended."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

import pytest

from pageside.contract import CHANNEL
from pageside.errors import ShuttingDown
from pageside.hubs import channel
from pageside.web import page_channel
from pageside.web.app import Companion
from support.door import Door
from support.hub import ask, joining
from support.page import WirePage
from support.raw import head

NAMES = CHANNEL["headers"]
STREAM = CHANNEL["prefix"] + CHANNEL["routes"]["stream"]


async def test_a_second_stream_of_the_same_channel_ends_the_first(companion: Companion) -> None:
    async with WirePage(companion) as page:
        first = page.ended
        await page.open()
        await asyncio.wait_for(first.wait(), 5)
        assert not page.ended.is_set()
        pending = ask(companion, page.id)
        await page.answer(await page.next_call(), {})
        await pending


async def test_a_stream_that_comes_back_brings_the_unanswered_calls_once(companion: Companion) -> None:
    async with WirePage(companion) as page:
        pending = [ask(companion, page.id, tool) for tool in ("page_info", "run_script", "pick_element")]
        sent = [await page.next_call() for _ in pending]
        await page.answer(sent[2], "picked")
        await page.drop_stream()
        await page.open()
        again = [await page.next_call(), await page.next_call()]
        assert again == sent[:2]
        for n, call in enumerate(again):
            assert await page.answer(call, n) == 204
        assert await asyncio.gather(*pending) == [0, 1, "picked"]
        assert page.calls.empty()


async def test_calls_made_while_the_stream_is_away_arrive_when_it_is_back(companion: Companion) -> None:
    async with WirePage(companion) as page:
        await page.drop_stream()
        pending = ask(companion, page.id)
        await asyncio.sleep(0)
        await page.open()
        await page.answer(await page.next_call(), "late but there")
        assert await pending == "late but there"


async def test_a_quiet_stream_says_that_it_is_there(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_channel, "_PING_SECONDS", 0.01)
    async with WirePage(companion, joins=False) as page:
        async with page.session.get(f"{STREAM}?channel={page.channel}") as response:
            async with asyncio.timeout(5):
                lines = [await response.content.readline() for _ in range(8)]
    assert lines[0] == b"event: hello\n"
    assert lines[3:] == [b": still here\n", b"\n"] * 2 + [b": still here\n"]


@pytest.mark.parametrize("reads_on", [True, False])
async def test_a_reader_that_falls_behind_is_cut_off_and_may_come_back(
    companion: Companion, door: Door, monkeypatch: pytest.MonkeyPatch, reads_on: bool
) -> None:
    monkeypatch.setattr(page_channel, "_WRITE_SECONDS", 0.2)
    monkeypatch.setattr(channel, "MAX_BYTES", 300_000)
    async with WirePage(companion, joins=False) as page, WirePage(companion) as other:
        stuck = await asyncio.to_thread(stuck_stream, companion, page.channel)
        with stuck:
            await page.connect()
            call = ask(companion, page.id)
            while (status := await page.post("connect", joining(page)))[0] == 200:
                companion.world.pages.broadcast("inspections", {"items": ["x" * 100_000]})
                await asyncio.wait_for(other.items.get(), 5)
            assert status[1]["error"]["code"] == "PAGE_DISCONNECTED"
            assert not other.ended.is_set()
            if not reads_on:
                async with asyncio.timeout(5):
                    while await door.left.get() != STREAM:
                        pass
            assert await asyncio.to_thread(read_to_the_end, stuck) == reads_on
        await page.open()
        again = await page.next_call()
        await page.answer(again, "after all")
        assert await call == "after all"
        assert page.calls.empty()


def stuck_stream(companion: Companion, channel_id: str) -> socket.socket:
    """A stream whose reader takes the head and then stops; the system's buffers are as small as they get."""
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stream.settimeout(5)
    stream.connect(("127.0.0.1", companion.port))
    headers = {"Host": f"localhost:{companion.port}", NAMES["pageToken"]: companion.secrets.page}
    stream.sendall(head("GET", f"{STREAM}?channel={channel_id}", headers))
    while b"event: hello" not in stream.recv(4096, socket.MSG_PEEK):
        pass
    return stream


def read_to_the_end(stream: socket.socket) -> bool:
    """True when the response was ended in order, False when the connection was."""
    tail = b""
    with suppress(ConnectionError):
        while not tail.endswith(b"\r\n0\r\n\r\n"):
            received = stream.recv(65536)
            if not received:
                return False
            tail = (tail + received)[-7:]
        return True
    return False


async def test_a_stop_ends_open_calls_and_streams_at_once(companion: Companion) -> None:
    async with WirePage(companion) as page, WirePage(companion) as other:
        calls = [(p.id, tool) for p in (page, other) for tool in ("page_info", "run_script")]
        pending = [ask(companion, page_id, tool) for page_id, tool in calls]
        await page.next_call()
        await other.next_call()
        async with asyncio.timeout(2):
            companion.world.pages.stop()
            errors = await asyncio.gather(*pending, return_exceptions=True)
            await page.ended.wait()
            await other.ended.wait()
        assert [getattr(error, "error_code", None) for error in errors] == ["SHUTTING_DOWN"] * 4
        with pytest.raises(ShuttingDown):
            await ask(companion, page.id)
        async with page.session.get(f"{STREAM}?channel=0123456789abcdef") as response:
            assert response.status == 503
