"""The bakery of examples/aiohttp-jinja under a real Python server, in a copy that a test may edit."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import psutil

from pageside.processes import registry
from support.app import REPOSITORY, DevServer, copy_example

APPS = REPOSITORY / "tests" / "middleware" / "apps"
START_SECONDS = 40.0
END_SECONDS = 40.0
COMMANDS = {
    "aiohttp": ["app.py"],
    "flask": [str(APPS / "flask_app.py")],
    "fastapi": ["-m", "uvicorn", "fastapi_app:app", "--reload", "--port", "{port}", "--app-dir", str(APPS)],
    "django": [str(APPS / "django_app.py")],
}
"""What each is started with, after `python`."""


class PythonServer(DevServer):
    """One whose process group a test may kill; its companion starts with the first page."""

    async def companion(self, seconds: float = 40) -> dict[str, Any]:
        return await super().companion(seconds)

    @property
    def pid(self) -> int:
        return self._process.pid


def free_port() -> int:
    """One that nobody has just now."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        return int(place.getsockname()[1])


@asynccontextmanager
async def python_server(
    kind: str,
    project: Path | None = None,
    *,
    port: int | None = None,
    command: list[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[PythonServer]:
    """A server that answers; its companion, which comes with the first page, has a state folder of its own."""
    project = project or copy_example("aiohttp-jinja")
    port = port or free_port()
    words = [word.format(port=port) for word in command or COMMANDS[kind]]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *words,
        cwd=project,
        env={
            **os.environ,
            "PYTHONUNBUFFERED": "1",
            "PAGESIDE_PROJECT": str(project),
            "PAGESIDE_STATE_DIR": str(project / ".state"),
            "PAGESIDE_PORT": "0",
            "PAGESIDE_CHROME": "off",
            "PAGESIDE_IDLE_SECONDS": "2",
            "PORT": str(port),
            **(environment or {}),
        },
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
        # A shell's background job ignores Ctrl-C, and so would whatever it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    server = PythonServer(process, project, project / ".state")
    server.url = f"http://127.0.0.1:{port}/"
    try:
        await answers(server)
        yield server
    finally:
        await server.stop()


async def answers(server: DevServer) -> None:
    """Wait until the server has answered a request for a page."""
    async with asyncio.timeout(START_SECONDS), aiohttp.ClientSession() as session:
        while True:
            with suppress(aiohttp.ClientError):
                async with session.get(server.url) as response:
                    assert response.status == 200, await response.text()
                    return
            await asyncio.sleep(0.1)


async def companions_of(server: DevServer) -> list[int]:
    """The pids of all companions of the server's project that live."""

    def find() -> list[int]:
        found = []
        for process in psutil.process_iter(["cmdline", "status"]):
            words = process.info["cmdline"] or []
            if "serve" in words and str(server.project) in words and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        return found

    return await asyncio.to_thread(find)


async def ended(pid: int) -> None:
    """Wait until that process is no more, or is a zombie that nobody collects."""

    def wait() -> None:
        deadline = time.monotonic() + END_SECONDS
        while registry.start_time(pid) is not None:
            assert time.monotonic() < deadline, f"{pid} still runs"
            time.sleep(0.05)

    await asyncio.to_thread(wait)
