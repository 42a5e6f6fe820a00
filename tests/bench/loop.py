"""The edit loop: how long after a save the agent knows what became of it, beside the moment the page shows it.

The floor is the page itself: a script in it that waits for the new text. A fixed wait, as agents without a verdict
need one, is measured in the same rounds. Printed as a table; nothing is asserted.
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


async def loop(rounds: int) -> None:
    """Print the table."""
    async with async_playwright() as playwright, dev_server(copy_example("vite-react")) as server:
        browser = await playwright.chromium.launch(
            executable_path=chromium.find(), args=[*chromium.flags(), "--headless=new"]
        )
        page = await browser.new_page()
        async with page.expect_response(lambda response: response.url.endswith("/page/connect")):
            await page.goto(server.url)
        async with agent(await server.mcp_url(), query="?toolsets=inspector,relay") as client:
            _print(await _measured(server, page, client, rounds))
        await browser.close()


async def _measured(server: DevServer, page: Page, client: Client, rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"the page shows it": [], "wait_for_update": [], "wait_and_check": []}
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
                times["the page shows it"].append(shown[0])
    return times


async def _ms(start: float, done: Awaitable[Any]) -> tuple[float, Any]:
    result = await done
    return (time.perf_counter() - start) * 1000, result


def _print(times: dict[str, list[float]]) -> None:
    floor = statistics.median(times["the page shows it"])
    print(f"\n{'after a save, median (and worst)':<44}      ms   ratio   worst")
    for name, measured in times.items():
        median = statistics.median(measured)
        print(f"{name:<44} {median:>7.0f} {median / floor:>7.2f} {max(measured):>7.0f}")
