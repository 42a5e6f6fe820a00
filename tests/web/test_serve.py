"""`pageside serve` as its own process: starting, being found, being ended in every way."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from pageside import __version__
from pageside.contract import CHANNEL
from pageside.settings import Settings
from support.agents import agent, call, fails
from support.changes import create, edit
from support.page import WirePage
from support.raw import head
from support.serve import Running, Served, arguments, nursery, registry_file, run_command, serving

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks")
LEASE = CHANNEL["prefix"] + CHANNEL["routes"]["lease"]


@asynccontextmanager
async def lease(served: Served) -> AsyncIterator[aiohttp.ClientResponse]:
    """A dev server holds the companion."""
    headers = {CHANNEL["headers"]["pluginToken"]: served.plugin_token}
    body = {"root": "/shop", "urls": ["http://localhost:5173/"], "pid": 1, "vite": "8"}
    async with aiohttp.ClientSession(served.url) as session:
        async with session.post(LEASE, json=body, headers=headers) as response:
            assert "lease" in json.loads(await response.content.readline())
            yield response


async def health(served: Served) -> dict[str, Any]:
    async with aiohttp.ClientSession(served.url) as session, session.get("/health") as response:
        answer: dict[str, Any] = await response.json()
        return answer


def another(settings: Settings, name: str) -> Settings:
    """Another project of the same user."""
    project = settings.project.with_name(name)
    project.mkdir()
    return replace(settings, project=project)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}


async def test_it_says_where_it_is_and_can_be_found_until_it_stops(settings: Settings) -> None:
    async with serving(settings) as served:
        port = served.entry["port"]
        assert served.printed[0] == f"Pageside {__version__} for {settings.project}"
        assert served.printed[1].split() == ["MCP", "endpoint", f"http://127.0.0.1:{port}/__mcp__"]
        assert re.fullmatch(
            rf"  Console       http://127\.0\.0\.1:{port}/__pageside__/console#[\w-]{{43}}", served.printed[2]
        )
        assert (
            f"claude mcp add --transport http pageside http://127.0.0.1:{port}/__mcp__" in served.printed[3]
        )
        told = await health(served)
        assert told.items() >= {"service": "pageside", "pid": served.pid, "port": port}.items()
        assert (served.entry["pid"], served.entry["startTime"]) == (served.pid, told["startTime"])
        assert served.entry["project"] == str(settings.project)
        assert len({served.entry[token] for token in ("pageToken", "pluginToken", "agentToken")}) == 3
        if sys.platform == "linux":
            assert not [line for line in served.printed if served.entry["agentToken"] in line]
        folder = registry_file(settings).parent
        assert {mode for name, mode in modes(folder).items() if name != folder.name} == {0o600}
        assert modes(folder)[folder.name] == 0o700
        code, output, _ = await run_command(*arguments(settings))
        assert (code, output.split()[-1]) == (0, served.mcp_url)
        assert "runs already" in output
        assert await served.end() == 0
        assert not registry_file(settings).exists()
        assert "inspections.sqlite3-wal" not in modes(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_signal_ends_what_is_open_and_agents_are_told(settings: Settings, number: int) -> None:
    async with serving(settings) as served, WirePage(served) as page, lease(served) as held:
        pick = asyncio.create_task(told_to(served, "capture_element_context"))
        script = asyncio.create_task(told_to(served, "execute_page_script", code="1"))
        await page.next_call()
        await page.next_call()
        assert await served.end(number) == 0
        await asyncio.wait_for(page.ended.wait(), 5)
        assert (await asyncio.wait_for(held.content.read(), 5)).strip() == b""
        told = await asyncio.wait_for(asyncio.gather(pick, script), 5)
        assert list(told) == ["CANCELLED", "SHUTTING_DOWN"]


async def told_to(served: Served, tool: str, **args: Any) -> str:
    """The code with which a tool call ended."""
    async with agent(served.mcp_url) as client:
        return str((await fails(client, tool, **args))["code"])


async def test_a_body_that_never_comes_does_not_hold_up_the_end(settings: Settings) -> None:
    async with serving(settings) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.entry["port"])
        headers = {
            "Host": f"localhost:{served.entry['port']}",
            "Content-Type": "application/json",
            "Content-Length": "100",
            "Expect": "100-continue",
        }
        writer.write(head("POST", CHANNEL["mcp"], headers))
        assert await asyncio.wait_for(reader.readline(), 5) == b"HTTP/1.1 100 Continue\r\n"
        writer.write(b"{")
        assert await served.end() == 0
        await asyncio.wait_for(reader.read(), 5)
        writer.close()


async def test_a_port_that_is_taken_is_left_for_the_next_free_one(settings: Settings) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = holder.getsockname()[1]
        async with serving(replace(settings, port=taken)) as served:
            assert taken < served.entry["port"] < taken + 50
            assert f":{served.entry['port']}/" in served.printed[1]
            assert (await health(served))["port"] == served.entry["port"]


async def test_two_projects_have_two_companions_that_know_of_each_other(settings: Settings) -> None:
    blog = another(settings, "blog")
    async with serving(settings) as served, serving(blog) as other:
        assert served.entry["port"] != other.entry["port"]
        assert served.page_token != other.page_token
        async with agent(served.mcp_url) as client:
            error = await fails(client, "get_page_info")
            assert f"{blog.project} (port {other.entry['port']})" in error["message"]
        async with WirePage(other) as page:
            await page.note("Only here")
        async with agent(served.mcp_url) as client:
            assert (await call(client, "list_inspections"))["total"] == 0


async def ends_within(served: Running, seconds: float) -> bool:
    done, _ = await asyncio.wait({asyncio.ensure_future(served.process.wait())}, timeout=seconds)
    return bool(done)


async def test_it_ends_when_nobody_needs_it_and_not_before(settings: Settings) -> None:
    async with serving(settings, "--exit-when-idle", "0.3") as served:
        async with lease(served):
            assert not await ends_within(served, 0.8)
            session = agent(served.mcp_url)
            await session.__aenter__()
        assert not await ends_within(served, 0.8)
        await session.__aexit__(None, None, None)
        assert await ends_within(served, 5)
        assert served.process.returncode == 0
        assert not registry_file(settings).exists()


async def test_a_state_folder_that_refuses_is_told_in_a_sentence(settings: Settings, tmp_path: Path) -> None:
    state = tmp_path / "file"
    await asyncio.to_thread(state.write_text, "")
    code, output, errors = await run_command(*arguments(replace(settings, state=state)))
    assert (code, output) == (1, "")
    assert errors.startswith("pageside: STORE_FAILED: The state folder")
    assert "Traceback" not in errors


async def test_a_kill_leaves_an_entry_that_fools_nobody_and_a_queue_that_is_whole(settings: Settings) -> None:
    async with nursery() as companions:
        first = await companions.serve(settings)
        async with WirePage(first) as page, lease(first):
            wanted = await page.note("Make it green")
            os.kill(first.pid, signal.SIGKILL)
            assert await companions.ended() == -signal.SIGKILL
        assert registry_file(settings).exists()
        second = await companions.serve(settings)
        assert second.entry["agentToken"] == first.entry["agentToken"]
        assert second.entry["pageToken"] != first.entry["pageToken"]
        async with WirePage(second, joins=False) as page:
            await page.open_stream()
            assert [item["id"] for item in (await page.connect())["items"]] == [wanted]
        os.kill(second.pid, signal.SIGTERM)
        assert await companions.ended() == 0


class Writer:
    """A page that writes as fast as it is answered, and knows what was acknowledged."""

    def __init__(self) -> None:
        self.sent: dict[str, dict[str, Any]] = {}
        self.acknowledged: set[str] = set()
        self.count = 0

    def batch(self) -> list[dict[str, Any]]:
        self.count += 1
        note = f"note-{self.count}"
        changes = [create(note), edit(note, "once"), edit(note, "twice")]
        self.sent.update({change["change"]: change for change in changes})
        return changes

    async def write(self, page: WirePage, enough: asyncio.Event, acknowledgements: int) -> None:
        """Until the connection is lost; `enough` is set when so many batches were acknowledged."""
        while True:
            changes = self.batch()
            try:
                status, answer = await page.send("changes", changes=changes)
            except aiohttp.ClientError:
                return
            assert status == 200, answer
            self.acknowledged |= {result["change"] for result in answer["results"] if result["ok"]}
            acknowledgements -= 1
            if acknowledgements <= 0:
                enough.set()

    def unanswered(self) -> list[dict[str, Any]]:
        return [change for name, change in self.sent.items() if name not in self.acknowledged]


async def test_twenty_kills_in_the_middle_of_writing_lose_and_double_nothing(settings: Settings) -> None:
    writer = Writer()
    async with nursery() as companions:
        for n in range(20):
            served = await companions.serve(settings)
            async with WirePage(served, joins=False) as page:
                await page.open_stream()
                missing = await still_missing(page, writer)
                assert missing == []
                enough = asyncio.Event()
                writing = [asyncio.create_task(writer.write(page, enough, 1 + n % 3)) for _ in range(4)]
                await asyncio.wait_for(enough.wait(), 5)
                os.kill(served.pid, signal.SIGKILL)
                await asyncio.wait_for(asyncio.gather(*writing), 5)
                assert await companions.ended() == -signal.SIGKILL
        served = await companions.serve(settings)
        async with WirePage(served, joins=False) as page:
            await page.open_stream()
            await still_missing(page, writer)
            status, answer = await page.send("changes", changes=writer.unanswered())
            assert (status, {result["ok"] for result in answer["results"]}) == (200, {True})
            items = (await page.connect())["items"]
        assert len(items) == writer.count >= 40
        assert {(item["rev"], item["description"]) for item in items} == {(3, "twice")}


async def still_missing(page: WirePage, writer: Writer) -> list[str]:
    """The acknowledged notes that are not there."""
    there = {item["id"] for item in (await page.connect())["items"]}
    changes = [writer.sent[name] for name in writer.acknowledged]
    return [c["item"]["id"] for c in changes if c["kind"] == "create" and c["item"]["id"] not in there]


async def test_the_help_names_every_flag(settings: Settings) -> None:
    code, output, _ = await run_command("serve", "--help", cwd=settings.project)
    assert code == 0
    assert set(re.findall(r"--[a-z-]+", output)) >= {
        "--help",
        "--project",
        "--port",
        "--state-dir",
        "--exit-when-idle",
    }
