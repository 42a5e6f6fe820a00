"""Why calls end before their answer: named ends, a mute or busy Chrome, a flood."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Awaitable, Callable

import pytest

from pageside.chrome import browser_socket, wire
from pageside.chrome.wire import Connection
from pageside.errors import (
    ChromeError,
    ChromeLost,
    ChromeNotAnswering,
    CommandTimeout,
    DialogOpen,
    TabCrashed,
    TabDisconnected,
)
from support.connections import Threads, failure, until
from support.fake_chrome import FakeChrome, Message


async def test_five_ends_are_told_apart(fake: FakeChrome, connection: Connection) -> None:
    for error in (
        TabDisconnected("gone"),
        TabCrashed("crashed"),
        DialogOpen("a dialog", data={"dialog": {}}),
        ChromeLost("lost"),
        ChromeNotAnswering("mute"),
    ):
        session = connection.root.child(error.code)
        calls = [asyncio.ensure_future(session("A.silent")) for _ in range(20)]
        for _ in calls:
            await fake.call("A.silent")
        session.refuse(error, ("Page.navigate",))
        ends = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 5)
        assert {type(each) for each in ends} == {type(error)}
        assert {each.to_json()["message"] for each in ends if isinstance(each, ChromeError)} == {
            error.message
        }
        assert isinstance(await failure(session("A.silent")), type(error))
        fake.answers["Page.navigate"] = {}
        assert await session("Page.navigate") == {}
        session.accept(type(error))
        assert await session("Browser.getVersion")
    assert connection.open_calls == 0


async def test_who_waits_for_an_event_is_told_that_none_can_come(
    fake: FakeChrome, connection: Connection
) -> None:
    session = connection.root.child("1")
    wait = asyncio.ensure_future(session.event("A.event"))
    await connection.root("Browser.getVersion")
    session.refuse(DialogOpen("a dialog"), ("Page.",))
    await connection.root("Browser.getVersion")
    assert not wait.done()
    session.refuse(TabDisconnected("gone"))
    assert isinstance(await failure(wait), TabDisconnected)


async def test_what_ended_a_session_first_stays_the_reason(connection: Connection) -> None:
    session = connection.root.child("1")
    session.refuse(DialogOpen("a dialog"), ("Page.",))
    session.refuse(ChromeLost("lost"))
    session.refuse(TabDisconnected("gone"))
    session.refuse(DialogOpen("another dialog"), ("Page.",))
    session.accept(DialogOpen)
    assert isinstance(await failure(session("Page.navigate")), ChromeLost)
    assert isinstance(await failure(session.event("A.event")), ChromeLost)


def frame(opcode: int, payload: bytes, announced: int | None = None, fin: int = 0x80) -> bytes:
    length = len(payload) if announced is None else announced
    return bytes((fin | opcode, 127)) + struct.pack("!Q", length) + payload


async def _hang_up(fake: FakeChrome) -> None:
    await fake.hang_up()


async def _drop(fake: FakeChrome) -> None:
    fake.drop()


def _writes(data: bytes) -> Callable[[FakeChrome], Awaitable[None]]:
    async def write(fake: FakeChrome) -> None:
        fake.write(data)

    return write


def _says(text: str) -> Callable[[FakeChrome], Awaitable[None]]:
    return lambda fake: fake.say(text)


ENDS = {
    "close frame": (_hang_up, "closed the connection"),
    "drop": (_drop, "connection"),
    "close frame with rubbish": (_writes(frame(8, b"\x00")), "connection"),
    "no JSON": (_says("}{"), "no JSON"),
    "an empty message": (_says(""), "closed the connection"),
    "JSON that is no object": (_says('["id", "method"]'), "no JSON object"),
    "a number": (_says("5"), "failed"),
    "text with method in it": (_says('"id and method"'), "no JSON object"),
    "no UTF-8": (_writes(frame(1, b'{"id":1,"x":"\xff\xfe"}')), "no JSON"),
    "an unknown opcode": (_writes(frame(3, b"{}")), "failed"),
    "reserved bits": (_writes(b"\xf1\x02{}"), "failed"),
    "a part of nothing": (_writes(frame(0, b"{}")), "failed"),
    "a gigantic frame": (_writes(frame(1, b"{", 2**40)), "was announced"),
    "a negative length": (_writes(frame(1, b"{", 2**63 + 5)), "was announced"),
    "a long ping": (_writes(frame(9, b"x" * 5_000)), "failed"),
}


@pytest.mark.parametrize(("end", "reason"), ENDS.values(), ids=ENDS)
async def test_however_the_connection_ends_all_calls_end_at_once_with_the_reason(
    fake: FakeChrome,
    connection: Connection,
    end: Callable[[FakeChrome], Awaitable[None]],
    reason: str,
    threads: Threads,
) -> None:
    told: list[str] = []
    connection.on_lost = told.append
    sessions = [connection.root, connection.root.child("1"), connection.root.child("2")]
    calls = [asyncio.ensure_future(session("A.silent")) for session in sessions for _ in range(5)]
    waits = [asyncio.ensure_future(session.event("A.event")) for session in sessions]
    for _ in calls:
        await fake.call("A.silent")
    await end(fake)
    ends = await asyncio.wait_for(asyncio.gather(*calls, *waits, return_exceptions=True), 5)
    assert {type(each) for each in ends} == {ChromeLost}
    assert reason in str(ends[0])
    assert isinstance(await failure(connection.root("Browser.getVersion")), ChromeLost)
    assert len(told) == 1
    await connection.close()
    assert not connection.open_calls
    assert not threads()


async def test_what_was_said_before_the_end_is_heard(fake: FakeChrome, connection: Connection) -> None:
    seen: list[int] = []
    connection.root.on("A.event", lambda params: seen.append(params["n"]))

    async def answer(call: Message) -> None:
        for n in range(2_000):
            await fake.event("A.event", n=n)
        await fake.answer(call, last="word")
        await fake.hang_up()

    fake.handlers["A.b"] = answer
    assert await connection.root("A.b") == {"last": "word"}
    assert seen == list(range(2_000))


async def test_messages_in_endless_parts_end_the_connection(
    fake: FakeChrome, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_socket, "MAX_RECEIVED_BYTES", 100_000)
    call = asyncio.ensure_future(connection.root("A.silent"))
    await fake.call("A.silent")
    fake.write(frame(1, b"[" * 10_000, fin=0))
    for _ in range(20):
        fake.write(frame(0, b"[" * 10_000, fin=0))
    assert "without end" in (await failure(call)).message


async def test_a_mute_chrome_ends_all_calls_and_is_heard_again(
    fake: FakeChrome, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "PROBE_SECONDS", 0.2)
    del fake.answers["Browser.getVersion"]
    tab = connection.root.child("1")
    long = asyncio.ensure_future(tab("A.silent", seconds=60))
    assert isinstance(await failure(tab("A.silent", seconds=0.05)), CommandTimeout)
    assert isinstance(await failure(long), ChromeNotAnswering)
    assert isinstance(await failure(tab("A.silent")), ChromeNotAnswering)
    await fake.event("A.event")
    fake.answers["A.b"] = {}
    await until(lambda: not connection._mute)  # noqa: SLF001
    assert await tab("A.b") == {}


async def test_a_busy_chrome_is_not_called_mute(
    fake: FakeChrome, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "PROBE_SECONDS", 0.3)
    del fake.answers["Browser.getVersion"]
    long = asyncio.ensure_future(connection.root("A.silent", seconds=0.8))

    async def chatter() -> None:
        while not long.done():
            await fake.event("A.event")
            await asyncio.sleep(0.02)

    connection.check_alive()
    await asyncio.gather(long, chatter(), return_exceptions=True)
    assert isinstance(long.exception(), CommandTimeout)


async def test_a_peer_that_reads_nothing_holds_up_neither_the_loop_nor_the_end(
    fake: FakeChrome, connection: Connection, threads: Threads
) -> None:
    await connection.root("Browser.getVersion")
    fake.pause()
    begun = time.monotonic()
    calls = [connection.root("A.b", text="x" * 200_000, seconds=0.3) for _ in range(100)]
    ends = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(each) for each in ends} <= {CommandTimeout}
    assert time.monotonic() - begun < 8
    begun = time.monotonic()
    await connection.close()
    assert time.monotonic() - begun < 8
    assert not threads()


async def test_a_flood_neither_starves_the_loop_nor_fills_the_memory(
    fake: FakeChrome, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pageside.chrome.inbox.MAX_WAITING", 1_000)
    waiting: list[int] = []
    gaps: list[float] = []
    connection.root.on("A.event", lambda _params: waiting.append(len(connection._inbox._waiting)))  # noqa: SLF001

    async def beat() -> None:
        before = time.monotonic()
        while len(waiting) < 20_000:
            await asyncio.sleep(0)
            gaps.append(time.monotonic() - before)
            before = time.monotonic()

    async def answer(call: Message) -> None:
        text = '{"method": "A.event", "params": {"text": "x"}}'
        packed = frame(1, text.encode())
        for _ in range(20):
            fake.write(packed * 1_000)
            await asyncio.sleep(0)
        await fake.answer(call)

    fake.handlers["A.b"] = answer
    await asyncio.gather(connection.root("A.b", seconds=20), beat())
    assert len(waiting) == 20_000
    assert max(waiting) <= 1_000
    assert max(gaps) < 1
