"""What the user replies reaches the agent that works on it, once, and without polling."""

from __future__ import annotations

import asyncio
from typing import Any

from mcp import Client

from pageside.web.app import Companion
from support.agents import agent, call
from support.changes import accept, order, reply, set_status
from support.page import WirePage


def texts(answer: dict[str, Any]) -> list[str]:
    return [said["text"] for said in answer.get("replies", [])]


async def waited(client: Client, seconds: float = 20) -> list[dict[str, Any]]:
    found = await call(client, "wait_for_inspection", timeout=seconds)
    return list(found["inspections"])


async def test_who_waits_is_woken_by_a_reply_to_its_own_inspection_only(companion: Companion) -> None:
    async with (
        WirePage(companion) as page,
        agent(companion.mcp_url, "one", query="?clientId=one") as one,
        agent(companion.mcp_url, "two", query="?clientId=two") as two,
    ):
        mine, others = await page.note("mine"), await page.note("another's")
        for client, inspection in ((one, mine), (two, others)):
            working = {"inspectionId": inspection, "status": "in-progress"}
            await call(client, "update_inspection_status", **working)
        waiting = asyncio.create_task(waited(one))
        await page.change(reply(others, "Not for one"))
        await page.change(reply(mine, "Bigger"))
        (found,) = await waiting
        assert (found["id"], found["status"], texts(found)) == (mine, "in-progress", ["Bigger"])
        assert await waited(one, 0) == []
        for client, said in ((one, []), (two, ["Not for one"]), (two, [])):
            answer = await call(client, "update_inspection_status", status="in-progress")
            assert texts(answer) == said


async def test_who_takes_an_inspection_over_hears_all_that_was_said_of_it(companion: Companion) -> None:
    async with (
        WirePage(companion) as page,
        agent(companion.mcp_url, "one", query="?clientId=one") as one,
        agent(companion.mcp_url, "two", query="?clientId=two") as two,
    ):
        inspection = await page.note("green")
        ended = {"inspectionId": inspection, "status": "completed", "message": "Green now."}
        await page.change(reply(inspection, "Moss, please"))
        assert texts(await call(one, "update_inspection_status", **ended)) == ["Moss, please"]
        await page.change(set_status(inspection, "pending", message="That is olive."))
        (found,) = await waited(two)
        assert texts(found) == ["Moss, please", "That is olive."]
        await call(one, "get_inspection", inspectionId=inspection)
        again = await call(two, "update_inspection_status", **ended)
        assert "replies" not in again
        (result,) = await page.change(accept(inspection))
        assert result["ok"]


async def test_the_users_order_is_that_of_the_list_and_of_who_waits(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        ids = [await page.note(f"note {n}", timestamp=1000 + n) for n in range(3)]
        await page.change(order(ids[2], 999.5))
        listed = (await call(client, "list_inspections"))["inspections"]
        assert [item["id"] for item in listed] == [ids[2], ids[0], ids[1]]
        assert [item["id"] for item in await waited(client)] == [ids[2]]
