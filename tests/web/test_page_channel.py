"""Calls to pages: answered once, by the page that was asked, or ended by what happens to it."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import pytest

from pageside.contract import LIMITS
from pageside.errors import CommandTimeout, PageBusy, PageDisconnected, ReportedByPage, TooMany
from pageside.hubs import page_calls
from pageside.web.app import Companion
from support.hub import ask, joining, listed
from support.page import WirePage


async def test_a_call_ends_at_its_time_limit_and_the_page_is_told(companion: Companion) -> None:
    async with WirePage(companion) as page:
        with pytest.raises(CommandTimeout, match=r"page_info within 0\.05 s"):
            await ask(companion, page.id, seconds=0.05)
        call, cancel = await page.next_call(), await page.next_cancel()
        assert cancel == {"page": page.id, "id": call["id"], "reason": "time limit"}
        assert call["timeoutMs"] == 50
        assert await page.answer(call, {}) == 410


async def test_a_caller_that_gives_up_takes_its_call_back(companion: Companion) -> None:
    async with WirePage(companion) as page:
        pending = ask(companion, page.id)
        call = await page.next_call()
        pending.cancel()
        assert (await page.next_cancel())["reason"] == "cancelled"
        assert await page.answer(call, {}) == 410


async def test_only_the_page_that_was_asked_can_answer_and_only_once(companion: Companion) -> None:
    async with WirePage(companion) as page, WirePage(companion) as other:
        pending = ask(companion, page.id)
        call = await page.next_call()
        assert await other.answer(call, "forged") == 410
        assert await other.fail(call, "EXECUTION_ERROR", "forged") == 410
        assert other.calls.empty()
        assert await page.answer(call, "true") == 204
        assert await page.answer(call, "again") == 409
        assert await page.fail(call, "EXECUTION_ERROR", "again") == 409
        assert await other.answer(call, "forged") == 410
        assert await pending == "true"


@pytest.mark.parametrize("call_id", [None, 5, "", "made-up", ["x"]])
async def test_an_answer_to_nothing_is_gone(companion: Companion, call_id: Any) -> None:
    async with WirePage(companion) as page:
        status, answer = await page.send("answer", id=call_id, result=1)
        assert (status, answer["error"]["code"]) == (410, "CANCELLED")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"code": "ELEMENT_NOT_FOUND", "message": "No #x."}, "ELEMENT_NOT_FOUND"),
        ({"code": "MADE_UP", "message": "Odd."}, "EXECUTION_ERROR"),
        ({"code": 5, "message": None, "data": "text"}, "EXECUTION_ERROR"),
        ({}, "EXECUTION_ERROR"),
    ],
)
async def test_a_page_s_error_reaches_the_caller_with_a_known_code(
    companion: Companion, error: dict[str, Any], code: str
) -> None:
    async with WirePage(companion) as page:
        pending = ask(companion, page.id)
        call = await page.next_call()
        assert (await page.send("answer", id=call["id"], error=error))[0] == 204
        with pytest.raises(ReportedByPage) as failed:
            await pending
        assert failed.value.error_code == code
        assert failed.value.message


async def test_a_page_has_so_many_calls_at_once(companion: Companion) -> None:
    async with WirePage(companion) as page:
        pending = [ask(companion, page.id) for _ in range(LIMITS["callsPerPage"])]
        asked = [await page.next_call() for _ in pending]
        with pytest.raises(PageBusy):
            await ask(companion, page.id)
        await page.answer(asked[0], "room")
        assert (await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED))[0].pop().result() == "room"
        pending.append(ask(companion, page.id))
        await page.next_call()
        for call in pending:
            call.cancel()
        await asyncio.wait(pending)


async def test_all_pages_together_have_so_many_calls_at_once(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_calls, "MAX_CALLS", 3)
    async with WirePage(companion) as page, WirePage(companion) as other:
        pending = [ask(companion, page.id), ask(companion, page.id), ask(companion, other.id)]
        first = await page.next_call()
        with pytest.raises(TooMany, match="3 calls to pages"):
            await ask(companion, other.id)
        await page.answer(first, "room")
        assert await pending[0] == "room"
        pending[0] = ask(companion, other.id)
        for number, each in enumerate((page, other, other)):
            await each.answer(await each.next_call(), number)
        assert set(await asyncio.gather(*pending)) == {0, 1, 2}


@pytest.mark.parametrize("closes_first", [True, False])
async def test_a_reload_takes_repeatable_calls_along_and_ends_the_others(
    companion: Companion, closes_first: bool
) -> None:
    async with WirePage(companion) as before, WirePage(companion, joins=False) as after:
        info, script = ask(companion, before.id), ask(companion, before.id, "run_script")
        asked = await before.next_call()
        await before.next_call()
        if closes_first:
            assert (await before.send("close"))[0] == 204
            await before.drop_stream()
        await after.open(replaces=before.id)
        with pytest.raises(
            PageDisconnected, match=r"run_script ended because the page was reloaded.*not run again"
        ):
            await script
        moved = await after.next_call()
        assert moved == {**asked, "page": after.id}
        assert await before.answer(asked, "too late") == 410
        assert await after.answer(moved, "from the new document") == 204
        assert await info == "from the new document"
        assert listed(companion) == [after.id]


async def test_a_script_for_a_document_that_has_left_runs_once_in_the_next_one(companion: Companion) -> None:
    async with WirePage(companion) as before, WirePage(companion, joins=False) as after:
        await before.send("close")
        script = ask(companion, before.id, "run_script")
        await after.open(replaces=before.id)
        asked = await after.next_call()
        # It is a script like any other from now on.
        await after.send("close")
        with pytest.raises(PageDisconnected, match="whether it took effect is unknown"):
            await script
        assert (asked["tool"], asked["page"], before.calls.empty()) == ("run_script", after.id, True)


async def test_a_script_that_no_document_heard_of_says_no_more_than_that_the_page_is_gone(
    impatient_companion: Companion,
) -> None:
    async with WirePage(impatient_companion) as page:
        await page.send("close")
        with pytest.raises(PageDisconnected, match=r"run_script ended because the page was closed\.$"):
            await ask(impatient_companion, page.id, "run_script")


async def test_a_successor_answers_before_it_is_told_that_it_is_connected(companion: Companion) -> None:
    async with WirePage(companion) as before, WirePage(companion, joins=False) as after:
        info = ask(companion, before.id)
        await before.next_call()
        await after.open_stream()
        unread = asyncio.create_task(after.post("connect", joining(after, replaces=[before.id])))
        assert await after.answer(await after.next_call(), "at once") == 204
        assert await info == "at once"
        assert (await unread)[0] == 200


@pytest.mark.parametrize("was_connected", [True, False])
@pytest.mark.parametrize("told_by", ["itself", "its successor"])
async def test_a_document_that_left_joins_no_more_however_late_its_request_arrives(
    companion: Companion, told_by: str, was_connected: bool
) -> None:
    async with WirePage(companion, joins=False) as left, WirePage(companion, joins=False) as page:
        await left.open_stream()
        if was_connected:
            await left.connect()
        if told_by == "itself":
            assert (await left.send("close"))[0] == 204
        await page.open(replaces=left.id if told_by == "its successor" else None)
        status, answer = await left.post("connect", joining(left))
        assert (status, answer["error"]["code"]) == (410, "PAGE_DISCONNECTED")
        assert page.id in listed(companion)
        assert all(each.left for each in companion.world.pages.all() if each.id == left.id)


async def test_a_document_whose_grace_is_over_joins_no_more_either(impatient_companion: Companion) -> None:
    async with WirePage(impatient_companion) as page:
        info = ask(impatient_companion, page.id)
        await page.send("close")
        with pytest.raises(PageDisconnected):
            await info
        status, answer = await page.post("connect", joining(page))
        assert (status, answer["error"]["code"]) == (410, "PAGE_DISCONNECTED")


async def test_a_script_for_a_stream_that_is_gone_runs_in_the_next_document(companion: Companion) -> None:
    async with WirePage(companion) as before, WirePage(companion, joins=False) as after:
        known = companion.world.pages.get(before.id)
        assert known is not None
        known.channel.close()
        await before.ended.wait()
        script = ask(companion, before.id, "run_script")
        await before.send("close")
        await after.open(replaces=before.id)
        assert await after.answer(await after.next_call(), "run here") == 204
        assert await script == "run here"


async def test_a_script_that_waits_too_long_for_a_document_was_not_run(companion: Companion) -> None:
    async with WirePage(companion) as page:
        await page.send("close")
        with pytest.raises(CommandTimeout, match="run_script was not run"):
            await ask(companion, page.id, "run_script", seconds=0.05)


async def test_what_holds_for_a_tab_survives_documents_that_were_hardly_there(
    impatient_companion: Companion,
) -> None:
    companion = impatient_companion
    async with (
        WirePage(companion) as first,
        WirePage(companion, joins=False) as hasty,
        WirePage(companion, joins=False) as last,
    ):
        assert (await first.send("brakes", paused=True))[0] == 200
        activity = companion.world.activity
        done = activity.begin("get_page_info", "inspector", "Ada", "")
        activity.reached(done, first.id)
        activity.end(done, "ok", 1)
        await hasty.open(replaces=first.id)
        leaving = ask(companion, hasty.id)
        await hasty.send("close")
        with pytest.raises(PageDisconnected):
            await leaving
        joined = await last.open(replaces=[hasty.id, first.id])
        assert joined["brakes"]["paused"] is True
        assert [each["tool"] for each in joined["activity"]] == ["get_page_info"]


async def test_documents_may_follow_one_another_for_long(companion: Companion) -> None:
    async with WirePage(companion) as page:
        info = ask(companion, page.id)
        for _ in range(5):
            replaced, page.id = page.id, secrets.token_urlsafe(16)
            await page.connect(replaces=replaced)
            assert listed(companion) == [page.id]
        calls = [await page.next_call() for _ in range(6)]
        assert await page.answer(calls[-1], "at last") == 204
        assert await info == "at last"


async def test_a_document_that_is_left_before_it_knows_itself_connected_is_replaced_all_the_same(
    companion: Companion,
) -> None:
    async with (
        WirePage(companion) as first,
        WirePage(companion, joins=False) as hasty,
        WirePage(companion, joins=False) as last,
        WirePage(companion, joins=False) as copy,
    ):
        companion.world.timeline.add("console", "of the first", page=first.id)
        await hasty.open(replaces=first.id)
        await last.open(replaces=[hasty.id, first.id])
        assert [page.id for page in companion.world.pages.all()] == [last.id]
        told = [entry.text for entry in companion.world.timeline.read(last.id)]
        assert "of the first" in told
        # Who is there stays, whatever a copy of its tab remembers.
        await copy.open(replaces=first.id)
        assert {page.id for page in companion.world.pages.all()} == {last.id, copy.id}


async def test_a_copy_of_a_tab_replaces_nobody_that_is_not_there(companion: Companion) -> None:
    async with WirePage(companion) as page, WirePage(companion, joins=False) as other:
        await other.open(replaces="a-document-of-the-past")
        assert set(listed(companion)) == {page.id, other.id}
        await other.connect(replaces=other.id)
        assert set(listed(companion)) == {page.id, other.id}


async def test_a_closed_page_ends_scripts_at_once_and_the_rest_after_the_grace(
    impatient_companion: Companion,
) -> None:
    async with WirePage(impatient_companion) as page:
        script = ask(impatient_companion, page.id, "run_script")
        info = ask(impatient_companion, page.id)
        await page.next_call()
        await page.send("close")
        with pytest.raises(PageDisconnected, match="run_script"):
            await asyncio.wait_for(script, 5)
        with pytest.raises(PageDisconnected, match="page_info ended because the page was closed") as failed:
            await asyncio.wait_for(info, 5)
        assert failed.value.data == {"call": "page_info"}
        assert listed(impatient_companion) == []
        assert (await page.send("update", used=True))[0] == 410


async def test_a_page_whose_stream_stays_away_is_gone_after_the_grace(impatient_companion: Companion) -> None:
    async with WirePage(impatient_companion) as page:
        script = ask(impatient_companion, page.id, "run_script")
        await page.next_call()
        await page.drop_stream()
        with pytest.raises(PageDisconnected):
            await asyncio.wait_for(script, 5)
        assert listed(impatient_companion) == []
        await page.open()
        assert listed(impatient_companion) == [page.id]


async def test_a_page_restored_from_the_back_forward_cache_stays(companion: Companion) -> None:
    async with WirePage(companion) as page, WirePage(companion, joins=False) as restored:
        info = ask(companion, page.id)
        await page.next_call()
        await page.send("close")
        await page.drop_stream()
        await restored.open(replaces=page.id)
        await restored.answer(await restored.next_call(), "still here")
        assert await info == "still here"
        known = companion.world.pages.get(restored.id)
        assert known is not None
        assert known.leaving is None
