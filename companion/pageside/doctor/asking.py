"""Questions to whatever listens on a port of this machine, and work aside, each within its time."""

from __future__ import annotations

import asyncio
import json
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
    async with asyncio.timeout(seconds):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MAX_HEAD)
        sending = asyncio.create_task(_send(writer, data))
        try:
            return await _answer(reader)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            # Not waited for: who does not read would keep us here.
            writer.transport.abort()


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    with suppress(ConnectionError):
        writer.write(data)
        await writer.drain()


async def _answer(reader: asyncio.StreamReader) -> Answer | None:
    try:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        fields = {name.strip().lower(): value for name, _, value in (line.partition(":") for line in lines)}
        length = int(fields.get("content-length", "0"))
        return Answer(status, await reader.readexactly(length) if 0 < length <= MAX_BODY else b"")
    except (EOFError, ConnectionError):
        return None
    except (asyncio.LimitOverrunError, ValueError, IndexError):
        # Something answers that does not speak HTTP.
        return Answer(0, b"")


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
