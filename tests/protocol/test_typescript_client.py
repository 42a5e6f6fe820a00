"""The second line of the TypeScript SDK's client, as an agent."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from pageside.web.app import Companion
from support.agents import DEFAULT_TOOLS

SCRIPT = Path(__file__).parents[1] / "support" / "modern_agent.mjs"


@pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
async def test_it_negotiates_the_revision_and_uses_the_tools(
    companion: Companion, mode: str, revision: str
) -> None:
    process = await asyncio.create_subprocess_exec("node", str(SCRIPT), companion.mcp_url, mode, stdout=PIPE)
    try:
        async with asyncio.timeout(20):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    answer = json.loads(output)
    assert process.returncode == 0
    assert answer["revision"] == revision
    assert answer["tools"] == DEFAULT_TOOLS
    assert answer["inspections"]["total"] == 0
