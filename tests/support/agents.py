"""Real MCP clients, as agents use them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import mcp_types as t
from mcp import Client

Era = Literal["legacy", "auto"]
ERAS: tuple[Era, ...] = ("legacy", "auto")
"""`legacy` shakes hands (2025-11-25), `auto` finds 2026-07-28."""


@asynccontextmanager
async def agent(url: str, name: str = "Agent", era: Era = "legacy") -> AsyncIterator[Client]:
    """The Python SDK's client, connected."""
    info = t.Implementation(name=name, version="1")
    async with Client(url, client_info=info, mode=era, read_timeout_seconds=30) as client:
        yield client


async def call(client: Client, name: str, **args: Any) -> dict[str, Any]:
    """The structured content of a tool call that must succeed."""
    result = await client.call_tool(name, args)
    assert not result.is_error, text(result)
    data: dict[str, Any] | None = result.structured_content
    assert data is not None
    return data


async def fails(client: Client, name: str, **args: Any) -> dict[str, Any]:
    """The error of a tool call that must fail: `{"code", "message", "fix", "data"?}`."""
    result = await client.call_tool(name, args)
    assert result.is_error, result
    error: dict[str, Any] = (result.meta or {})["pageside/error"]
    assert text(result).startswith(f"{error['code']}: ")
    assert error["fix"] in text(result)
    return error


def text(result: t.CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, t.TextContent))
