"""A tab of the extension and a tab of Chrome over CDP: an agent cannot tell which it has."""

from __future__ import annotations

import asyncio
import base64
import struct
from pathlib import Path
from typing import Any

import mcp_types as t
import pytest
from mcp import Client

from chrome.conftest import chrome_settings
from pageside.settings import Settings
from pageside.web.app import Companion
from support.agents import agent
from support.extension import Extension
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("click", {"selector": "#add"}),
    ("hover", {"selector": "#menu"}),
    ("click", {"selector": "#host >>> button"}),
    ("fill", {"selector": "[name=name]", "value": "Ada"}),
    ("fill", {"selector": "[name=news]", "value": "true"}),
    ("fill", {"selector": "[name=news]", "value": "maybe"}),
    ("fill", {"selector": "#box", "value": "x"}),
    ("select", {"selector": "[name=colour]", "value": "Green"}),
    ("select", {"selector": "[name=colour]", "value": "Blue"}),
    ("select", {"selector": "[name=name]", "value": "Blue"}),
    ("evaluate", {"code": "({said: said.textContent, colour: document.querySelector('select').value})"}),
    ("evaluate", {"code": "undefined"}),
    ("evaluate", {"code": "() => 1"}),
    ("evaluate", {"code": "const a = [1, NaN, document.body]; return a"}),
    ("evaluate", {"code": "throw new TypeError('out of lanterns')"}),
    ("evaluate", {"code": "not javascript"}),
    ("evaluate", {"code": "console.log('one'); console.warn('two', {a: 1}); 3"}),
    ("logs", {"max": 2}),
    ("click", {"selector": "#off"}),
    ("click", {"selector": "#none"}),
    ("click", {"selector": "["}),
    ("screenshot", {"name": "box", "selector": "#box"}),
    ("screenshot", {"name": "box", "selector": "#box", "width": 60, "height": 60}),
    ("screenshot", {"name": "none", "selector": "#none"}),
    ("navigate", {"url": "many.html"}),
    ("go_back", {}),
    ("go_forward", {}),
    ("go_forward", {}),
    ("navigate", {"url": "javascript:alert(1)"}),
    ("navigate", {"url": "http://127.0.0.1:9/"}),
    ("navigate", {"url": "any-tab.html"}),
    ("click", {"selector": "#far"}),
)
DIFFERS = ("note", "status", "timestamp")
"""Words; whether a document came from the back/forward cache; when it was."""


async def told(client: Client, tab: str, site: Site) -> list[tuple[str, dict[str, Any], Any]]:
    """What each step came to: its data, and the sizes of its pictures; or the error's code."""
    answers = []
    for tool, given in STEPS:
        url = given.get("url", "")
        there = {"url": site.url(url)} if url.endswith(".html") else {}
        result = await client.call_tool(f"kapturemcp_{tool}", {"tabId": tab, **given, **there})
        answers.append((tool, given, code(result) if result.is_error else shape(result)))
    return answers


def code(result: t.CallToolResult) -> str:
    return str((result.meta or {})["pageside/error"]["code"])


def shape(result: t.CallToolResult) -> tuple[object, list[tuple[int, int]]]:
    pictures = [each for each in result.content if isinstance(each, t.ImageContent)]
    sizes = [struct.unpack(">II", base64.b64decode(each.data)[16:24]) for each in pictures]
    return _same(result.structured_content), sizes


def _same(value: object) -> object:
    """Without what may differ."""
    if isinstance(value, list):
        return [_same(each) for each in value]
    if isinstance(value, dict):
        return {key: _same(each) for key, each in value.items() if key not in DIFFERS}
    return value


async def test_an_agent_cannot_tell_which_kind_of_tab_it_has(
    extension: Extension, site: Site, tmp_path: Path
) -> None:
    await asyncio.to_thread((tmp_path / "shop").mkdir)
    settings = Settings(
        project=tmp_path / "shop",
        port=0,
        state=tmp_path / "state",
        chrome=chrome_settings(),
        script_origins=("*",),
        tab_port=0,
    )
    companion = await Companion.start(settings)
    try:
        opened = await extension.open(site.url("any-tab.html"))
        assert companion.tab_port is not None
        connected = await opened.connect(companion.tab_port)
        await opened.allow_scripts()
        shown = await companion.world.chrome.new_tab(site.url("any-tab.html"))
        async with agent(companion.mcp_url, query="?toolsets=kapture") as client:
            of_extension, of_chrome = await asyncio.gather(
                told(client, connected, site), told(client, shown.id, site)
            )
        await opened.page.close()
    finally:
        await companion.stop()
    assert of_extension == of_chrome
    codes = {each for _, _, each in of_chrome if isinstance(each, str)}
    expected = {"ELEMENT_NOT_FOUND", "INVALID_SELECTOR", "EXECUTION_ERROR", "ELEMENT_NOT_READY"}
    assert codes == expected | {"INVALID_ARGUMENTS", "NAVIGATION_FAILED"}
