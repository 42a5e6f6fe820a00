"""An agent that uses Chrome's tools over MCP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as t
from mcp import Client

from pageside.web.app import Companion
from support.agents import agent, fails, text


@asynccontextmanager
async def browsing(running: Companion) -> AsyncIterator[Client]:
    """An agent with all tools and a tab of its own."""
    async with agent(running.mcp_url, query="?toolsets=all") as connected:
        await does(connected, "new_page", url="about:blank")
        yield connected


async def does(client: Client, name: str, **args: object) -> str:
    """The text of a Chrome tool's answer."""
    result = await client.call_tool(f"chrome_{name}", args)
    assert not result.is_error, text(result)
    return text(result)


async def pictures(client: Client, name: str, **args: object) -> list[t.ImageContent]:
    """The pictures of a Chrome tool's answer."""
    result = await client.call_tool(f"chrome_{name}", args)
    assert not result.is_error, text(result)
    return [block for block in result.content if isinstance(block, t.ImageContent)]


async def refused(client: Client, name: str, **args: object) -> dict[str, Any]:
    """The error of a Chrome tool's answer."""
    return await fails(client, f"chrome_{name}", **args)


def uids(seen: str) -> dict[str, str]:
    """Names → uids of a snapshot."""
    rows = [line for line in seen.split("\n") if '"' in line and "uid=" in line]
    return {row.split('"')[1]: row.split()[0].removeprefix("uid=") for row in rows}
