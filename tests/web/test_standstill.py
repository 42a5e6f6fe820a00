"""A companion that stands still, as in a laptop's sleep, and wakes again."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pageside.settings import Settings
from support.agents import agent, call
from support.hurried import LIMIT_MS
from support.page import WirePage
from support.serve import environment, started

ELEMENT = {"sourceInfo": {"file": "src/App.tsx", "line": 12, "column": 7}, "selector": "#buy"}
CALLS = 8
STILL_SECONDS = LIMIT_MS / 1000 + 1

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
    """It stands still for longer than pings, the grace time of a page and the time limit of a call."""
    hurried = [sys.executable, "-P", str(Path(__file__).parents[1] / "support" / "hurried.py")]
    async with (
        started(hurried, settings, environment()) as served,
        WirePage(served) as page,
        WirePage(served) as other,
        agent(served.mcp_url) as client,
    ):
        pick = asyncio.create_task(call(client, "capture_element_context", page=page.id))
        picking = await page.next_call()
        infos = [asyncio.create_task(call(client, "get_page_info", page=page.id)) for _ in range(CALLS)]
        asked = [await page.next_call() for _ in infos]
        await other.drop_stream()
        with stopped(served.pid):
            await asyncio.to_thread(os.waitid, os.P_PID, served.pid, os.WSTOPPED)
            answers = [
                page.answer(picking, ELEMENT),
                *(page.answer(each, {"title": "Shop"}) for each in asked),
            ]
            sent = [asyncio.create_task(answer) for answer in answers]
            listed = asyncio.create_task(call(client, "list_inspections"))
            back = asyncio.create_task(other.open())
            # All of them wait for it by now, and get nothing.
            ended, _ = await asyncio.wait([*sent, listed, back, *infos, pick], timeout=STILL_SECONDS)
            assert ended == set()
        assert await asyncio.gather(*sent) == [204] * len(sent)
        assert (await pick)["element"]["selector"] == "#buy"
        assert [(await info)["info"]["title"] for info in infos] == ["Shop"] * CALLS
        assert (await listed)["inspections"] == []
        assert (await back)["results"] == []
        note = await page.note("too close to the price")
        assert [item["id"] for item in (await call(client, "list_inspections"))["inspections"]] == [note]
