"""Opening a connection, to whatever listens there; and nothing left of it afterwards."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import psutil
import pytest

from pageside.chrome.wire import Connection
from pageside.errors import ChromeLost, ChromeNotAnswering, ChromeUnreachable
from support.connections import Threads, failure, until
from support.fake_chrome import FakeChrome
from support.sockets import free_ports


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
