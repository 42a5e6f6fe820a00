"""Pageside as users have it: a wheel in a virtual environment, far from the checkout, without Node."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import mcp_types as t
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from pageside.contract import CHANNEL
from pageside.settings import ChromeSettings, Settings
from release import version_of
from support.agents import DEFAULT_TOOLS, call
from support.app import REPOSITORY
from support.serve import Running, environment, started

_BIN = "Scripts" if os.name == "nt" else "bin"
_OWN_PATHS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONWARNINGS")


def ran(*command: str | Path, cwd: Path, variables: Mapping[str, str] | None = None) -> str:
    """What it printed; fails with all that it said when it fails."""
    words = [str(each) for each in command]
    done = subprocess.run(
        words, cwd=cwd, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@dataclass(frozen=True, slots=True)
class Installed:
    """How `pageside` is started, and in which folder all of this happens."""

    command: tuple[str, ...]
    folder: Path
    path: str
    """The whole PATH; there is no Node on it."""
    more: Mapping[str, str] = field(default_factory=dict)
    """Other variables."""

    def variables(self) -> dict[str, str]:
        """Nothing of the checkout, and of this test's own Python."""
        ours = {name: value for name, value in environment().items() if name not in _OWN_PATHS}
        own = {"PATH": self.path, "PAGESIDE_STATE_DIR": str(self.folder / "state"), "PAGESIDE_PORT": "0"}
        return {**ours, **own, **self.more}

    def settings(self) -> Settings:
        """Of a project next to it."""
        project = self.folder / "shop"
        project.mkdir(exist_ok=True)
        chrome = ChromeSettings(enabled=False)
        return Settings(project=project, port=0, state=self.folder / "state", chrome=chrome)

    def says(self, *words: str) -> str:
        """What that command prints, told to end by itself."""
        return ran(*self.command, *words, cwd=self.folder, variables=self.variables())

    @asynccontextmanager
    async def serves(self) -> AsyncIterator[Running]:
        """Its companion, listening."""
        variables = self.variables()
        async with started(self.command, self.settings(), variables, cwd=self.folder) as running:
            try:
                yield running
            finally:
                # uvx stays its parent: killed, it would leave the companion behind.
                await running.end()

    @asynccontextmanager
    async def agent(self) -> AsyncIterator[Client]:
        """A real MCP client on the bridge, which runs a companion by itself."""
        command, *first = self.command
        words = [*first, "stdio", "--project", str(self.settings().project)]
        parameters = StdioServerParameters(
            command=command, args=words, env=self.variables(), cwd=str(self.folder)
        )
        info = t.Implementation(name="Agent", version="1")
        async with Client(stdio_client(parameters), client_info=info, read_timeout_seconds=60) as client:
            yield client


def virtual_environment(folder: Path) -> tuple[Path, Path]:
    """A new one without pip: its Python, and where packages go."""
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / _BIN / ("python.exe" if os.name == "nt" else "python")
    where = ran(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    return python, Path(where.strip())


def install(python: Path, *words: str | Path) -> None:
    """`pip install` into the environment of that Python."""
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "-q", "--disable-pip-version-check")
    ran(*pip, *words, cwd=python.parent)


def installed(folder: Path, wheel: Path, *, borrowed: bool) -> Installed:
    """The wheel with what it depends on; `borrowed`: from this test's environment, which takes no time."""
    python, packages = virtual_environment(folder)
    install(python, *(["--no-deps"] if borrowed else []), wheel)
    if borrowed:
        ours = ran(sys.executable, "-c", "import mcp; print(mcp.__path__[0])", cwd=folder)
        (packages / "borrowed.pth").write_text(f"{Path(ours.strip()).parent}\n")
    program = python.with_name("pageside.exe" if os.name == "nt" else "pageside")
    return Installed((str(program),), folder, str(python.parent))


def check_commands(pageside: Installed) -> None:
    """It is this version, has all tools, the skill, and an extension that Chrome can load."""
    assert pageside.says("version").strip() == version_of(REPOSITORY)
    listed = [line.split()[0] for line in pageside.says("tools").splitlines()]
    assert set(DEFAULT_TOOLS) < set(listed)
    source = REPOSITORY / "companion" / "pageside" / "skill" / "SKILL.md"
    assert pageside.says("skill") == source.read_text("utf-8")
    extension = Path(pageside.says("extension").splitlines()[0])
    assert not extension.is_relative_to(REPOSITORY)
    assert json.loads((extension / "manifest.json").read_text())["version"] == version_of(REPOSITORY)


async def check_server(pageside: Installed) -> None:
    """The companion is there with its page script and its console, which has its own script and style."""
    prefix, routes, console = CHANNEL["prefix"], CHANNEL["routes"], CHANNEL["console"]
    async with pageside.serves() as running, aiohttp.ClientSession(running.url) as http:
        async with http.get(prefix + routes["health"]) as health:
            assert health.status == 200
        token = {CHANNEL["headers"]["pageToken"]: running.page_token}
        async with http.get(prefix + routes["client"], headers=token) as script:
            assert script.status == 200
            assert (await script.text()).rstrip().startswith(("const", "import", "var", "let", "/*", "("))
        for name in ("page", "script", "style"):
            async with http.get(prefix + console[name]) as answer:
                assert (answer.status, bool(await answer.text())) == (200, True), name


async def check_agent(pageside: Installed) -> None:
    """An agent gets its tools and an answer."""
    async with pageside.agent() as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == DEFAULT_TOOLS
        assert (await call(client, "list_inspections"))["total"] == 0
