"""The edit loop: how long after a save the agent knows what became of it, beside the moment the page shows it.

The floor is the page itself: a script in it that waits for the new text. A fixed wait, as agents without a verdict
need one, is measured in the same rounds.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Awaitable
from typing import Any

from mcp import Client
from playwright.async_api import Page, async_playwright

from support import chromium
from support.agents import agent, call
from support.app import DevServer, copy_example, dev_server, edit

SHOWN = "text => document.querySelector('h1')?.textContent === text"
FIXED_SECONDS = 2


FLOOR = "the page shows it"


async def measure(rounds: int) -> dict[str, list[float]]:
    """Times in ms after a save, by what was waited for."""
    async with async_playwright() as playwright, dev_server(copy_example("vite-react")) as server:
        browser = await playwright.chromium.launch(
            executable_path=chromium.find(), args=[*chromium.flags(), "--headless=new"]
        )
        page = await browser.new_page()
        async with page.expect_response(lambda response: response.url.endswith("/page/connect")):
            await page.goto(server.url)
        async with agent(await server.mcp_url(), query="?toolsets=inspector,relay") as client:
            times = await _measured(server, page, client, rounds)
        await browser.close()
    return times


async def _measured(server: DevServer, page: Page, client: Client, rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {FLOOR: [], "wait_for_update": [], "wait_and_check": []}
    text, file = await page.locator("h1").text_content() or "", server.project / "src" / "App.tsx"
    for number in range(-2, rounds):
        for name, args in (("wait_for_update", {}), ("wait_and_check", {"seconds": FIXED_SECONDS})):
            after = f"Round {number} of {name}"
            start = time.perf_counter()
            edit(file, text, after)
            text = after
            shown, told = await asyncio.gather(
                _ms(start, page.wait_for_function(SHOWN, arg=text)), _ms(start, call(client, name, **args))
            )
            answer = told[1]
            verdict = answer.get("update", answer)
            assert verdict["status"] == "updated", json.dumps(answer)
            if number >= 0:
                times[name].append(told[0])
                times[FLOOR].append(shown[0])
    return times


async def _ms(start: float, done: Awaitable[Any]) -> tuple[float, Any]:
    result = await done
    return (time.perf_counter() - start) * 1000, result


def section(times: dict[str, list[float]]) -> str:
    """The part of docs/benchmarks.md, from its heading on."""
    floor = statistics.median(times[FLOOR])
    rows = [
        f"| {name} | {statistics.median(ms):.0f} | {max(ms):.0f} | {statistics.median(ms) / floor:.2f} |"
        for name, ms in times.items()
    ]
    lines = [
        "## Edit loop",
        "",
        f"How long after a save the agent knows what became of it, beside the moment the page shows it; "
        f"{len(times['wait_for_update'])} saves each.",
        f"`wait_and_check` is asked to wait {FIXED_SECONDS} s, as an agent without a verdict would.",
        "",
        "| after a save | median, ms | longest, ms | : the page |",
        "| --- | ---: | ---: | ---: |",
        *rows,
    ]
    return "\n".join(lines) + "\n"
