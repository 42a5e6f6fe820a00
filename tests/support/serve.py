"""`pageside serve` as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pageside.contract import CHANNEL
from pageside.processes.project import project_id
from pageside.settings import ALIASES, VARIABLES, Settings

SECONDS = 40.0
"""Starting Python with all imports on a busy machine takes a while."""


def environment() -> dict[str, str]:
    """Ours without Pageside's variables, Chrome, tab socket and buffering; scripts may run anywhere."""
    own = {name: value for name, value in os.environ.items() if name not in VARIABLES and name not in ALIASES}
    more = {"PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "error"}
    return own | more | {"PAGESIDE_CHROME": "off", "PAGESIDE_TAB_PORT": "off", "PAGESIDE_SCRIPT_ORIGINS": "*"}


def arguments(settings: Settings, *more: str) -> list[str]:
    project, state = str(settings.project), str(settings.state)
    return ["serve", "--project", project, "--state-dir", state, "--port", str(settings.port), *more]


@dataclass(slots=True)
class Served:
    """A companion that listens: where, what it printed, and its registry entry."""

    settings: Settings
    pid: int
    printed: list[str] = field(default_factory=list)
    entry: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.entry['port']}"

    @property
    def mcp_url(self) -> str:
        return self.url + str(CHANNEL["mcp"])

    @property
    def page_token(self) -> str:
        return str(self.entry["pageToken"])

    @property
    def plugin_token(self) -> str:
        return str(self.entry["pluginToken"])


def registry_file(settings: Settings) -> Path:
    return settings.state / project_id(settings.project) / str(CHANNEL["registry"]["file"])


async def ready(served: Served, output: asyncio.StreamReader) -> Served:
    """Read the lines that say that it listens, and its entry. (The entry is written before they are printed.)"""
    async with asyncio.timeout(SECONDS):
        while not served.printed or "Claude Code" not in served.printed[-1]:
            line = await output.readline()
            assert line, served.printed
            served.printed.append(line.decode().rstrip("\n"))
    served.entry = json.loads(await asyncio.to_thread(registry_file(served.settings).read_text))
    return served


@dataclass(slots=True)
class Running(Served):
    """One that was started as people start it."""

    process: Process = field(kw_only=True)

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Send the signal and return the exit code; fails after 5 s."""
        self.process.send_signal(number)
        async with asyncio.timeout(5):
            return await self.process.wait()


async def run_command(*arguments: str, cwd: Path | None = None) -> tuple[int, str, str]:
    """`python -m pageside <arguments>` that ends by itself: (exit code, output, errors)."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pageside", *arguments), stdout=PIPE, stderr=PIPE, env=environment(), cwd=cwd
    )
    try:
        async with asyncio.timeout(SECONDS):
            output, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, output.decode(), errors.decode()


@asynccontextmanager
async def serving(settings: Settings, *more: str) -> AsyncIterator[Running]:
    """`python -m pageside serve`, listening; killed at the end if it still runs."""
    async with started([sys.executable, "-m", "pageside"], settings, environment(), more=more) as running:
        yield running


@asynccontextmanager
async def started(
    command: Sequence[str],
    settings: Settings,
    variables: Mapping[str, str],
    *,
    more: Sequence[str] = (),
    cwd: Path | None = None,
) -> AsyncIterator[Running]:
    """The same by whatever `command` starts `pageside`, with just these environment variables."""
    process = await asyncio.create_subprocess_exec(
        *command, *arguments(settings, *more), stdout=PIPE, env=variables, cwd=cwd
    )
    try:
        assert process.stdout is not None
        running = Running(settings, process.pid, process=process)
        await ready(running, process.stdout)
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


class Nursery:
    """Starts companions without waiting for imports, one after the other."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout

    async def serve(self, settings: Settings) -> Served:
        self._in.write(json.dumps(arguments(settings)).encode() + b"\n")
        told = re.fullmatch(r"pid (\d+)\n", (await self._out.readline()).decode())
        assert told is not None
        return await ready(Served(settings, int(told[1])), self._out)

    async def ended(self) -> int:
        """The exit code of the companion that was started last, when it has ended."""
        async with asyncio.timeout(5):
            while not (line := (await self._out.readline()).decode()).startswith("ended "):
                assert line
        return int(line.split()[1])


@asynccontextmanager
async def nursery() -> AsyncIterator[Nursery]:
    path = Path(__file__).with_name("nursery.py")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", str(path)), stdin=PIPE, stdout=PIPE, env=environment(), start_new_session=True
    )
    try:
        yield Nursery(process)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()
