"""A real app under a real Vite dev server, in a copy that a test may edit."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from pageside.processes.registry import living
from pageside.processes.state import project_state

REPOSITORY = Path(__file__).resolve().parents[2]
WORKSPACE = REPOSITORY / ".pageside" / "apps"
"""Inside the repository, so that the copies find its node_modules."""
VITE = REPOSITORY / "node_modules" / "vite" / "bin" / "vite.js"
INSTALLED = REPOSITORY / ".venv"
_URL = r"Local:?\s+(https?://\S+)"
_ENDPOINT = r"Pageside: +http\S+/__mcp__"
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def _installed() -> Path:
    return INSTALLED


companions: Callable[[], Path] = _installed
"""The virtual environment in which plugins find `pageside`; tests have one that starts it faster."""


def copy_example(name: str) -> Path:
    """A copy of `examples/<name>` to play with; its node_modules are links to the originals."""
    source, target = REPOSITORY / "examples" / name, WORKSPACE / f"{name}-{secrets.token_hex(4)}"
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("node_modules", "dist"))
    modules = target / "node_modules"
    modules.mkdir()
    for entry in (source / "node_modules").glob("[!.]*"):
        (modules / entry.name).symlink_to(entry.resolve())
    return target


class DevServer:
    """One `vite` process; `url` ends with a slash, `output` is what it printed without colours."""

    def __init__(self, process: asyncio.subprocess.Process, project: Path, state: Path) -> None:
        self._process = process
        self.project, self.state = project, state
        self.output = ""
        self.url = ""
        self._grew = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    @property
    def pid(self) -> int:
        return self._process.pid

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            async with self._grew:
                self.output += _ANSI.sub("", line.decode(errors="replace"))
                self._grew.notify_all()

    async def printed(self, pattern: str, seconds: float = 30) -> re.Match[str]:
        """Wait until the output matches."""
        async with asyncio.timeout(seconds), self._grew:
            await self._grew.wait_for(lambda: re.search(pattern, self.output) is not None)
        found = re.search(pattern, self.output)
        assert found is not None
        return found

    async def companion(self, seconds: float = 20) -> dict[str, Any]:
        """The registry entry of the companion that serves this project, once the plugin has told its endpoint."""
        await self.printed(_ENDPOINT, seconds)
        entry = await asyncio.to_thread(living, project_state(self.state, self.project))
        assert entry is not None, self.output
        return entry

    async def mcp_url(self) -> str:
        return f"http://127.0.0.1:{(await self.companion())['port']}/__mcp__"

    async def stop(self, *, companion_too: bool = True) -> None:
        """End the server as Ctrl-C does, and by default the companion that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGINT)
        try:
            await asyncio.wait_for(self._process.wait(), 10)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        await self._reader
        folder = project_state(self.state, self.project)
        entry = await asyncio.to_thread(living, folder) if companion_too else None
        # One that runs in the test itself is stopped there.
        if entry is not None and entry["pid"] != os.getpid():
            with suppress(ProcessLookupError):
                os.kill(entry["pid"], signal.SIGTERM)


@asynccontextmanager
async def dev_server(
    project: Path,
    *,
    command: Sequence[str] = ("node", str(VITE), "--port", "0"),
    state: Path | None = None,
    arguments: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[DevServer]:
    """Run `vite`, or another `command`, for `project` on a free port; its companion has a state folder of its own."""
    state = state or project / ".state"
    process = await asyncio.create_subprocess_exec(
        *command,
        *arguments,
        cwd=project,
        env={
            **os.environ,
            "PAGESIDE_PROJECT": str(project),
            "PAGESIDE_STATE_DIR": str(state),
            "PAGESIDE_PORT": "0",
            "PAGESIDE_CHROME": "off",
            "VIRTUAL_ENV": str(await asyncio.to_thread(companions)),
            "NO_COLOR": "1",
            **(environment or {}),
        },
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    server = DevServer(process, project, state)
    try:
        server.url = (await server.printed(_URL)).group(1)
        yield server
    finally:
        await server.stop()


def edit(file: Path, old: str, new: str) -> None:
    """Replace the one place where `old` stands."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file.name}"
    save(file, text.replace(old, new))


def save(file: Path, text: str) -> None:
    """Put it there at once, as editors do: who reads meanwhile finds the old text, never none."""
    written = WORKSPACE / f"{file.name}-{secrets.token_hex(4)}"
    written.write_text(text, "utf-8")
    written.replace(file)


def place(file: Path, marker: str) -> tuple[int, int]:
    """(line, column), 1-based, of the `<` that opens the tag in which `marker` stands."""
    text = file.read_text("utf-8")
    assert text.count(marker) == 1, f"{marker!r} stands {text.count(marker)} times in {file.name}"
    start = text.rindex("<", 0, text.index(marker) + 1)
    before = text[:start]
    return before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1
