"""What consoles see live: everything at once, and again when something changed; nothing is read while none is open."""

from __future__ import annotations

import asyncio
import json
import socket
from dataclasses import replace
from typing import Any

import pytest

from pageside import __version__
from pageside.core.tab_messages import Register, Update
from pageside.hubs.tabs import TabSocketState
from pageside.operations import overview as operations_overview
from pageside.settings import ChromeSettings, Settings
from pageside.web import console_events
from pageside.web.app import Companion
from support.agents import agent, call, fails
from support.console import PATHS, Overview, token_of, wire_console
from support.door import Door
from support.fake_chrome import fake_chrome
from support.page import WirePage
from support.plugin import wire_plugin
from support.raw import head

EMPTY: dict[str, Any] = {
    "agents": [],
    "pages": [],
    "tabs": [],
    "chromes": [],
    "inspections": [],
    "inspectionCount": 0,
    "servers": [],
    "devServers": [],
    "timeline": [],
    "brakes": {"everywhere": False},
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many pictures a second, so that the tests wait for none."""
    monkeypatch.setattr(console_events, "NEWS_SECONDS", 0.01)


async def test_a_console_sees_everything_at_once(companion: Companion) -> None:
    async with wire_console(companion) as console:
        told = await console.next()
    about = told.pop("companion")
    assert told == EMPTY
    assert about["startedAt"] > 1.6e12
    socket_state = about.pop("tabSocket")
    assert set(socket_state) == {"state", "port", "why"}
    assert about == {
        "version": __version__,
        "project": str(companion.settings.project),
        "pid": about["pid"],
        "port": companion.port,
        "mcpUrl": companion.mcp_url,
        "startedAt": about["startedAt"],
    }


async def test_pages_and_agents_and_what_they_do_are_seen_as_they_come(companion: Companion) -> None:
    async with wire_console(companion) as console:
        await console.next()
        async with WirePage(companion) as page:
            [seen] = (await console.until(lambda told: told["pages"]))["pages"]
            assert seen == {"id": page.id, "title": "Shop", "url": "http://localhost:5173/", "usedAt": None}
            await page.send("update", info=page.info() | {"title": "Cart"}, used=True)
            [seen] = (await console.until(lambda told: told["pages"][0]["title"] == "Cart"))["pages"]
            assert seen["usedAt"] > 1.6e12
            async with agent(companion.mcp_url, "Ada") as client:
                [watcher] = (await console.until(lambda told: told["agents"]))["agents"]
                assert (watcher["name"], watcher["connectedAt"] > 1.6e12) == ("Ada", True)
                await call(client, "list_inspections")
                await console.until(lambda told: outcome(told) == ("list_inspections", "ok"))
                await fails(client, "get_inspection", inspectionId="nope")
                await console.until(lambda told: outcome(told) == ("get_inspection", "INSPECTION_NOT_FOUND"))
                asked = asyncio.create_task(client.call_tool("get_page_info", {}))
                question = await page.next_call()
                told = await console.until(lambda told: outcome(told) == ("get_page_info", "running"))
                assert told["agents"][0]["page"] == page.id
                await page.answer(question, page.info())
                await asked
                told = await console.until(lambda told: outcome(told) == ("get_page_info", "ok"))
                assert told["timeline"][-1]["text"].startswith("get_page_info by Ada: ")
                assert set(told["timeline"][-1]) == {"seq", "at", "kind", "level", "text"}
            await console.until(lambda told: not told["agents"])


def outcome(told: Overview) -> tuple[str, str] | None:
    last = told["agents"][0]["lastCall"] if told["agents"] else None
    return (last["tool"], last["outcome"]) if last else None


async def test_inspections_are_seen_with_their_progress(companion: Companion) -> None:
    async with wire_console(companion) as console, WirePage(companion) as page:
        await console.next()
        item = await page.note("Make it green")
        [seen] = (await console.until(lambda told: told["inspections"]))["inspections"]
        assert seen.pop("updatedAt") > 1.6e12
        expected = {"id": item, "number": 1, "note": "Make it green", "status": "pending", "page": page.id}
        assert seen == expected
        steps = [
            {"id": 1, "title": "Find it", "status": "completed"},
            {"id": 2, "title": "Paint it", "status": "in-progress"},
            {"id": 3, "title": "Look at it", "status": "pending"},
        ]
        await companion.world.inspections.transition(
            item, "in-progress", message="On it", progress={"steps": steps}, agent="Ada"
        )
        told = await console.until(lambda told: told["inspections"][0]["status"] == "in-progress")
        assert told["inspections"][0]["message"] == "On it"
        assert told["inspections"][0]["progress"] == {"done": 1, "total": 3, "step": "Paint it"}


async def test_dev_servers_brakes_and_connected_tabs_are_seen(companion: Companion) -> None:
    world = companion.world
    async with wire_console(companion) as console:
        await console.next()
        async with wire_plugin(companion):
            told = await console.until(lambda told: told["devServers"] and told["servers"])
            assert told["devServers"] == [
                {"server": "vite", "root": "/shop", "urls": ["http://localhost:5173/"]}
            ]
            [server] = told["servers"]
            assert (server["command"], server["status"]) == ("vite 8.3.8", "ready")
            assert server["urls"] == ["http://localhost:5173/"]
        told = await console.until(lambda told: not told["devServers"])
        assert told["servers"][0]["pid"] is None
        world.brakes.everywhere = True
        world.brakes.changed()
        await console.until(lambda told: told["brakes"] == {"everywhere": True})
        world.extension_tabs.state = TabSocketState("off", 61822, "Another program has the port.")
        told = await console.until(lambda told: told["companion"]["tabSocket"]["port"] == 61822)
        why = "Another program has the port."
        assert told["companion"]["tabSocket"] == {"state": "off", "port": 61822, "why": why}
        tab = world.extension_tabs.register(Register("tab-1", "https://example.com/", "Old"), lambda _m: None)
        world.extension_tabs.take(tab, Update(title="Example"))
        [seen] = (await console.until(lambda told: told["tabs"]))["tabs"]
        assert seen.pop("connectedAt") > 1.6e12
        assert seen == {
            "tabId": "tab-1",
            "title": "Example",
            "url": "https://example.com/",
            "via": "extension",
        }
        world.extension_tabs.disconnect(tab, "the tab was closed")
        await console.until(lambda told: not told["tabs"])


async def test_what_pages_say_is_shown_without_secrets_hidden_signs_and_floods(companion: Companion) -> None:
    code = companion.console_link()
    async with WirePage(companion, "http://localhost:5173/?token=hunter2hunter2", f"A\u202eB\x1b{'x' * 900}"):
        companion.world.timeline.add("console", f"\x1b[31mgo to {code} or {'y' * 3000}")
        async with wire_console(companion) as console:
            told = await console.next()
    text = json.dumps(told, ensure_ascii=False)
    assert "hunter2" not in text
    assert code.partition("#")[2] not in text
    assert not {"\u202e", "\x1b"} & set(text)
    assert told["pages"][0]["title"].startswith("A\\u{202e}B\\u{1b}x")
    assert len(told["pages"][0]["title"]) == len(told["timeline"][-1]["text"]) == 301


async def test_a_link_that_a_dev_server_prints_is_not_in_its_log(companion: Companion) -> None:
    link = companion.console_link()
    async with wire_plugin(companion) as plugin:
        status, _ = await plugin.tell({"event": "log", "level": "info", "text": f"Console: {link}"})
        assert status == 204
        log = companion.world.servers.find(None).log
        log.write("stdout", f"again: {link}\n".encode())
    address = link.partition("#")[0]
    assert log.last(3)[:2] == [f"Console: {address}#<redacted>", f"again: {address}#<redacted>"]


async def test_only_the_newest_entries_and_the_latest_inspections_are_told(companion: Companion) -> None:
    for number in range(150):
        companion.world.timeline.add("console", f"line {number}")
    async with wire_console(companion) as console:
        entries = (await console.next())["timeline"]
    assert [entry["text"] for entry in entries] == [f"line {number}" for number in range(50, 150)]


async def test_of_many_inspections_those_that_changed_last_are_told_and_how_many_there_are(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations_overview, "MAX_INSPECTIONS", 2)
    async with WirePage(companion) as page, wire_console(companion) as console:
        for note in ("one", "two", "three"):
            await page.note(note)
        told = await console.until(lambda told: told["inspectionCount"] == 3)
    assert [each["note"] for each in told["inspections"]] == ["two", "three"]


async def test_however_much_happens_pictures_follow_each_other_slowly(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console_events, "NEWS_SECONDS", 0.5)
    async with wire_console(companion) as console:
        await console.next()
        for number in range(100):
            companion.world.timeline.add("console", f"line {number}")
            await asyncio.sleep(0)
        entries = (await console.next())["timeline"]
    assert [entry["text"] for entry in entries] == [f"line {number}" for number in range(100)]


async def test_nothing_is_read_while_no_console_is_open(
    companion: Companion, monkeypatch: pytest.MonkeyPatch, door: Door
) -> None:
    read: list[str] = []

    def count(what: str) -> None:
        original = getattr(console_events, what)

        def counted(*args: Any) -> Any:
            read.append(what)
            return original(*args)

        monkeypatch.setattr(console_events, what, counted)

    count("overview")
    count("look_at_chromes")
    monkeypatch.setattr(console_events, "CHROME_SECONDS", 0.01)
    companion.world.timeline.add("console", "before")
    async with wire_console(companion) as first, wire_console(companion) as second:
        await first.next()
        await second.next()
        assert read.count("overview") == 1
    for _ in range(2):
        async with asyncio.timeout(5):
            assert await door.left.get() == PATHS["events"]
    read.clear()
    companion.world.timeline.add("console", "after")
    async with WirePage(companion) as page:
        await page.note("Nobody looks")
    assert read == []


async def test_a_quiet_stream_says_that_it_is_there(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console_events, "PING_SECONDS", 0.01)
    async with wire_console(companion) as console:
        lines = await console.lines(7)
    assert lines[0] == b"event: overview\n"
    assert lines[3:] == [b": still here\n", b"\n"] * 2


async def test_streams_end_with_the_companion(settings: Settings) -> None:
    companion = await Companion.start(settings)
    async with wire_console(companion) as console:
        await console.next()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(companion.stop())
            assert await console.ended()


async def test_a_reader_that_takes_nothing_is_dropped(
    companion: Companion, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console_events, "WRITE_SECONDS", 0.2)
    with await asyncio.to_thread(stuck_console, companion):
        async with asyncio.timeout(20), wire_console(companion) as other:
            await other.next()
            while door.left.empty():
                for _ in range(100):
                    companion.world.timeline.add("console", "x" * 290)
                last = companion.world.timeline.seq
                while (await other.next())["timeline"][-1]["seq"] < last:
                    pass
        assert await door.left.get() == PATHS["events"]


def stuck_console(companion: Companion) -> socket.socket:
    """One whose reader takes the head and then stops; the system's buffers are as small as they get."""
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stream.settimeout(5)
    stream.connect(("127.0.0.1", companion.port))
    headers = {
        "Host": f"127.0.0.1:{companion.port}",
        "Origin": companion.url,
        "Authorization": f"Bearer {token_of(companion)}",
    }
    stream.sendall(head("GET", PATHS["events"], headers))
    while b"event: overview" not in stream.recv(4096, socket.MSG_PEEK):
        pass
    return stream


async def test_too_many_consoles_are_refused(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_events, "MAX_OPEN", 1)
    async with wire_console(companion) as console:
        await console.next()
        with pytest.raises(AssertionError, match="TOO_MANY"):
            async with wire_console(companion):
                pass


async def test_chrome_s_tabs_are_looked_at_only_while_a_console_is_open(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console_events, "CHROME_SECONDS", 0.01)
    async with fake_chrome() as chrome:
        chrome.answers |= {"Target.setDiscoverTargets": {}, "Target.getTargets": targets("Shop")}
        companion = await Companion.start(replace(settings, chrome=ChromeSettings(ws_url=chrome.url)))
        try:
            await companion.world.chrome.ensure()
            assert "Target.getTargets" not in [each["method"] for each in chrome.received]
            async with wire_console(companion) as console:
                told = await console.until(lambda told: told["tabs"])
                address = f"127.0.0.1:{chrome.port}"
                assert told["chromes"] == [
                    {"address": address, "launched": False, "connected": True, "tabs": 1}
                ]
                assert told["tabs"] == [
                    {
                        "tabId": "T1",
                        "title": "Shop",
                        "url": "http://localhost:5173/",
                        "via": "cdp",
                        "connectedAt": None,
                    }
                ]
                chrome.answers["Target.getTargets"] = targets("Cart")
                await console.until(lambda told: told["tabs"][0]["title"] == "Cart")
                told_of = Register("tab-1", "http://localhost:5173/", "Cart", target="T1")
                companion.world.extension_tabs.register(told_of, lambda _message: None)
                told = await console.until(lambda told: told["tabs"][0]["via"] == "extension")
                assert len(told["tabs"]) == 1
        finally:
            await companion.stop()


def targets(title: str) -> dict[str, Any]:
    shown = {"targetId": "T1", "type": "page", "title": title, "url": "http://localhost:5173/"}
    hidden = {"targetId": "T2", "type": "page", "title": "DevTools", "url": "devtools://devtools/x"}
    return {"targetInfos": [{**shown, "attached": False}, {**hidden, "attached": False}]}
