"""A companion that stands still, as in a laptop's sleep, and wakes again."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pageside.settings import Settings
from support.agents import agent, call
from support.page import WirePage
from support.serve import serving

ELEMENT = {"sourceInfo": {"file": "src/App.tsx", "line": 12, "column": 7}, "selector": "#buy"}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """It does nothing meanwhile; what is sent to it lies in its sockets."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


async def test_a_companion_that_stood_still_goes_on_with_its_pages_and_calls(settings: Settings) -> None:
    async with serving(settings) as served, WirePage(served) as page, agent(served.mcp_url) as client:
        pick = asyncio.create_task(call(client, "capture_element_context"))
        asked = await page.next_call()
        with stopped(served.pid):
            await asyncio.to_thread(os.waitid, os.P_PID, served.pid, os.WSTOPPED)
            clicked = asyncio.create_task(page.answer(asked, ELEMENT))
            listed = asyncio.create_task(call(client, "list_inspections"))
            # Both wait for an answer by now, and get none.
            _, waiting = await asyncio.wait([clicked, listed], timeout=0.5)
            assert waiting == {clicked, listed}
        assert await clicked == 204
        assert (await pick)["element"]["selector"] == "#buy"
        assert (await listed)["inspections"] == []
        note = await page.note("too close to the price")
        assert [item["id"] for item in (await call(client, "list_inspections"))["inspections"]] == [note]
