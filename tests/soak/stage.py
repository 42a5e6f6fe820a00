"""What a soak runs on: a companion in a process of its own, Vite, Chromium, agents, tabs and a console."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from mcp import Client
from playwright.async_api import BrowserContext, Page, async_playwright

from bench.browsers import FLAGS as BROWSER_FLAGS
from pageside.contract import CHANNEL
from pageside.settings import Settings
from support import chromium
from support.agents import agent, call
from support.app import DevServer, copy_example, dev_server
from support.browsing import does
from support.page import WirePage
from support.serve import Served, arguments, environment, ready
from support.sockets import free_ports
from support.tabs import WireTab, wire_tab

STILL, PASSING = "still.html", "passing.html"
TOOLS = "?toolsets=all&clientId="
_PLAIN = (
    "<!doctype html><html lang='en'><head><title>{0}</title></head><body><h1>This is {0}</h1></body></html>"
)


class Witness:
    """Asks `soak.companion` what its process holds."""

    def __init__(self, process: Process, answers: asyncio.StreamReader) -> None:
        self._process, self._answers = process, answers
        self._turn = asyncio.Lock()

    async def tasks(self) -> dict[str, Any]:
        """`{"tasks": {name: count}, "timers": count}`."""
        return await self._ask(signal.SIGUSR1)

    async def census(self) -> dict[str, int]:
        """How many objects there are of each class, and what they hold."""
        return await self._ask(signal.SIGUSR2)

    async def _ask(self, number: int) -> dict[str, Any]:
        async with self._turn, asyncio.timeout(60):
            self._process.send_signal(number)
            answer: dict[str, Any] = json.loads(await self._answers.readline())
        return answer


@dataclass(slots=True)
class Stage:
    """`pages` are reloaded, `still` is not. `places`: what stands for `@…` in arguments."""

    served: Served
    witness: Witness
    server: DevServer
    context: BrowserContext
    pages: list[Page]
    still: Page
    notes: WirePage
    agents: list[Client]
    places: dict[str, str]
    tab_port: int
    complaints: Path
    """What the companion wrote to its log."""


@asynccontextmanager
async def stage(folder: Path) -> AsyncIterator[Stage]:
    """All of it, running; everything ends with the block."""
    project = copy_example("vite-react")
    for name in (STILL, PASSING):
        (project / name).write_text(_PLAIN.format(name), "utf-8")
    settings = Settings(project=project, port=0, state=folder / "state")
    debugging, tab_port = free_ports(2)
    async with AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, project, ignore_errors=True)
        context = await stack.enter_async_context(_browser(folder / "profile", debugging))
        given = {"CHROME_DEBUG_PORT": str(debugging), "PAGESIDE_TAB_PORT": str(tab_port)}
        log = folder / "companion.log"
        served, witness = await stack.enter_async_context(_companion(settings, given, log))
        server = await stack.enter_async_context(dev_server(project, state=settings.state))
        await server.companion()
        paths = ("?page=a", "?page=b", STILL)
        pages = [await _opened(context, server.url + path) for path in paths]
        await _console(context, served)
        notes = await stack.enter_async_context(WirePage(served, server.url + "?notes", "Notes", joins=False))
        notes.visible = False
        await notes.open()
        tab = await stack.enter_async_context(
            wire_tab(tab_port, "soak-wire", url="http://wire/", title="Wire")
        )
        serving = asyncio.create_task(tab.serve(wire_answer))
        stack.callback(serving.cancel)
        agents = [
            await stack.enter_async_context(
                agent(served.mcp_url, "Shakes", "legacy", query=f"{TOOLS}legacy")
            ),
            await stack.enter_async_context(agent(served.mcp_url, "Finds", "auto", query=f"{TOOLS}modern")),
        ]
        places = {"@still": STILL, "@wire": tab.id, "@cdp": await _tab_of(agents[0], STILL)}
        for client, page in zip(agents, paths, strict=False):
            await does(client, "select_page", pageId=page)
        yield Stage(
            *(served, witness, server, context, pages[:2], pages[2], notes, agents, places, tab_port, log)
        )


def wire_answer(command: dict[str, Any]) -> dict[str, Any]:
    """What the tab of the tab socket answers to any command that the mix has for it."""
    if command["command"].endswith("evaluate"):
        return {"result": "wire"}
    return {"success": True, "element": "input", "url": "http://wire/", "value": "wire"}


@asynccontextmanager
async def _browser(profile: Path, port: int) -> AsyncIterator[BrowserContext]:
    flags = [flag for flag in BROWSER_FLAGS if not flag.startswith("--remote-debugging-port")]
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium.find(),
            args=[*flags, *chromium.flags(), f"--remote-debugging-port={port}"],
        )
        yield context
        await context.close()


@asynccontextmanager
async def _companion(
    settings: Settings, given: dict[str, str], log: Path
) -> AsyncIterator[tuple[Served, Witness]]:
    reading, writing = os.pipe()
    variables = {**environment(), "PAGESIDE_CHROME": "on", "CHROME_AUTO_LAUNCH": "false", **given}
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "soak.companion", str(writing), *arguments(settings)),
            stdout=PIPE,
            stderr=errors,
            env=variables,
            pass_fds=(writing,),
        )
    os.close(writing)
    try:
        assert process.stdout is not None
        served = await ready(Served(settings, process.pid), process.stdout)
        yield served, Witness(process, await _reader(reading))
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def _reader(descriptor: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=2**24)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb"))
    return reader


async def _opened(context: BrowserContext, url: str) -> Page:
    page = await context.new_page()
    async with page.expect_response(lambda response: response.url.endswith("/page/connect")):
        await page.goto(url)
    return page


async def _console(context: BrowserContext, served: Served) -> Page:
    """The web console, open all the time."""
    path, headers = CHANNEL["prefix"] + CHANNEL["console"]["link"], _bearer(served)
    async with (
        aiohttp.ClientSession(served.url, headers=headers) as http,
        http.post(path, json={}, raise_for_status=True) as response,
    ):
        link = (await response.json())["url"]
    page = await context.new_page()
    await page.goto(link)
    await page.get_by_role("region", name="Companion").wait_for()
    return page


def _bearer(served: Served) -> dict[str, str]:
    return {"Authorization": f"Bearer {served.entry['agentToken']}"}


async def _tab_of(client: Client, url_part: str) -> str:
    """The id of the tab over CDP that shows that."""
    listed = (await call(client, "kapturemcp_list_tabs"))["tabs"]
    return next(str(tab["tabId"]) for tab in listed if url_part in tab["url"])


__all__ = ["PASSING", "STILL", "TOOLS", "Stage", "WireTab", "Witness", "stage", "wire_answer"]
