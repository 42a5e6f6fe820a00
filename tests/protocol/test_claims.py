"""Two agents and one queue: nobody gets the same item, and a silent agent's item goes back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp import Client

from pageside.core import claims
from pageside.web.app import Companion
from support.agents import ERAS, Era, agent, call, fails
from support.page import WirePage


async def _claim(client: Client, inspection: str, **more: Any) -> dict[str, Any]:
    return await call(
        client, "update_inspection_status", inspectionId=inspection, status="in-progress", **more
    )


@pytest.mark.parametrize("era", ERAS)
async def test_two_waiting_agents_never_get_the_same_item(companion: Companion, era: Era) -> None:
    async with (
        WirePage(companion) as page,
        agent(companion.mcp_url, "one", era, query="?clientId=one") as one,
        agent(companion.mcp_url, "two", era, query="?clientId=two") as two,
    ):
        waiting = [asyncio.create_task(call(each, "wait_for_inspection")) for each in (one, two)]
        wanted = {await page.note("first"), await page.note("second")}
        found = [answer["inspections"] for answer in await asyncio.gather(*waiting)]
        assert {items[0]["id"] for items in found} == wanted
        assert [len(items) for items in found] == [1, 1]
        assert (await call(one, "wait_for_inspection"))["inspections"] == found[0]


async def test_agents_that_cannot_be_told_apart_do_not_get_the_same_item(companion: Companion) -> None:
    async with (
        WirePage(companion) as page,
        agent(companion.mcp_url, "twin", "auto") as one,
        agent(companion.mcp_url, "twin", "auto") as two,
    ):
        wanted = {await page.note("first"), await page.note("second")}
        found = [(await call(each, "wait_for_inspection"))["inspections"][0]["id"] for each in (one, two)]
        assert set(found) == wanted
        await _claim(one, found[0])
        await call(one, "update_inspection_status", status="in-progress", message="The only one")
        await _claim(two, found[1])
        doubtful = await fails(one, "update_inspection_status", status="completed", message="Which?")
        assert (doubtful["code"], "inspectionId" in doubtful["message"]) == ("INSPECTION_NOT_FOUND", True)


async def test_a_refused_claim_leaves_the_item_to_others(companion: Companion) -> None:
    async with (
        WirePage(companion) as page,
        agent(companion.mcp_url, "one") as one,
        agent(companion.mcp_url, "two") as two,
    ):
        wanted = await page.note("done already")
        await call(one, "update_inspection_status", inspectionId=wanted, status="completed", message="Done")
        refused = await fails(one, "update_inspection_status", inspectionId=wanted, status="in-progress")
        assert refused["code"] == "BAD_TRANSITION"
        reopen = {"change": "reopen-1", "at": 1, "kind": "status", "inspection": wanted, "status": "pending"}
        assert (await page.send("changes", changes=[reopen]))[1]["results"][0]["ok"]
        assert (await call(two, "wait_for_inspection"))["inspections"][0]["id"] == wanted


async def test_another_agents_item_cannot_be_written(companion: Companion) -> None:
    async with (
        WirePage(companion) as page,
        agent(companion.mcp_url, "Ada's agent") as one,
        agent(companion.mcp_url, "two") as two,
    ):
        wanted = await page.note("mine")
        await _claim(one, wanted)
        for status in ("in-progress", "completed", "deleted"):
            error = await fails(
                two, "update_inspection_status", inspectionId=wanted, status=status, message="x"
            )
            assert (error["code"], error["data"]["agent"]) == ("CLAIMED", "Ada's agent")
        await call(one, "update_inspection_status", status="completed", message="Done")


async def test_a_silent_agents_item_goes_back_and_its_late_write_is_refused(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "LEASE_SECONDS", 0.2)
    async with (
        WirePage(companion) as page,
        agent(companion.mcp_url, "Ada's agent") as one,
        agent(companion.mcp_url, "two") as two,
    ):
        wanted = await page.note("slow")
        steps = [
            {"id": 1, "title": "Read", "status": "completed"},
            {"id": 3, "title": "Change the rule", "status": "in-progress"},
        ]
        waiting = asyncio.create_task(_until_pending(page))
        await _claim(one, wanted, progress={"steps": steps})
        back = await asyncio.wait_for(waiting, 5)
        assert back["message"] == "Abandoned by Ada's agent at step 3: Change the rule."
        assert back["progress"]["steps"] == steps
        late = await fails(two, "update_inspection_status", status="completed", message="late")
        assert late["code"] == "INSPECTION_NOT_FOUND"
        late = await fails(one, "update_inspection_status", status="completed", message="late")
        assert late["code"] == "CLAIMED"
        monkeypatch.setattr(claims, "LEASE_SECONDS", 600)
        assert (await call(two, "wait_for_inspection"))["inspections"][0]["id"] == wanted
        await _claim(two, wanted)
        await call(two, "update_inspection_status", status="completed", message="Done by two")


async def _until_pending(page: WirePage) -> dict[str, Any]:
    """The first item that is pending again after it was not."""
    left = False
    while True:
        (item,) = await page.next_items()
        left = left or item["status"] != "pending"
        if left and item["status"] == "pending":
            return item


async def test_progress_renews_the_claim(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "LEASE_SECONDS", 0.6)
    loop = asyncio.get_running_loop()
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        wanted = await page.note("long")
        start = loop.time()
        while loop.time() - start < 1.5:
            await _claim(client, wanted)
        item = (await call(client, "get_inspection", inspectionId=wanted))["inspection"]
        assert item["status"] == "in-progress"


async def test_an_agent_that_left_frees_what_it_had(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "ORPHANED_SECONDS", 0.2)
    async with WirePage(companion) as page, agent(companion.mcp_url, "two") as two:
        reserved, worked_on = await page.note("reserved"), await page.note("worked on")
        waiting = asyncio.create_task(_until_pending(page))
        async with agent(companion.mcp_url, "one") as one:
            assert (await call(one, "wait_for_inspection"))["inspections"][0]["id"] == reserved
            await _claim(one, worked_on)
        assert (await asyncio.wait_for(waiting, 5))["id"] == worked_on
        assert (await call(two, "wait_for_inspection"))["inspections"][0]["id"] == reserved
        await _claim(two, worked_on)
