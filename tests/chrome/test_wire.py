"""The connection: answers and events in order, a limit for every call, named ends, nothing left behind."""

from __future__ import annotations

import asyncio
import struct
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress

import psutil
import pytest
from blockbuster import BlockBuster, blockbuster_ctx

from pageside.chrome import browser_socket, wire
from pageside.chrome.session import CommandFailed
from pageside.chrome.wire import Connection
from pageside.errors import (
    ChromeError,
    ChromeLost,
    ChromeNotAnswering,
    ChromeUnreachable,
    CommandTimeout,
    DialogOpen,
    InvalidArguments,
    PagesideError,
    TabCrashed,
    TabDisconnected,
)
from support.fake_chrome import FakeChrome, Message, fake_chrome
from support.sockets import free_ports


@pytest.fixture(autouse=True)
def no_blocking() -> Iterator[BlockBuster]:
    """A call that blocks the event loop inside Pageside fails the test."""
    with blockbuster_ctx("pageside") as guard:
        yield guard


@pytest.fixture
async def fake() -> AsyncIterator[FakeChrome]:
    async with fake_chrome() as running:
        yield running


@pytest.fixture
async def connection(fake: FakeChrome) -> AsyncIterator[Connection]:
    opened = await Connection.open(fake.url)
    yield opened
    await opened.close()


def own_threads() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name.startswith("pageside-chrome")}


@pytest.fixture(autouse=True)
def threads() -> Callable[[], set[threading.Thread]]:
    """Those of connections that were made since the test began."""
    before = own_threads()
    return lambda: own_threads() - before


Threads = Callable[[], set[threading.Thread]]


async def failure(call: Awaitable[object], seconds: float = 5.0) -> PagesideError:
    """How it ends, long before its own time limit."""
    with pytest.raises(PagesideError) as caught:
        async with asyncio.timeout(seconds):
            await call
    return caught.value


async def until(holds: Callable[[], bool]) -> None:
    """Something that no event tells, within 5 s."""
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


# Calls


async def test_answers_find_their_calls_in_whatever_order_they_come(
    fake: FakeChrome, connection: Connection
) -> None:
    calls = [asyncio.ensure_future(connection.root("A.b", n=n)) for n in range(50)]
    asked = [await fake.call("A.b") for _ in calls]
    for each in reversed(asked):
        await fake.answer(each, n=each["params"]["n"])
    assert [answer["n"] for answer in await asyncio.gather(*calls)] == list(range(50))
    assert connection.open_calls == 0


async def test_answers_and_events_keep_their_order(fake: FakeChrome, connection: Connection) -> None:
    seen: list[object] = []
    connection.root.on("A.event", lambda params: seen.append(params["n"]))

    async def answer(call: Message) -> None:
        for n in range(500):
            await fake.event("A.event", n=n)
        await fake.answer(call)
        await fake.event("A.event", n="after")

    fake.handlers["A.b"] = answer
    await connection.root("A.b")
    assert seen[:500] == list(range(500))


async def test_sessions_hear_their_own_events_and_ids_of_none_are_nobodys(
    fake: FakeChrome, connection: Connection
) -> None:
    seen: list[str] = []
    one, two = connection.root.child("1"), connection.root.child("2")
    one.on("A.event", lambda _params: seen.append("one"))
    two.on("A.event", lambda _params: seen.append("two"))
    connection.root.on("A.event", lambda _params: seen.append("root"))
    two.close()
    for session in ("2", "3", "1", None):
        await fake.event("A.event", session)
    await connection.root("Browser.getVersion")
    assert seen == ["one", "root"]
    call = asyncio.ensure_future(one("A.b"))
    assert (await fake.call("A.b"))["sessionId"] == "1"
    call.cancel()


async def test_a_call_that_gets_no_answer_ends_in_time_and_others_go_on(
    fake: FakeChrome, connection: Connection
) -> None:
    begun = time.monotonic()
    error = await failure(connection.root("A.silent", seconds=0.1))
    assert isinstance(error, CommandTimeout)
    assert time.monotonic() - begun < 8
    await fake.answer(await fake.call("A.silent"), too="late")
    assert (await connection.root("Browser.getVersion"))["product"] == "Fake/1"
    assert connection.open_calls == 0


async def test_a_cancelled_call_leaves_nothing(fake: FakeChrome, connection: Connection) -> None:
    call = asyncio.ensure_future(connection.root("A.silent"))
    await fake.call("A.silent")
    call.cancel()
    await asyncio.wait([call])
    assert connection.open_calls == 0


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ({"code": -32000, "message": "no such node", "data": "7"}, "A.b: no such node (7)"),
        ("just text", "A.b: just text"),
        (["x"], "A.b: ['x']"),
        ({}, "A.b: "),
        ({"message": {"a": 1}}, "A.b: {'a': 1}"),
    ],
)
async def test_errors_of_any_shape_are_told(
    fake: FakeChrome, connection: Connection, error: object, said: str
) -> None:
    fake.handlers["A.b"] = lambda call: fake.refuse(call, error)
    caught = await failure(connection.root("A.b"))
    assert isinstance(caught, CommandFailed)
    assert caught.message == said


@pytest.mark.parametrize("result", [None, 1, "x", [], True])
async def test_results_of_a_wrong_type_are_errors(
    fake: FakeChrome, connection: Connection, result: object
) -> None:
    fake.handlers["A.b"] = lambda call: fake.say({"id": call["id"], "result": result})
    assert isinstance(await failure(connection.root("A.b")), CommandFailed)


async def test_messages_of_wrong_types_are_passed_over(fake: FakeChrome, connection: Connection) -> None:
    for message in (
        {"id": [1], "result": {}},
        {"id": {"a": 1}},
        {"id": None, "method": "A.event"},
        {"id": 10**400, "result": {}},
        {"method": 5, "params": {}},
        {"method": "A.event", "params": 7},
        {"method": "A.event", "sessionId": ["x"]},
        {"method": "A.event", "sessionId": 3},
        {"error": {"code": -32700, "message": "JSON: no"}},
        {},
    ):
        await fake.say(message)
    assert (await connection.root("Browser.getVersion"))["product"] == "Fake/1"


async def test_a_listener_that_fails_does_not_stop_the_others(
    fake: FakeChrome, connection: Connection
) -> None:
    seen: list[str] = []
    connection.root.on("A.event", lambda params: params["missing"])
    connection.root.on("A.event", lambda _params: seen.append("second"))
    await fake.event("A.event")
    await connection.root("Browser.getVersion")
    assert seen == ["second"]


async def test_an_answer_that_is_nested_too_deeply_fails_its_call_only(
    fake: FakeChrome, connection: Connection
) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    fake.handlers["A.b"] = lambda call: fake.say(f'{{"id": {call["id"]}, "result": {{"value": {deep}}}}}')
    error = await failure(connection.root("A.b"), 5)
    assert isinstance(error, CommandFailed)
    assert "nested too deeply" in error.message
    await fake.say(f'{{"method": "A.event", "params": {deep}}}')
    assert await connection.root("Browser.getVersion")


async def test_lone_surrogates_go_both_ways(fake: FakeChrome, connection: Connection) -> None:
    fake.handlers["A.b"] = lambda call: fake.answer(call, text=call["params"]["text"])
    assert (await connection.root("A.b", text="a\ud800b"))["text"] == "a\ud800b"


async def test_large_messages_go_both_ways(fake: FakeChrome, connection: Connection) -> None:
    text = "ü" * 2_000_000
    fake.handlers["A.b"] = lambda call: fake.answer(call, text=call["params"]["text"])
    assert (await connection.root("A.b", text=text))["text"] == text


async def test_what_chrome_would_choke_on_is_refused(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(await failure(connection.root("A.b", x=float("nan"))), InvalidArguments)
    monkeypatch.setattr(wire, "MAX_SENT_BYTES", 1_000)
    error = await failure(connection.root("A.b", text="x" * 1_000))
    assert isinstance(error, InvalidArguments)
    assert connection.open_calls == 0


async def test_pings_are_answered_between_frames(fake: FakeChrome, connection: Connection) -> None:
    fake.handlers["A.b"] = lambda call: fake.answer(call, size=len(call["params"]["text"]))
    calls = [asyncio.ensure_future(connection.root("A.b", text="x" * 300_000)) for _ in range(10)]
    for _ in range(200):
        fake.write(b"\x89\x04ping")
    assert [answer["size"] for answer in await asyncio.gather(*calls)] == [300_000] * 10


# States


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


# Opening


async def test_a_port_where_nobody_listens_is_told_at_once() -> None:
    error = await failure(Connection.open(f"ws://127.0.0.1:{free_ports(1)[0]}/devtools/browser/x"))
    assert isinstance(error, ChromeUnreachable)
    assert "refused" in error.message


@pytest.mark.parametrize("url", ["ws:///x", "ws://127.0.0.1:99999/", "ws://[::1", "nonsense", "http://a"])
async def test_urls_that_make_no_sense_are_told(url: str) -> None:
    assert isinstance(await failure(Connection.open(url)), ChromeUnreachable)


Server = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(serve: Server) -> AsyncIterator[str]:
    """The URL of a server that speaks no WebSocket; all it began has ended afterwards."""
    begun: set[asyncio.Task[None]] = set()

    async def tracked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        begun.add(task)
        await serve(reader, writer)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    server = await asyncio.start_server(tracked, "127.0.0.1", 0)
    async with server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/devtools/browser/x"
    if begun:
        await asyncio.wait(begun, timeout=5)


def _tells(data: bytes) -> Server:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(data)
        await writer.drain()

    return serve


UPGRADE = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
LIES = {
    "not found": b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
    "forbidden": b"HTTP/1.1 403 Forbidden\r\n\r\n",
    "redirect": b"HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/x\r\n\r\n",
    "redirect to nowhere": b"HTTP/1.1 307 x\r\n\r\n",
    "a huge body is announced": b"HTTP/1.1 500 x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "a negative body is announced": b"HTTP/1.1 500 x\r\nContent-Length: -5\r\n\r\n",
    "no length": b"HTTP/1.1 500 x\r\nContent-Length: long\r\n\r\n",
    "no status": b"HTTP/1.1\r\n\r\n",
    "no HTTP": b"\x00\xff\xfe\r\n\r\n",
    "a wrong key": UPGRADE + b"Sec-WebSocket-Accept: x\r\n\r\n",
    "no key": UPGRADE + b"\r\n",
    "a header without a colon": b"HTTP/1.1 101 x\r\nnonsense\r\n\r\n",
    "nothing": b"",
}


@pytest.mark.parametrize("said", LIES.values(), ids=LIES)
async def test_a_server_that_answers_the_handshake_with_lies_is_unreachable(
    said: bytes, threads: Threads
) -> None:
    async with serving(_tells(said)) as url:
        error = await failure(Connection.open(url))
    assert isinstance(error, ChromeUnreachable)
    assert not threads()


async def _mute(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        await reader.read()


async def _trickles(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(UPGRADE)
    with suppress(OSError):
        while not writer.is_closing():
            writer.write(b"X: y\r\n")
            await writer.drain()
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("serve", [_mute, _trickles])
async def test_a_server_that_stalls_is_given_up_in_time(serve: Server) -> None:
    begun = time.monotonic()
    async with serving(serve) as url:
        error = await failure(Connection.open(url, 0.3), 2)
    assert isinstance(error, ChromeNotAnswering)
    assert time.monotonic() - begun < 8


async def test_opening_can_be_cancelled_and_leaves_no_connection(fake: FakeChrome, threads: Threads) -> None:
    held = asyncio.Event()
    upgrade = fake.upgrade

    async def later(request: object) -> object:
        await held.wait()
        return await upgrade(request)  # type: ignore[arg-type]

    fake.upgrade = later  # type: ignore[assignment]
    opening = asyncio.ensure_future(Connection.open(fake.url))
    await asyncio.sleep(0.1)
    opening.cancel()
    await asyncio.wait([opening])
    held.set()
    await until(lambda: fake.connections == 1 and not threads())


# Nothing left


async def test_a_hundred_connections_leave_no_thread_task_or_descriptor(
    fake: FakeChrome, threads: Threads
) -> None:
    process = psutil.Process()
    await (await Connection.open(fake.url)).close()
    before = len(asyncio.all_tasks())
    descriptors = process.num_fds()
    for n in range(100):
        connection = await Connection.open(fake.url)
        await connection.root("Browser.getVersion")
        if n % 2:
            await connection.close()
        else:
            lost = asyncio.get_running_loop().create_future()
            connection.on_lost = lost.set_result
            fake.drop()
            await asyncio.wait_for(lost, 5)
            await connection.close()
    await until(lambda: not threads() and len(asyncio.all_tasks()) <= before)
    assert process.num_fds() <= descriptors + 1


async def test_a_closed_connection_can_be_closed_again(fake: FakeChrome) -> None:
    connection = await Connection.open(fake.url)
    await connection.close()
    await connection.close()
    assert isinstance(await failure(connection.root("A.b")), ChromeLost)


async def test_debug_output_never_reaches_stdout(
    fake: FakeChrome, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEBUG", "*")
    connection = await Connection.open(fake.url)
    await connection.root("Browser.getVersion")
    await fake.say({"neither": "answer nor event"})
    await connection.root("Browser.getVersion")
    await connection.close()
    assert capfd.readouterr() == ("", "")


async def test_proxy_variables_are_not_asked(fake: FakeChrome, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    connection = await Connection.open(fake.url)
    assert await connection.root("Browser.getVersion")
    await connection.close()


async def test_a_mistyped_name_of_the_connection_is_an_error(connection: Connection) -> None:
    with pytest.raises(AttributeError):
        _ = connection.pgae
