"""The queue between pages, agents and the disk: nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pageside.contract import LIMITS
from pageside.processes.project import project_id
from pageside.settings import Settings
from pageside.web.app import Companion
from support.agents import agent, call, fails
from support.changes import Json, create, edit, full_disk, on_disk, restore, set_status
from support.page import WirePage


async def send(page: WirePage, *changes: Json) -> list[Any]:
    """The revision of each change, or the code with which it was refused."""
    status, answer = await page.send("changes", changes=list(changes))
    assert status == 200, answer
    return [result["rev"] if result["ok"] else result["error"]["code"] for result in answer["results"]]


def database(settings: Settings) -> Path:
    return settings.state / project_id(settings.project) / "inspections.sqlite3"


def same(companion: Companion) -> bool:
    """What is in memory is what is on disk."""
    return on_disk(database(companion.settings)) == {i["id"]: i for i in companion.world.inspections.all()}


async def test_changes_are_answered_in_order_with_the_items_as_they_are(companion: Companion) -> None:
    async with WirePage(companion) as page, WirePage(companion) as other:
        one, two = create("one", "Make it green"), create("two")
        again = edit("one", "Make it blue")
        status, answer = await page.send("changes", changes=[one, two, again, set_status("two", "deleted")])
        assert (status, [result["rev"] for result in answer["results"]]) == (200, [1, 1, 2, 2])
        assert [result["change"] for result in answer["results"]][:3] == [
            c["change"] for c in (one, two, again)
        ]
        told = {item["id"]: (item["status"], item["rev"], item["description"]) for item in answer["items"]}
        assert told == {"one": ("pending", 2, "Make it blue"), "two": ("deleted", 2, "")}
        seen = [(await other.next_items())[0] for _ in range(4)]
        assert [(item["id"], item["rev"]) for item in seen] == [
            ("one", 1),
            ("two", 1),
            ("one", 2),
            ("two", 2),
        ]
        assert same(companion)


async def test_a_change_sent_twice_by_two_pages_is_applied_once(companion: Companion) -> None:
    change = create("one")
    async with WirePage(companion) as page, WirePage(companion) as other:
        sent = await asyncio.gather(*(send(p, change, edit("one", "x")) for p in (page, other, page)))
        assert [results[0] for results in sent] == [1, 1, 1]
        assert sorted(results[1] for results in sent) == [2, 3, 4]
        assert len(companion.world.inspections.all()) == 1


async def test_exactly_once_holds_over_a_restart_of_the_companion(settings: Settings) -> None:
    changes = [create("one"), edit("one", "Make it blue"), create("two"), set_status("two", "deleted")]
    first = await Companion.start(settings)
    async with WirePage(first) as page:
        _, before = await page.send("changes", changes=changes)
    items = first.world.inspections.all()
    await first.stop()
    second = await Companion.start(settings)
    async with WirePage(second, joins=False) as page:
        await page.open_stream()
        joined = await page.connect(changes=changes)
        assert joined["results"] == before["results"]
        assert joined["items"] == [item for item in items if item["status"] != "deleted"]
        assert items == second.world.inspections.all()
    await second.stop()


async def test_illegal_changes_are_refused_one_by_one_and_change_nothing(companion: Companion) -> None:
    async with WirePage(companion) as page:
        assert await send(page, create("one")) == [1]
        before = companion.world.inspections.all()
        refused = [
            edit("nobody", "x"),
            edit("one", 7),
            set_status("one", "completed"),
            set_status("one", "gone"),
            create("no id!"),
            create("long", "x" * (LIMITS["descriptionChars"] + 1)),
            create("large", sourceInfo={"html": "x" * LIMITS["itemBytes"]}),
        ]
        codes = await send(page, *refused)
        assert codes == [
            "INSPECTION_NOT_FOUND",
            "INVALID_ARGUMENTS",
            *["BAD_TRANSITION"] * 2,
            *["INVALID_ARGUMENTS"] * 3,
        ]
        assert (companion.world.inspections.all(), same(companion)) == (before, True)
        assert await send(page, refused[0], create("two"), refused[2]) == [
            "INSPECTION_NOT_FOUND",
            1,
            "BAD_TRANSITION",
        ]


async def test_a_refusal_says_what_to_do(companion: Companion) -> None:
    async with WirePage(companion) as page:
        await page.note("Here", id="one")
        _, answer = await page.send("changes", changes=[set_status("one", "completed")])
        error = answer["results"][0]["error"]
        assert (error["code"], error["data"]["allowed"]) == ("BAD_TRANSITION", ["deleted"])
        assert error["fix"]


async def test_a_page_that_joins_gets_what_it_does_not_know(companion: Companion) -> None:
    async with WirePage(companion) as page:
        for name in ("one", "two", "three", "gone"):
            await page.note("Here", id=name)
        await send(page, edit("two", "changed"), set_status("gone", "deleted"))
        known = {"one": 1, "two": 1, "gone": 1, "elsewhere": 4, "also elsewhere": 0}
        answer = await page.connect(known=known)
        # Made within a millisecond they are in any order.
        assert {item["id"]: item["status"] for item in answer["items"]} == {
            "two": "pending",
            "three": "pending",
            "gone": "deleted",
        }
        assert sorted(answer["missing"]) == ["also elsewhere", "elsewhere"]


async def test_what_the_companion_lost_is_restored_by_a_page_with_all_that_had_become_of_it(
    companion: Companion,
) -> None:
    steps = {"steps": [{"id": 1, "title": "Find the rule", "status": "completed"}]}
    async with WirePage(companion) as page:
        kept = restore(
            "kept", status="completed", rev=7, message="It is green.", progress=steps, agent="Ada's"
        )
        assert await send(page, kept, restore("dead", status="deleted", rev=3)) == [7, 3]
        assert await send(page, restore("kept", rev=9), create("dead")) == [7, 3]
        item = companion.world.inspections.get("kept")
        assert (item["message"], item["progress"], item["agent"]) == ("It is green.", steps, "Ada's")
        assert [item["id"] for item in companion.world.inspections.living()] == ["kept"]
        assert await send(page, set_status("kept", "pending")) == [8]


async def test_a_full_queue_refuses_and_room_is_made_by_deleting(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "inspections", 3)
    async with WirePage(companion) as page:
        assert await send(page, *map(create, ("one", "two", "three", "four"))) == [
            1,
            1,
            1,
            "INVALID_ARGUMENTS",
        ]
        assert await send(page, restore("five", status="deleted")) == [1]
        assert await send(page, set_status("one", "deleted"), create("four")) == [2, 1]


async def test_the_user_deletes_while_the_agent_reports(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        wanted = await page.note("Make it green")
        await call(client, "update_inspection_status", inspectionId=wanted, status="in-progress")
        assert await send(page, set_status(wanted, "deleted")) == [3]
        for report in ({"inspectionId": wanted}, {}):
            error = await fails(
                client, "update_inspection_status", status="completed", message="Done", **report
            )
            assert error["code"] == "INSPECTION_NOT_FOUND"
            assert "the user deleted it" in error["message"]
        assert (await fails(client, "get_inspection", inspectionId=wanted))["code"] == "INSPECTION_NOT_FOUND"
        assert (await call(client, "list_inspections"))["total"] == 0


async def test_reports_and_deletes_that_race_leave_a_tombstone(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        for n in range(10):
            wanted = await page.note(f"note {n}")
            report = client.call_tool(
                "update_inspection_status", {"inspectionId": wanted, "status": "in-progress"}
            )
            await asyncio.gather(report, send(page, set_status(wanted, "deleted")))
        assert {item["status"] for item in companion.world.inspections.all()} == {"deleted"}
        assert same(companion)


async def test_the_user_reopens_and_the_agent_finds_it_again(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url, "Ada's agent") as client:
        wanted = await page.note("Make it green")
        steps = {"steps": [{"id": 1, "title": "Paint", "status": "completed"}]}
        done: Json = {"inspectionId": wanted, "status": "completed", "message": "Done", "progress": steps}
        await call(client, "update_inspection_status", **done)
        waiting = asyncio.create_task(call(client, "wait_for_inspection"))
        assert await send(page, set_status(wanted, "pending", message="Still red")) == [3]
        (found,) = (await waiting)["inspections"]
        assert (found["id"], found["status"], found["message"]) == (wanted, "pending", "Still red")
        assert not {"progress", "agent"} & set(found)


async def test_finishing_another_inspection_does_not_end_the_current_one(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        current, other = await page.note("First"), await page.note("Second")
        await call(client, "update_inspection_status", inspectionId=current, status="in-progress")
        await call(client, "update_inspection_status", inspectionId=other, status="failed", message="No")
        done = await call(client, "update_inspection_status", status="completed", message="Yes")
        assert done["inspectionId"] == current


async def test_a_disk_without_room_is_told_and_nothing_is_half_done(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        wanted = await page.note("Make it green")
        before, change = companion.world.inspections.all(), create("two")
        with full_disk():
            status, answer = await page.send("changes", changes=[change])
            assert (status, answer["error"]["code"]) == (507, "STORE_FAILED")
            error = await fails(client, "update_inspection_status", inspectionId=wanted, status="in-progress")
            assert (error["code"], "nothing was changed" in error["fix"]) == ("STORE_FAILED", True)
            assert (await call(client, "list_inspections"))["total"] == 1
        assert (companion.world.inspections.all(), same(companion)) == (before, True)
        assert await send(page, change) == [1]
        assert same(companion)


async def test_of_a_batch_the_part_that_found_room_counts_and_the_rest_may_be_sent_again(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [create("one"), create("two"), create("three")]
    queue = companion.world.inspections
    async with WirePage(companion) as page:
        disk = full_disk()
        queue.listen(lambda items: disk.__enter__() if items[0]["id"] == "two" else None)
        status, _ = await page.send("changes", changes=changes)
        disk.__exit__(None, None, None)
        assert (status, [item["id"] for item in queue.all()]) == (507, ["one", "two"])
        assert await send(page, *changes) == [1, 1, 1]
        assert same(companion)


async def test_an_agent_that_hangs_up_leaves_memory_and_disk_the_same(companion: Companion) -> None:
    async with WirePage(companion) as page:
        wanted = [await page.note(f"note {n}") for n in range(8)]
        async with agent(companion.mcp_url) as client:
            reports = [
                asyncio.create_task(
                    client.call_tool(
                        "update_inspection_status", {"inspectionId": one, "status": "in-progress"}
                    )
                )
                for one in wanted
            ]
            await page.next_items()
            for report in reports:
                report.cancel()
            await asyncio.wait(reports)
        await page.note("and the queue goes on")
        assert same(companion)


@pytest.fixture
def damaged(settings: Settings) -> None:
    database(settings).parent.mkdir(parents=True)
    database(settings).write_bytes(b"this is no database")


@pytest.mark.usefixtures("damaged")
async def test_a_damaged_queue_is_kept_aside_and_the_companion_starts(settings: Settings) -> None:
    companion = await Companion.start(settings)
    kept = companion.world.inspections.damaged
    assert kept is not None
    assert await asyncio.to_thread(kept.read_bytes) == b"this is no database"
    async with WirePage(companion) as page:
        assert await send(page, create("one")) == [1]
    await companion.stop()
