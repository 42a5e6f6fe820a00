"""An agent with the toolset `browser`, and what it does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as t
from mcp import Client

from pageside.web.app import Companion
from support.agents import agent, call, text

FORM = """<title>Form</title><label>Name <input id=name value=Ada></label><p id=plain>text</p>
<label>Size <select id=size><option>S<option>M</select></label>
<div id=edit contenteditable>Dear</div><input id=fixed readonly>
<input type=file id=file onclick="document.title = 'Chooser'">"""


@asynccontextmanager
async def using(running: Companion, url: str) -> AsyncIterator[Client]:
    """An agent with this toolset alone, and a tab of its own that shows `url`."""
    async with agent(running.mcp_url, query="?toolsets=browser") as client:
        opened = (await call(client, "browser_navigate", url=url, newTab=True))["tab"]
        yield client
    chrome = running.world.chrome
    for tab in await chrome.tabs():
        if tab.number == opened:
            await chrome.close_tab(tab.id)


async def does(client: Client, name: str, **args: object) -> tuple[dict[str, Any], t.ImageContent]:
    """The data, without the picture's scale, and the picture of an action."""
    result = await client.call_tool(f"browser_{name}", args)
    assert not result.is_error, text(result)
    (picture,) = [each for each in result.content if isinstance(each, t.ImageContent)]
    told = {key: each for key, each in (result.structured_content or {}).items() if key != "scale"}
    return told, picture


async def reads(client: Client, **args: object) -> str:
    result = await client.call_tool("browser_read_page", args)
    assert not result.is_error, text(result)
    return text(result)


async def finds(client: Client, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await call(client, "browser_find", query=query))["found"]
    return found


async def result_of(client: Client, code: str) -> Any:
    return (await call(client, "browser_execute_js", code=code))["result"]
