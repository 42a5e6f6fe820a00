"""A `pageside stdio` process whose lines a test writes and reads itself."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from pageside.settings import Settings
from support.agents import stdio_arguments, stdio_environment
from support.serve import SECONDS

INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def request(number: int | str, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def initialize(number: int | str = 0, revision: str = "2025-11-25") -> dict[str, Any]:
    info = {"name": "raw", "version": "1"}
    return request(number, "initialize", protocolVersion=revision, capabilities={}, clientInfo=info)


class RawStdio:
    """Sends lines, and reads those that come back, which must be JSON-RPC."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._in, self._out = process, process.stdin, process.stdout

    async def send(self, *messages: dict[str, Any] | bytes) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self._in.write(line + b"\n")
        await self._in.drain()

    async def receive(self) -> dict[str, Any]:
        """The next message."""
        line = await asyncio.wait_for(self._out.readline(), SECONDS)
        message: dict[str, Any] = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    async def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to this request."""
        await self.send(message)
        while (answer := await self.receive()).get("id") != message["id"]:
            assert "id" not in answer, answer
        return answer

    async def shake_hands(self) -> None:
        assert "result" in await self.ask(initialize())
        await self.send(INITIALIZED)

    async def end(self, number: int | None = None) -> tuple[int, list[dict[str, Any]]]:
        """Send the signal, or end stdin; the exit code and the messages that were left. Fails after 5 s."""
        if number is None:
            self._in.close()
        else:
            self.process.send_signal(number)
        async with asyncio.timeout(5):
            code = await self.process.wait()
        return code, [json.loads(line) for line in (await self._out.read()).splitlines()]


@asynccontextmanager
async def raw_stdio(settings: Settings, *flags: str, program: str = "") -> AsyncIterator[RawStdio]:
    """`pageside stdio`, or a Python program that is given its arguments; killed at the end if it still runs."""
    arguments = stdio_arguments(settings, *flags)
    if program:
        arguments = ["-c", program, *arguments[2:]]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=PIPE, stdout=PIPE, env=stdio_environment(), limit=2**24
    )
    try:
        yield RawStdio(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
