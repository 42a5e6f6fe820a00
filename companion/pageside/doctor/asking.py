"""Questions to whatever listens on a port of this machine, and work aside, each within its time."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 1.5
MAX_HEAD = 65_536
MAX_BODY = 4_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """The first response of a connection; its body where it states a length."""

    status: int
    body: bytes

    def object(self) -> dict[str, Any]:
        """The JSON object in the body; empty for everything else."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


def head(method: str, target: str, headers: Mapping[str, str] | list[tuple[str, str]], version: str) -> bytes:
    """The request line and headers, to the letter."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    lines = [f"{method} {target} {version}", *(f"{name}: {value}" for name, value in pairs)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def exchange(port: int, data: bytes, seconds: float = SECONDS) -> Answer | None:
    """Send it on a connection of its own; None: closed without a word. Raises `OSError`, `TimeoutError`."""
    loop = asyncio.get_running_loop()
    # A bare socket: a stream forgets the answer of who refuses in the middle of what is sent, and resets.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        sock.setblocking(False)
        async with asyncio.timeout(seconds):
            await loop.sock_connect(sock, ("127.0.0.1", port))
            sending = asyncio.create_task(_send(sock, data))
            try:
                return _parsed(await _received(sock))
            finally:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)


async def _send(sock: socket.socket, data: bytes) -> None:
    with suppress(ConnectionError):
        await asyncio.get_running_loop().sock_sendall(sock, data)


async def _received(sock: socket.socket) -> bytes:
    """The first response as far as it comes: until its length is there, or the connection ends."""
    loop, raw = asyncio.get_running_loop(), b""
    with suppress(ConnectionError):
        while len(raw) < _wanted(raw) and (more := await loop.sock_recv(sock, 65_536)):
            raw += more
    return raw


def _wanted(raw: bytes) -> int:
    """How many bytes the response has, as far as that is known; of a body without a length none is read."""
    end = raw.find(b"\r\n\r\n")
    if end < 0:
        return MAX_HEAD
    length = re.search(rb"\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*\r\n", raw[: end + 2], re.IGNORECASE)
    return end + 4 + (min(int(length[1]), MAX_BODY) if length else 0)


def _parsed(raw: bytes) -> Answer | None:
    if not raw:
        return None
    status = re.match(rb"HTTP/\d\.\d (\d{3})\b", raw)
    # Something may answer that does not speak HTTP.
    return Answer(int(status[1]) if status else 0, raw.partition(b"\r\n\r\n")[2])


async def get(port: int, path: str, headers: Mapping[str, str] | None = None) -> Answer | None:
    """A GET as programs send it."""
    named = {"Host": f"127.0.0.1:{port}", "Connection": "close", **(headers or {})}
    return await exchange(port, head("GET", path, named, "HTTP/1.1"))


async def aside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run it in a thread that holds up nobody: who stops waiting for it can end the program all the same."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failed = None, None
        try:
            result = work(*args, **kwargs)
        except Exception as error:
            failed = error
        with suppress(RuntimeError):
            # The loop may be closed by now.
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=run, name="doctor", daemon=True).start()
    return await done


async def output_of(argv: list[str], seconds: float = 3.0) -> str:
    """What a short command prints; '' if it does not run, fails or takes longer."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return ""
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate()
    except TimeoutError:
        return ""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return output.decode("utf-8", "replace").strip() if process.returncode == 0 else ""
