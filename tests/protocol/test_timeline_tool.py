"""What agents read of the edit loop over MCP: verdicts, and one timeline. Dev server and pages are wires."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import mcp_types as t
import pytest
from jsonschema import Draft202012Validator
from mcp import Client

from pageside.contract import TOOLS
from pageside.core import verdict as v
from pageside.web.app import Companion
from support.agents import agent, call, fails
from support.page import WirePage
from support.plugin import WirePlugin, wire_plugin

STAMP = 1_795_340_822_000


def change(file: str, *modules: str) -> dict[str, Any]:
    return {"event": "change", "file": file, "type": "update", "modules": list(modules)}


def update(file: str) -> dict[str, str]:
    return {"type": "js-update", "path": f"/{file}", "acceptedPath": f"/{file}", "file": file}


def sent(stamp: int, *files: str) -> dict[str, Any]:
    return {"event": "sent", "stamp": STAMP + stamp, "updates": [update(file) for file in files]}


async def report(page: WirePage, *events: dict[str, Any]) -> None:
    told = [{"ago": 0, **event} for event in events]
    status, answer = await page.send("report", events=told, dropped=0)
    assert status == 204, answer


async def applied(page: WirePage, stamp: int, *files: str) -> None:
    updates = [{k: each[k] for k in ("type", "path", "acceptedPath")} for each in map(update, files)]
    await report(page, {"event": "applied", "stamps": [STAMP + stamp], "updates": updates})


async def edit(plugin: WirePlugin, page: WirePage, stamp: int, file: str) -> None:
    """A file is saved, and all goes well."""
    assert (await plugin.tell(change(file, f"/{file}"), sent(stamp, file)))[0] == 204
    await applied(page, stamp, file)


@asynccontextmanager
async def loop(companion: Companion, query: str = "") -> AsyncIterator[tuple[WirePlugin, WirePage, Client]]:
    async with AsyncExitStack() as stack:
        plugin = await stack.enter_async_context(wire_plugin(companion))
        page = await stack.enter_async_context(WirePage(companion))
        yield plugin, page, await stack.enter_async_context(agent(companion.mcp_url, query=query))


# wait_for_update


async def test_an_edit_is_told_once_with_its_modules_and_the_picked_elements(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, client):
        picked = await page.note("Make it green")
        await call(client, "update_inspection_status", inspectionId=picked, status="in-progress")
        await edit(plugin, page, 1, "src/App.tsx")
        await report(page, {"event": "console", "level": "error", "text": "Boom", "uncaught": True})
        answer = await call(client, "wait_for_update")
        Draft202012Validator(TOOLS["wait_for_update"]["outputSchema"]).validate(answer)
        assert answer["status"] == "updated"
        assert answer["modules"] == [{"path": "/src/App.tsx", "file": "src/App.tsx", "type": "js"}]
        assert answer["changed"] == ["src/App.tsx"]
        assert answer["inspection"] == {
            "id": picked,
            "file": "src/App.tsx",
            "module": "/src/App.tsx",
            "updated": True,
        }
        assert [(e["text"], e["uncaught"]) for e in answer["consoleErrors"]] == [("Boom", True)]
        assert answer["page"]["id"] == page.id
        again = await call(client, "wait_for_update", timeout=1)
        assert (again["status"], again["reason"], again["consoleErrors"]) == ("nothing", v.SAW_NOTHING, [])
        assert again["waitedMs"] >= 1000

        await edit(plugin, page, 2, "src/Other.tsx")
        other = await call(client, "wait_for_update", inspectionId=picked)
        assert other["inspection"]["updated"] is False
        assert "src/App.tsx" in other["inspection"]["reason"]
        first = await call(client, "wait_for_update", since=answer["cursor"])
        assert first["modules"] == other["modules"], "the same again by the cursor of the first answer"


async def test_an_update_that_comes_during_the_call_is_awaited(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, client):
        waiting = asyncio.create_task(call(client, "wait_for_update"))
        await edit(plugin, page, 1, "src/App.tsx")
        await plugin.tell(change("src/Late.tsx", "/src/Late.tsx"), sent(2, "src/Late.tsx"))
        assert not waiting.done()
        await applied(page, 2, "src/Late.tsx")
        answer = await waiting
        assert [module["file"] for module in answer["modules"]] == ["src/App.tsx", "src/Late.tsx"]


async def test_an_error_is_told_with_its_place_and_mended_is_updated(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, client):
        error = {
            "message": "Unexpected token",
            "file": "src/App.tsx",
            "line": 3,
            "column": 7,
            "frame": "3 | <",
        }
        await plugin.tell(change("src/App.tsx", "/src/App.tsx"), sent(1, "src/App.tsx"))
        await plugin.tell({"event": "error", **error})
        await report(page, {"event": "failed", **error})
        await applied(page, 1, "src/App.tsx")
        answer = await call(client, "wait_for_update")
        assert (answer["status"], answer["error"]) == ("error", error)
        await edit(plugin, page, 2, "src/App.tsx")
        assert (await call(client, "wait_for_update"))["status"] == "updated"


async def test_a_page_that_does_not_apply_it_is_named(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, client):
        page.visible = False
        await page.send("update", info=page.info())
        await plugin.tell(change("src/App.tsx", "/src/App.tsx"), sent(1, "src/App.tsx"))
        answer = await call(client, "wait_for_update", timeout=1)
        assert (answer["status"], answer["modules"]) == ("nothing", [])
        assert v.HIDDEN in answer["reason"]
        assert answer["waitedMs"] >= 1000


async def test_a_full_reload_is_awaited_until_the_next_document_is_there(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, client):
        waiting = asyncio.create_task(call(client, "wait_for_update"))
        await plugin.tell(
            change("index.html"), {"event": "full-reload", "path": "/index.html", "stamp": STAMP}
        )
        await report(page, {"event": "reloading"})
        async with WirePage(companion, joins=False) as successor:
            await successor.open(replaces=page.id, age=0)
            answer = await waiting
            assert (answer["status"], answer["page"]["id"]) == ("reloaded", successor.id)


async def test_without_a_page_or_a_dev_server_it_says_so(companion: Companion) -> None:
    async with agent(companion.mcp_url) as client:
        answer = await call(client, "wait_for_update")
        assert (answer["status"], answer["reason"]) == ("nothing", v.NEVER_UP)
        assert "page" not in answer
        async with wire_plugin(companion) as plugin:
            await plugin.tell(change("src/App.tsx", "/src/App.tsx"), sent(1, "src/App.tsx"))
            answer = await call(client, "wait_for_update")
            assert answer["status"] == "nothing"
            assert v.NO_PAGE in answer["reason"]
        async with asyncio.timeout(5):
            while len(companion.world.leases):
                await companion.world.timeline.later(companion.world.timeline.seq)
        answer = await call(client, "wait_for_update")
        assert (answer["status"], answer["reason"]) == ("nothing", v.DOWN)


async def test_two_agents_are_told_the_same_edit_each(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, ada), agent(companion.mcp_url, "Bob") as bob:
        await edit(plugin, page, 1, "src/App.tsx")
        for client in (ada, bob):
            assert (await call(client, "wait_for_update"))["status"] == "updated"


async def test_a_page_that_is_named_is_told_of_apart(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, client), WirePage(companion, title="Admin") as admin:
        await page.send("update", used=True)
        await edit(plugin, page, 1, "src/App.tsx")
        assert (await call(client, "wait_for_update"))["status"] == "updated"
        await applied(admin, 1)
        answer = await call(client, "wait_for_update", page="Admin")
        assert (answer["status"], answer["page"]["id"]) == ("nothing", admin.id)
        assert "has not loaded" in answer["reason"]
        again = await call(client, "wait_for_update", page="Admin", timeout=1)
        assert again["reason"] == v.SAW_NOTHING


async def test_a_cursor_of_an_earlier_companion_is_refused_by_name(companion: Companion) -> None:
    async with loop(companion) as (_, _, client):
        for tool, name in (("wait_for_update", "since"), ("get_timeline", "after")):
            error = await fails(client, tool, **{name: 9999})
            assert (error["code"], error["data"]["argument"]) == ("INVALID_ARGUMENTS", name)


# wait_and_check


async def test_wait_and_check_waits_its_seconds_and_for_the_update(companion: Companion) -> None:
    async with loop(companion, "?toolsets=relay") as (plugin, page, client):
        await plugin.tell(change("src/App.tsx", "/src/App.tsx"), sent(1, "src/App.tsx"))
        began = time.monotonic()
        waiting = asyncio.create_task(call(client, "wait_and_check", seconds=0.5))
        await report(page, {"event": "console", "level": "warning", "text": "Slow."})
        assert not waiting.done()
        await applied(page, 1, "src/App.tsx")
        answer = await waiting
        assert time.monotonic() - began >= 0.5
        assert answer["waited"] >= 0.5
        assert answer["update"]["status"] == "updated"
        assert [(m["level"], m["text"]) for m in answer["messages"]] == [("warn", "Slow.")]
        again = await call(client, "wait_and_check", seconds=0)
        assert (again["messages"], again["update"]["reason"]) == ([], v.SAW_NOTHING)


# get_timeline


async def told(client: Client, **args: Any) -> list[str]:
    return [entry["text"] for entry in (await call(client, "get_timeline", **args))["entries"]]


async def test_everything_stands_in_one_order_and_can_be_chosen(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, client):
        began = (await call(client, "get_timeline"))["next"]
        await report(page, {"event": "action", "action": "click", "label": "Buy", "selector": "#buy"})
        await edit(plugin, page, 1, "src/App.tsx")
        await report(page, {"event": "console", "level": "error", "text": "Boom"})
        await report(page, {"event": "request", "url": "http://localhost:5173/cart", "status": 500})
        answer = await call(client, "get_timeline", after=began)
        Draft202012Validator(TOOLS["get_timeline"]["outputSchema"]).validate(answer)
        assert [entry["text"] for entry in answer["entries"]] == [
            'clicked element "Buy"',
            "src/App.tsx changed",
            "hot update: src/App.tsx",
            "applied: /src/App.tsx",
            "Boom",
            "/cart 500",
        ]
        assert answer["page"]["id"] == page.id
        assert (answer["left"], answer["dropped"]) == (0, 0)
        assert await told(client, after=answer["next"]) == []
        assert await told(client, after=began, level="error") == ["Boom", "/cart 500"]
        assert await told(client, after=began, kinds=["action", "console"]) == [
            'clicked element "Buy"',
            "Boom",
        ]
        assert await told(client, after=began, limit=2) == ['clicked element "Buy"', "src/App.tsx changed"]
        assert await told(client, kinds=["console", "request"], limit=1) == ["/cart 500"]
        boom = next(entry for entry in answer["entries"] if entry["text"] == "Boom")
        assert await told(client, since=boom["at"], until=boom["at"] + 0.9, kinds=["console"]) in (
            ["Boom"],
            [],
        )
        assert await told(client, until=1) == []


async def test_portions_with_a_cursor_give_every_entry_once(companion: Companion) -> None:
    async with loop(companion) as (_, page, client):
        await report(page, *({"event": "console", "level": "info", "text": f"{n}"} for n in range(25)))
        seen, after, left = [], 0, 1
        while left:
            answer = await call(client, "get_timeline", after=after, kinds=["console"], limit=10)
            seen += [entry["text"] for entry in answer["entries"]]
            after, left = answer["next"], answer["left"]
        assert seen == [str(n) for n in range(25)]


async def test_an_inspection_has_its_story(companion: Companion) -> None:
    async with loop(companion) as (plugin, page, client), agent(companion.mcp_url, "Bob") as bob:
        picked = await page.note("Make it green")
        other = await page.note("Not this one", sourceInfo={"file": "src/Other.tsx", "line": 1})
        await call(client, "update_inspection_status", inspectionId=picked, status="in-progress")
        await edit(plugin, page, 1, "src/App.tsx")
        await edit(plugin, page, 2, "src/Other.tsx")
        await call(client, "list_inspections")
        await call(bob, "list_inspections")
        await fails(client, "execute_page_script", code="")
        await call(client, "update_inspection_status", status="completed", message="It is green.")
        answer = await call(client, "get_timeline", inspectionId=picked)
        texts = [entry["text"] for entry in answer["entries"]]
        assert texts[0] == 'note "Make it green": pending'
        assert texts[1] == 'note "Make it green": in-progress by Agent'
        assert texts[2].startswith("update_inspection_status by Agent: ")
        assert texts[3:6] == ["src/App.tsx changed", "hot update: src/App.tsx", "applied: /src/App.tsx"]
        assert texts[6].startswith("list_inspections by Agent: ")
        assert texts[7] == "execute_page_script by Agent: INVALID_ARGUMENTS"
        assert texts[8] == 'note "Make it green": completed by Agent: It is green.'
        assert texts[9].startswith("update_inspection_status by Agent: ")
        assert len(texts) == 10
        made = answer["entries"][0]
        assert (made["kind"], made["inspectionId"], made["page"]) == ("status", picked, page.id)
        assert not any("Bob" in text or "Other" in text for text in texts), other


async def test_reading_the_timeline_leaves_no_trace_in_it(companion: Companion) -> None:
    async with loop(companion) as (_, _, client):
        await call(client, "get_timeline")
        assert await told(client, kinds=["call"]) == []
        await call(client, "list_inspections")
        (entry,) = await told(client, kinds=["call"])
        assert entry.startswith("list_inspections by Agent: ")


# The resource


async def test_the_timeline_of_a_page_is_a_resource(companion: Companion) -> None:
    async with loop(companion) as (_, page, client):
        await report(page, {"event": "console", "level": "error", "text": "Boom"})
        (content,) = (await client.read_resource(f"pageside://pages/{page.id}/timeline")).contents
        assert isinstance(content, t.TextResourceContents)
        body = json.loads(content.text)
        assert body["untrusted"] is True
        assert body["data"][-1]["text"] == "Boom"


@pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed")
async def test_a_subscriber_hears_of_a_flood_a_few_times(companion: Companion) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def on_message(message: Any) -> None:
        if isinstance(message, t.ResourceUpdatedNotification):
            heard.put_nowait(str(message.params.uri))

    async with WirePage(companion) as page:
        uri = f"pageside://pages/{page.id}/timeline"
        info = t.Implementation(name="listener", version="1")
        async with Client(
            companion.mcp_url, client_info=info, mode="legacy", message_handler=on_message
        ) as client:
            await client.subscribe_resource(uri)
            line = {"event": "console", "level": "info", "text": "x"}
            async with asyncio.timeout(10):
                # The client's stream for notifications opens when it pleases.
                while heard.empty():
                    await report(page, *[line] * 50)
            # What came while the last one was told is told once more, later.
            await report(page, *[line] * 1000)
            await asyncio.wait_for(heard.get(), 5)
            await asyncio.wait_for(heard.get(), 5)
            assert heard.qsize() <= 1


async def test_a_listener_of_2026_hears_of_it_too(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url, era="auto") as client:
        uri = f"pageside://pages/{page.id}/timeline"
        async with client.listen(resource_subscriptions=[uri]) as events:
            await report(page, {"event": "console", "level": "info", "text": "x"})
            async with asyncio.timeout(5):
                async for event in events:
                    if getattr(event, "uri", None) == uri:
                        return
    pytest.fail("nothing was heard")
