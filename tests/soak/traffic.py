"""What happens all the time during a soak; each thing that is done is kept with its time and its error."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio
import mcp_types as t
from mcp import Client, MCPError
from playwright.async_api import Page

from soak.mix import LEAVES, LEFT, MIX, Ask, filled
from soak.stage import PASSING, STILL, TOOLS, Stage, wire_answer
from soak.verdict import Done
from support.agents import ERAS, HttpTransport, agent, call, text
from support.app import edit
from support.overlay import Overlay
from support.tabs import wire_tab

CALLS_PER_SECOND = 5
RELOADS_PER_MINUTE = 50
AROUND_SECONDS = 10.0
"""An edit, a tab, a session: one of each in that time."""
NOTE_SECONDS = 2.0
KEPT_NOTES = 20
MOST_AT_ONCE = 100
LOOK_AT = 0.9
"""Of each part."""
LOOKS = 3
"""How often each call is made then; the median counts."""
CLIENT_LEAVES = (anyio.BrokenResourceError, anyio.ClosedResourceError)
"""The SDK's client may stumble over a last event when it is closed."""
HEADINGS = ("What’s for lunch?", "What is for lunch?")


class Traffic:
    """Runs from `run` until that is cancelled."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.done: list[Done] = []
        self.began = time.monotonic()
        self.alone: list[tuple[float, dict[str, float]]] = []
        """Of each look: when, and its measures."""
        self._may_begin = asyncio.Event()
        self._may_begin.set()
        self._paused = 0.0
        self._under_way: set[asyncio.Task[None]] = set()
        self._reloading: set[Page] = set()
        self._notes: list[str] = []

    async def run(self, seconds: float, looks: int) -> None:
        """Everything at its pace, for that long; what is under way then is awaited. `looks`: parts of it."""
        self.began = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
                group.create_task(self._every(1 / CALLS_PER_SECOND, self._calls()))
                group.create_task(self._every(60 / RELOADS_PER_MINUTE, self._reloads()))
                group.create_task(self._every(NOTE_SECONDS, self._repeat("note", self._note)))
                group.create_task(self._looks(seconds / looks))
                for name, work in self._around().items():
                    group.create_task(self._every(AROUND_SECONDS, self._repeat(name, work)))
        await asyncio.gather(*self._under_way)

    def _around(self) -> dict[str, Callable[[int], Awaitable[Any]]]:
        return {"edit": self._edit, "tab": self._tab, "session": self._session, "wire tab": self._wire_tab}

    async def _every(self, seconds: float, work: Callable[[int], Awaitable[None]]) -> None:
        """Begin `work(0)`, `work(1)` … on time, whether the earlier ones are done or not."""
        for number in itertools.count():
            await self._may_begin.wait()
            if len(self._under_way) < MOST_AT_ONCE:
                task = asyncio.ensure_future(work(number))
                self._under_way.add(task)
                task.add_done_callback(self._under_way.discard)
            else:
                self._keep("all", time.monotonic(), "more than a hundred things are under way")
            await self._until(self.began + self._paused + (number + 1) * seconds)

    async def _until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - time.monotonic()))

    async def _looks(self, seconds: float) -> None:
        """Towards the end of each part, with nothing else under way: what the machine cannot do at once says nothing.

        Every call of the mix by each agent, one after the other; not those that only wait.
        """
        asks = [(client, ask) for client in self.stage.agents for ask in MIX if not ask.waits]
        for number in itertools.count():
            await self._until(self.began + (number + LOOK_AT) * seconds)
            start = time.monotonic()
            self._may_begin.clear()
            if self._under_way:
                # Not gathered: that would cancel them all, should time be over meanwhile.
                await asyncio.wait(self._under_way)
            rounds = [[await self._asked(client, ask) for client, ask in asks] for _ in range(LOOKS)]
            self.done += [each for asked in rounds for each in asked if each.error]
            medians = (statistics.median(each.ms for each in asked) for asked in zip(*rounds, strict=True))
            times = statistics.quantiles(medians, n=20)
            self.alone.append((start - self.began, {"p50 alone, ms": times[9], "p95 alone, ms": times[18]}))
            self._paused += time.monotonic() - start
            self._may_begin.set()

    def _keep(self, group: str, start: float, error: str = "", *, expected: bool = False) -> None:
        self.done.append(self._done(group, start, error, expected=expected))

    def _done(self, group: str, start: float, error: str, *, expected: bool) -> Done:
        return Done(start - self.began, group, (time.monotonic() - start) * 1000, error, expected)

    def _repeat(self, name: str, work: Callable[[int], Awaitable[Any]]) -> Callable[[int], Awaitable[None]]:
        """One at a time, kept as the group `name`."""
        alone = asyncio.Lock()

        async def timed(number: int) -> None:
            async with alone:
                start, problem = time.monotonic(), None
                try:
                    await work(number)
                except Exception as raised:
                    problem = _first(raised)
                told = "" if problem is None else f"{type(problem).__name__}: {_short(str(problem))}"
                self._keep(name, start, told, expected=isinstance(problem, CLIENT_LEAVES))

        return timed

    # Calls

    def _calls(self) -> Callable[[int], Awaitable[None]]:
        # Over as many agents as do not divide the mix, so that each makes every call.
        return lambda number: self._ask(self.stage.agents[number % 2], MIX[number % len(MIX)])

    async def _ask(self, client: Client, ask: Ask) -> None:
        self.done.append(await self._asked(client, ask))

    async def _asked(self, client: Client, ask: Ask) -> Done:
        start = time.monotonic()
        try:
            code, told = _ended(await client.call_tool(ask.tool, filled(ask.args, self.stage.places)))
        except MCPError as problem:
            code, told = str((problem.error.data or {}).get("code", "MCP error")), problem.error.message
        if not code and ask.says not in told:
            code, told = "WRONG ANSWER", told
        expected = code in LEAVES or code in ask.may or LEFT in told
        error = code and f"{ask.tool}: {code if expected else _short(f'{code} {told}')}"
        return self._done(ask.group, start, error, expected=expected)

    # Around them

    def _reloads(self) -> Callable[[int], Awaitable[None]]:
        return lambda number: self._reload(self.stage.pages[number % 2])

    async def _reload(self, page: Page) -> None:
        start = time.monotonic()
        if page in self._reloading:
            self._keep("reload", start, "the last one is still under way", expected=True)
            return
        self._reloading.add(page)
        try:
            await page.reload(timeout=30_000)
            self._keep("reload", start)
        except Exception as problem:
            # An agent's click may take the page elsewhere meanwhile, which ends a reload.
            self._keep("reload", start, _short(str(problem)), expected="ERR_ABORTED" in str(problem))
        finally:
            self._reloading.discard(page)

    async def _note(self, number: int) -> None:
        """The user makes a note, an agent works on all that wait; old ones are deleted."""
        client = self.stage.agents[number % 2]
        await self.stage.notes.note(f"Note {number}")
        while found := (await call(client, "wait_for_inspection", timeout=0))["inspections"]:
            await self._finish(client, found[0]["id"])

    async def _finish(self, client: Client, note: str) -> None:
        steps = [{"id": 1, "title": "Look", "status": "in-progress"}]
        change = "update_inspection_status"
        await call(client, change, inspectionId=note, status="in-progress", progress={"steps": steps})
        await call(client, change, inspectionId=note, status="completed", message="Done.")
        self._notes.append(note)
        if len(self._notes) > KEPT_NOTES:
            await call(client, change, inspectionId=self._notes.pop(0), status="deleted")

    async def _edit(self, number: int) -> None:
        old, new = HEADINGS[number % 2], HEADINGS[1 - number % 2]
        await asyncio.to_thread(edit, self.stage.server.project / "src" / "App.tsx", old, new)

    async def _tab(self, number: int) -> None:
        """A second tab: the user writes a note in it, and closes it."""
        overlay = await Overlay.open(self.stage.context, self.stage.server, f"{PASSING}?tab={number}")
        try:
            await overlay.pick(overlay.page.locator("h1"))
            await overlay.write(f"Picked {number}")
        finally:
            await overlay.page.close()

    async def _session(self, number: int) -> None:
        """Another agent comes, looks, works in a page, and goes."""
        era, query = ERAS[number % 2], f"{TOOLS}passing-{number}"
        transport: HttpTransport = "sse" if number % 3 == 2 else "http"
        url = self.stage.served.mcp_url
        async with agent(
            url,
            f"Passing {number}",
            "legacy" if transport == "sse" else era,
            transport=transport,
            query=query,
        ) as client:
            await client.list_tools()
            await call(client, "list_inspections")
            await call(client, "get_page_info", page=STILL.removesuffix(".html"))

    async def _wire_tab(self, number: int) -> None:
        """A tab of the tab socket comes, is asked, and goes."""
        tab_id = f"passing-{number}"
        async with wire_tab(self.stage.tab_port, tab_id, url="http://wire/", title="Passing") as tab:
            serving = asyncio.create_task(tab.serve(wire_answer))
            await call(self.stage.agents[0], "kapturemcp_fill", tabId=tab_id, selector="#x", value="x")
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)


def _ended(result: t.CallToolResult) -> tuple[str, str]:
    """(the code of its error or nothing, what it says)."""
    told = f"{text(result)}\n{result.structured_content or ''}"
    if not result.is_error:
        return "", told
    return str(((result.meta or {}).get("pageside/error") or {}).get("code", "no code")), told


def _first(problem: BaseException) -> BaseException:
    """Of what went wrong together."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    return problem


def _short(words: str) -> str:
    return " ".join(words.split())[:160]
