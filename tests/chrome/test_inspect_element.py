"""`inspect_element` as an agent uses it: over MCP, against a real Chromium."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as t
import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.shared.exceptions import MCPError

from pageside.contract import TOOLS
from pageside.web.app import Companion
from support.agents import agent, text
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

CARD = """<!doctype html><title>{}</title><style>
.card {{ width: 100px; height: 40px; padding: 8px; margin: 10px; color: red }}
p {{ color: blue }}
</style><p class=card>Hello there</p><button style='color: red'>Go</button>"""


@asynccontextmanager
async def inspecting(running: Companion) -> AsyncIterator[Client]:
    """An agent with this tool, and Chrome's to open tabs with."""
    async with agent(running.mcp_url, query="?toolsets=element,chrome") as connected:
        yield connected


async def inspected(client: Client, **args: object) -> tuple[dict[str, Any], list[t.ImageContent]]:
    result = await client.call_tool("inspect_element", args)
    assert not result.is_error, text(result)
    data = result.structured_content
    assert data is not None
    Draft202012Validator(TOOLS["inspect_element"]["outputSchema"]).validate(data)
    return data, [block for block in result.content if isinstance(block, t.ImageContent)]


async def test_an_element_is_told_with_its_picture(running: Companion, site: Site) -> None:
    async with inspecting(running) as client:
        await client.call_tool("chrome_new_page", {"url": site.page(CARD.format("One"))})
        data, images = await inspected(client, css_selector=".card")
        assert data["element"] == "p.card"
        assert data["box_model"]["margin"]["width"] - data["box_model"]["content"]["width"] == 36
        assert data["computed_styles"]["color"] == "rgb(255, 0, 0)"
        strongest, weaker = data["cascade_rules"][:2]
        assert (strongest["selector"], strongest["specificity"]) == (".card", "0,1,0")
        assert (weaker["selector"], weaker["overridden"]) == ("p", ["color"])
        assert strongest["source"].endswith(":2 (<style>)")
        assert data["untrusted"] is True
        [image] = images
        png = base64.b64decode(image.data)
        assert image.mime_type == "image/png"
        assert struct.unpack(">II", png[16:24]) == (data["picture"]["width"], data["picture"]["height"])


async def test_the_other_ways_to_name_it_and_less_of_it(running: Companion, site: Site) -> None:
    async with inspecting(running) as client:
        await client.call_tool("chrome_new_page", {"url": site.page(CARD.format("Two"))})
        data, images = await inspected(client, text="Hello there", properties=["color"], screenshot=False)
        assert (data["element"], images, "picture" in data) == ("p.card", [], False)
        assert data["computed_styles"] == {"color": "rgb(255, 0, 0)"}
        snapshot = text(await client.call_tool("chrome_take_snapshot", {}))
        uid = re.search(r"\b\d+_\d+\b", snapshot)
        assert uid is not None, snapshot
        by_uid, _ = await inspected(client, uid=uid[0], properties=["color"], screenshot=False)
        assert by_uid["computed_styles"] == {"color": "rgb(255, 0, 0)"}
        for wrong in ({}, {"css_selector": "p", "text": "Hello"}):
            result = await client.call_tool("inspect_element", wrong)
            assert "INVALID_ARGUMENTS" in text(result)
        missing = await client.call_tool("inspect_element", {"css_selector": "#nowhere"})
        assert missing.is_error
        assert "ELEMENT_NOT_FOUND" in text(missing)
        assert "#nowhere" in text(missing)


async def test_what_is_not_displayed_has_styles_but_no_picture(running: Companion, site: Site) -> None:
    async with inspecting(running) as client:
        html = "<!doctype html><p id=t hidden>x</p>"
        await client.call_tool("chrome_new_page", {"url": site.page(html)})
        data, images = await inspected(client, css_selector="#t", properties=["display"])
        assert (data["box_model"], data["picture"], images) == (None, None, [])
        assert data["why_no_picture"] == "p#t has display: none."
        assert data["cascade_rules"][0]["properties"] == {"display": "none"}


async def test_several_tabs_and_none_named_are_an_error_of_the_protocol(
    running: Companion, site: Site
) -> None:
    async with inspecting(running) as client:
        for title in ("Shop front", "Back office"):
            await client.call_tool("chrome_new_page", {"url": site.page(CARD.format(title))})
    async with agent(running.mcp_url, "Newcomer") as newcomer:
        with pytest.raises(MCPError) as caught:
            await newcomer.call_tool("inspect_element", {"css_selector": "p"})
        error = caught.value.error
        assert (error.code, error.message) == (-32603, "Multiple tabs found. Please specify target_title.")
        titles = {tab["title"] for tab in error.data["available_tabs"]}
        assert {"Shop front", "Back office"} <= titles
        assert all({"id", "title", "url"} <= set(tab) for tab in error.data["available_tabs"])
        assert error.data["code"] == "MULTIPLE_TABS"
        with pytest.raises(MCPError) as caught:
            await newcomer.call_tool("inspect_element", {"css_selector": "p", "target_title": "Nowhere"})
        assert caught.value.error.code == -32603
        assert caught.value.error.data["code"] == "TAB_NOT_FOUND"
        data, _ = await inspected(newcomer, css_selector="p", target_title="Back off", screenshot=False)
        assert data["element"] == "p.card"
