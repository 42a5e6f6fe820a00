"""Real MCP clients, as agents use them."""

from __future__ import annotations

import asyncio
import functools
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import httpx2
import mcp_types as t
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import MCP_DEFAULT_SSE_READ_TIMEOUT, MCP_DEFAULT_TIMEOUT

from pageside.settings import Settings
from pageside.toolsets.element import ELEMENT
from pageside.toolsets.inspector import INSPECTOR
from pageside.web.app import Companion
from support import app
from support.serve import environment

DEFAULT_TOOLS = [tool.name for each in (INSPECTOR, ELEMENT) for tool in each.tools]
"""What an agent gets that names no toolsets."""

Era = Literal["legacy", "auto"]
ERAS: tuple[Era, ...] = ("legacy", "auto")
"""`legacy` shakes hands (2025-11-25), `auto` finds 2026-07-28."""


HttpTransport = Literal["http", "sse"]
Transport = Literal["http", "sse", "stdio"]
TRANSPORTS: tuple[Transport, ...] = ("http", "sse", "stdio")


@asynccontextmanager
async def agent(
    url: str,
    name: str = "Agent",
    era: Era = "legacy",
    *,
    transport: HttpTransport = "http",
    query: str = "",
) -> AsyncIterator[Client]:
    """The Python SDK's client, connected; `query` is added to the URL."""
    info = t.Implementation(name=name, version="1")
    # The SDK's own defaults otherwise; each of its clients would load the certificates of all authorities (40 ms).
    timeout = httpx2.Timeout(MCP_DEFAULT_TIMEOUT, read=MCP_DEFAULT_SSE_READ_TIMEOUT)
    async with httpx2.AsyncClient(timeout=timeout, verify=_without_authorities()) as http:
        over_http = streamable_http_client(f"{url}{query}", http_client=http)
        server = over_http if transport == "http" else sse_client(f"{url}/sse{query}")
        async with Client(server, client_info=info, mode=era, read_timeout_seconds=30) as client:
            yield client


@functools.cache
def _without_authorities() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def stdio_arguments(settings: Settings, *flags: str) -> list[str]:
    """Python's arguments for a `pageside stdio` of that project."""
    folders = ("--project", str(settings.project), "--state-dir", str(settings.state))
    return ["-m", "pageside", "stdio", *folders, *flags]


def stdio_environment() -> dict[str, str]:
    """A companion that it runs takes any free port."""
    return environment() | {"PAGESIDE_PORT": "0"}


@asynccontextmanager
async def stdio_agent(
    settings: Settings,
    name: str = "Agent",
    era: Era = "legacy",
    *flags: str,
    variables: Mapping[str, str] | None = None,
) -> AsyncIterator[Client]:
    """The Python SDK's client with a `pageside stdio` process of its own; `variables` are its environment's."""
    info = t.Implementation(name=name, version="1")
    arguments = stdio_arguments(settings, *flags)
    python = await asyncio.to_thread(app.companions) / "bin" / "python"
    server = stdio_client(
        StdioServerParameters(
            command=str(python), args=arguments, env=stdio_environment() | dict(variables or {})
        )
    )
    async with Client(server, client_info=info, mode=era, read_timeout_seconds=30) as client:
        yield client


@asynccontextmanager
async def agent_over(
    transport: Transport, companion: Companion, name: str = "Agent", *, client_id: str = ""
) -> AsyncIterator[Client]:
    """The Python SDK's client, connected with this companion."""
    if transport == "stdio":
        flags = ("--client-id", client_id) if client_id else ()
        async with stdio_agent(companion.settings, name, "legacy", *flags) as client:
            yield client
    else:
        query = f"?clientId={client_id}" if client_id else ""
        async with agent(companion.mcp_url, name, transport=transport, query=query) as client:
            yield client


async def call(client: Client, name: str, /, **args: Any) -> dict[str, Any]:
    """The structured content of a tool call that must succeed."""
    result = await client.call_tool(name, args)
    assert not result.is_error, text(result)
    data: dict[str, Any] | None = result.structured_content
    assert data is not None
    return data


async def fails(client: Client, name: str, /, **args: Any) -> dict[str, Any]:
    """The error of a tool call that must fail: `{"code", "message", "fix", "data"?}`."""
    result = await client.call_tool(name, args)
    assert result.is_error, result
    error: dict[str, Any] = (result.meta or {})["pageside/error"]
    assert text(result).startswith(f"{error['code']}: ")
    assert error["fix"] in text(result)
    return error


async def delete_inspections(url: str) -> None:
    """Empty the queue of the companion with that MCP URL."""
    async with agent(url, "Cleaner") as client:
        while left := (await call(client, "list_inspections"))["inspections"]:
            for each in left:
                await call(client, "update_inspection_status", inspectionId=each["id"], status="deleted")


def text(result: t.CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, t.TextContent))


class TypeScriptAgent:
    """The TypeScript SDK's client (npm) in a Node process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def call(self, name: str, **args: Any) -> dict[str, Any]:
        """The structured content of a tool call that must succeed."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"tool": name, "args": args}).encode() + b"\n")
        await self._process.stdin.drain()
        answer = await self._line()
        assert "structuredContent" in answer, answer
        assert not answer.get("isError"), answer
        data: dict[str, Any] = answer["structuredContent"]
        return data

    async def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), 60)
        answer: dict[str, Any] = json.loads(line)
        return answer


@asynccontextmanager
async def typescript_agent(url: str, name: str) -> AsyncIterator[TypeScriptAgent]:
    """The TypeScript SDK's client, connected."""
    script = Path(__file__).with_name("agent.mjs")
    process = await asyncio.create_subprocess_exec(
        "node",
        str(script),
        url,
        name,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=16 * 1024 * 1024,
    )
    wrapped = TypeScriptAgent(process)
    try:
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), 20) == b'{"ready":true}\n'
        yield wrapped
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await asyncio.wait_for(process.wait(), 10)


class PythonAgent:
    """The Python SDK's client behind the same two methods."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, name: str, **args: Any) -> dict[str, Any]:
        return await call(self.client, name, **args)


@asynccontextmanager
async def python_agent(url: str, name: str) -> AsyncIterator[PythonAgent]:
    """The Python SDK's client, connected."""
    async with agent(url, name) as client:
        yield PythonAgent(client)
