"""MCP servers behind one method: do these steps, say how long the calls took and what came back."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from asyncio import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mcp_types as t
import psutil
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from bench import peers
from bench.browsers import browser
from bench.cdp import Page, Wire, attach, targets, wire
from pageside.settings import ALIASES, VARIABLES, Settings
from support.serve import Served, arguments, ready

Step = tuple[str, dict[str, Any]]
CALL_SECONDS = 60.0
RAW, HTTP, STDIO = "raw CDP", "Pageside (HTTP)", "Pageside (stdio)"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a server says things: its first steps, and how its texts name elements, requests and tabs."""

    name: str
    navigate: str
    snapshot: Step
    list_tabs: Step
    names: Mapping[str, str]
    """Regular expressions of references by kind, with {} for what is named."""


_LISTED = {"request": r"reqid=(\d+) \w+ \S*{}\s", "tab": r"(?m)^(\d+):[^\n]*{}"}
PAGESIDE = Dialect(
    "pageside",
    "chrome_navigate_page",
    ("chrome_take_snapshot", {"maxChars": 400_000}),
    ("chrome_list_pages", {}),
    {"element": "uid=(\\S+) {}", **_LISTED},
)
DEVTOOLS = Dialect(
    "chrome-devtools-mcp",
    "navigate_page",
    ("take_snapshot", {}),
    ("list_pages", {}),
    {"element": "uid=(\\S+) {}", **_LISTED},
)
PLAYWRIGHT = Dialect(
    "@playwright/mcp",
    "browser_navigate",
    ("browser_snapshot", {}),
    ("browser_tabs", {"action": "list"}),
    {
        "element": r"{}[^\n]*?\[ref=(\w+)\]",
        "request": r"(\d+)\. \[GET\] \S*{}\s",
        "tab": r"(?m)^- (\d+):[^\n]*{}",
    },
)


@dataclass(slots=True)
class Answer:
    """What came of some steps, together."""

    ms: float = 0.0
    text: str = ""
    images: list[str] = field(default_factory=list)
    """base64."""
    failed: bool = False

    def add(self, ms: float, result: t.CallToolResult) -> None:
        self.ms += ms
        self.failed = self.failed or bool(result.is_error)
        for block in result.content:
            if isinstance(block, t.TextContent):
                self.text += block.text + "\n"
            elif isinstance(block, t.ImageContent):
                self.images.append(block.data)


class NoReference(Exception):
    """A text that should name something does not."""


class Server:
    """One MCP server with a browser of its own, and a witness with a connection of its own."""

    def __init__(self, name: str, dialect: Dialect, client: Client, port: int, pid: int) -> None:
        self.name, self.dialect, self.port, self.pid = name, dialect, port, pid
        self.tools: list[dict[str, Any]] = []
        self._client = client
        self._texts: dict[str, str] = {}
        self._scoped: set[str] = set()
        self._tab: int | None = None

    async def begin(self) -> None:
        """Learn its tools, and the number of its tab where calls must name one."""
        for tool in (await self._client.list_tools()).tools:
            self.tools.append(tool.model_dump(by_alias=True, exclude_none=True, mode="json"))
            if "pageId" in tool.input_schema.get("required", ()):
                self._scoped.add(tool.name)
        self._scoped -= {"select_page", "close_page", "chrome_select_page", "chrome_close_page"}
        if self._scoped:
            answer = await self.do([self.dialect.list_tabs])
            self._tab = int(self.reference("tab", "", answer.text))

    async def do(self, steps: Sequence[Step], values: Mapping[str, str] | None = None) -> Answer:
        """Call one after the other; '@kind:what' in arguments is looked up in what was told before."""
        answer = Answer()
        for tool, given in steps:
            args = self._filled(given, values or {})
            if tool in self._scoped and self._tab is not None:
                args["pageId"] = self._tab
            said = len(answer.text)
            await self._call(tool, args, answer)
            self._remember(answer.text[said:])
        return answer

    async def _call(self, tool: str, args: dict[str, Any], answer: Answer) -> None:
        start = time.perf_counter()
        try:
            result = await self._client.call_tool(tool, args)
        except MCPError as error:
            # Such as no answer within the time limit: that is a result, too.
            answer.failed = True
            answer.text += f"{error}\n"
            answer.ms += (time.perf_counter() - start) * 1000
            return
        assert isinstance(result, t.CallToolResult)
        answer.add((time.perf_counter() - start) * 1000, result)

    def _remember(self, text: str) -> None:
        for kind, pattern in self.dialect.names.items():
            if re.search(pattern.format(""), text):
                self._texts[kind] = text

    def _filled(self, given: Any, values: Mapping[str, str]) -> Any:
        if isinstance(given, dict):
            return {key: self._filled(value, values) for key, value in given.items()}
        if isinstance(given, list):
            return [self._filled(each, values) for each in given]
        if not isinstance(given, str):
            return given
        if given.startswith("$"):
            return values[given[1:]]
        if not given.startswith("@"):
            return given
        kind, _, what = given[1:].partition(":")
        found = self.reference(kind, values.get(what, what), self._texts.get(kind, ""))
        return found if kind == "element" else int(found)

    def reference(self, kind: str, what: str, text: str) -> str:
        """What stands for that in its tools' arguments; raises `NoReference`."""
        found = re.search(self.dialect.names[kind].format(re.escape(what)), text)
        if found is None:
            raise NoReference(f"{self.name} names no {kind} {what!r} in:\n{text[:2000]}")
        return found[1]

    def memory(self) -> int:
        """Resident bytes of its processes; not of its browser."""
        process = psutil.Process(self.pid)
        total = 0
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                total += each.memory_info().rss
        return total

    def tool_tokens(self) -> int:
        """What its list of tools costs an agent."""
        return len(json.dumps(self.tools, separators=(",", ":"), ensure_ascii=False)) // 4


@dataclass(slots=True)
class Stand:
    """A server, or nothing but a wire (raw), with its browser and who watches it."""

    name: str
    port: int
    observer: Wire
    server: Server | None
    raw: Page | None
    witness: Page

    async def watch(self, url: str) -> None:
        """The witness goes to the tab that shows `url` now."""
        showing = [each["targetId"] for each in await targets(self.observer) if url in each["url"]]
        if self.witness.target not in showing:
            self.witness = await attach(self.observer, url)
        await self.witness("Page.enable")


def _environment(port: int) -> dict[str, str]:
    # Installed programs find their byte code, and so do ours here.
    others = {"PYTHONDONTWRITEBYTECODE", *VARIABLES, *ALIASES}
    own = {name: value for name, value in os.environ.items() if name not in others}
    return own | {
        "CHROME_DEBUG_PORT": str(port),
        "CHROME_AUTO_LAUNCH": "false",
        "CONSOLE_BUFFER_SIZE": "1000",
        "NETWORK_BUFFER_SIZE": "300",
        "PAGESIDE_PORT": "0",
        "PAGESIDE_TAB_PORT": "off",
        "PAGESIDE_SCRIPT_ORIGINS": "*",
        "PYTHONUNBUFFERED": "1",
        # Peers say less about themselves then.
        "CI": "1",
    }


def _settings(folder: Path) -> Settings:
    project = folder / "project"
    project.mkdir(exist_ok=True)
    return Settings(project, 0, folder / "state")


@asynccontextmanager
async def over_stdio(name: str, port: int, folder: Path, toolsets: str = "chrome") -> AsyncIterator[Server]:
    """A server that is spoken to over stdin and stdout: ours or a peer's."""
    dialect = {each.name: each for each in (DEVTOOLS, PLAYWRIGHT)}.get(name, PAGESIDE)
    command = peers.command(name, port) if dialect is not PAGESIDE else _own_command(folder, toolsets)
    parameters = StdioServerParameters(
        command=command[0], args=command[1:], env=_environment(port), cwd=str(folder)
    )
    before = {child.pid for child in psutil.Process().children()}
    with (folder / "errors.txt").open("a") as errors:
        async with Client(
            stdio_client(parameters, errlog=errors), mode="legacy", read_timeout_seconds=CALL_SECONDS
        ) as client:
            started = [child.pid for child in psutil.Process().children() if child.pid not in before]
            yield Server(name, dialect, client, port, started[0])


def _own_command(folder: Path, toolsets: str) -> list[str]:
    settings = _settings(folder)
    flags = ("--project", str(settings.project), "--state-dir", str(settings.state), "--toolsets", toolsets)
    return [sys.executable, "-m", "pageside", "stdio", *flags]


@asynccontextmanager
async def over_http(port: int, folder: Path, toolsets: str = "chrome") -> AsyncIterator[Server]:
    """Ours at its HTTP endpoint."""
    settings = _settings(folder)
    with (folder / "errors.txt").open("a") as errors:
        process = await subprocess.create_subprocess_exec(
            *(sys.executable, "-m", "pageside", *arguments(settings)),
            stdout=subprocess.PIPE,
            stderr=errors,
            env=_environment(port),
        )
    try:
        assert process.stdout is not None
        served = await ready(Served(settings, process.pid), process.stdout)
        url = f"{served.mcp_url}?toolsets={toolsets}"
        async with Client(url, mode="legacy", read_timeout_seconds=CALL_SECONDS) as client:
            yield Server(HTTP, PAGESIDE, client, port, process.pid)
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def served(name: str, port: int, folder: Path, toolsets: str = "chrome") -> AsyncIterator[Server]:
    """Any of them by its name."""
    folder.mkdir(parents=True, exist_ok=True)
    opening = over_http(port, folder, toolsets) if name == HTTP else over_stdio(name, port, folder, toolsets)
    async with opening as server:
        await server.begin()
        yield server


@asynccontextmanager
async def stand(name: str, folder: Path) -> AsyncIterator[Stand]:
    """One of the compared, ready."""
    async with browser() as port, wire(port) as observer:
        witness = await attach(observer)
        if name == RAW:
            async with wire(port) as own:
                page = await attach(own)
                for domain in ("Page", "Runtime", "Network"):
                    await page(f"{domain}.enable")
                yield Stand(name, port, observer, None, page, witness)
        else:
            async with served(name, port, folder) as server:
                yield Stand(name, port, observer, server, None, witness)
