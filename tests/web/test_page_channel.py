"""The page channel on real sockets: joining, leaving, coming back, and what becomes of open calls."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import pytest

from pageside.contract import CHANNEL, LIMITS
from pageside.errors import CommandTimeout, PageBusy, PageDisconnected, ReportedByPage, ShuttingDown
from pageside.hubs import channel
from pageside.web import page_channel
from pageside.web.app import Companion
from support.changes import create, full_disk
from support.door import Door
from support.page import WirePage
from support.raw import head

NAMES = CHANNEL["headers"]
STREAM = CHANNEL["prefix"] + CHANNEL["routes"]["stream"]


def ask(companion: Companion, page: str, tool: str = "page_info", **options: Any) -> asyncio.Task[Any]:
    """A call to the page, on its way."""
    call: Coroutine[Any, Any, Any] = companion.world.pages.call(page, tool, {}, **options)
    return asyncio.create_task(call)


def listed(companion: Companion) -> list[str]:
    return [page.id for page in companion.world.pages.all()]


def joining(who: WirePage, /, **more: Any) -> dict[str, Any]:
    """What this page sends to connect for the first time."""
    return {"page": who.id, "channel": who.channel, "info": {}, "changes": [], "known": {}, **more}


# Joining


async def test_a_page_joins_and_learns_whom_it_talks_to(companion: Companion) -> None:
    async with WirePage(companion, joins=False) as page:
        hello = await page.open_stream()
        answer = await page.connect()
        assert hello == {"companion": answer["companion"], "protocol": 1}
        assert answer["project"]["name"] == companion.settings.project.name
        assert (len(answer["project"]["id"]), len(answer["key"]) >= 32) == (16, True)
        assert (answer["items"], answer["missing"], answer["results"]) == ([], [], [])
        assert listed(companion) == [page.id]


async def test_a_page_cannot_join_before_its_stream_is_open(companion: Companion) -> None:
    async with WirePage(companion, joins=False) as page:
        status, answer = await page.post("connect", joining(page))
        assert (status, answer["error"]["code"], listed(companion)) == (409, "PAGE_DISCONNECTED", [])


async def test_a_page_comes_back_with_its_key_on_any_channel(companion: Companion) -> None:
    async with WirePage(companion) as page:
        key = page.key
        await page.connect()
        assert page.key == key
        await page.drop_stream()
        page.channel = "another-channel-of-it"
        page.title = "Shop, later"
        await page.open()
        assert (page.key, listed(companion)) == (key, [page.id])
        assert companion.world.pages.all()[0].title == "Shop, later"


@pytest.mark.parametrize("key", [None, "wrong", "\ud800"])
async def test_an_id_that_is_in_use_is_refused_and_its_page_goes_on(
    companion: Companion, key: str | None
) -> None:
    async with WirePage(companion) as page, WirePage(companion) as thief:
        status, answer = await thief.post("connect", joining(thief, page=page.id, key=key))
        assert status == 409
        assert answer["error"]["code"] != "PAGE_DISCONNECTED", "pages wait for the next hello on that one"
        pending = ask(companion, page.id)
        assert await page.answer(await page.next_call(), {"mine": True}) == 204
        assert await pending == {"mine": True}


@pytest.mark.parametrize("route", ["update", "changes", "answer", "close"])
async def test_a_wrong_key_opens_no_other_page(companion: Companion, route: str) -> None:
    async with WirePage(companion) as page, WirePage(companion) as thief:
        for key in (thief.key, "", None, page.key[:-1]):
            body = {"page": page.id, "key": key, "changes": [create("one")], "id": "call", "result": 1}
            status, answer = await thief.post(route, body)
            assert (status, answer["error"]["code"]) == (410, "PAGE_DISCONNECTED")
        assert (await page.send("update", used=True))[0] == 204
        assert companion.world.inspections.all() == []


@pytest.mark.parametrize("bad", ["", "short", "x" * 65, "sixteen chars ok", "0123456789abcde/", None, 5])
async def test_ids_are_of_one_form(companion: Companion, bad: Any) -> None:
    async with WirePage(companion) as page:
        for field in ("page", "channel"):
            body = joining(page, page="a-fresh-document-id") | {field: bad}
            status, answer = await page.post("connect", body)
            assert (status, answer["error"]["code"]) == (400, "BAD_REQUEST")
        async with page.session.get(f"{STREAM}?channel={bad}") as response:
            assert response.status == 400


async def test_another_project_s_page_is_refused_and_the_own_one_is_not(companion: Companion) -> None:
    async with WirePage(companion) as page:
        own = (await page.connect())["project"]["id"]
        for project, status in ((own, 204), ("0" * 16, 409), ("", 409)):
            page.session.headers[NAMES["project"]] = project
            assert (await page.send("update", used=True))[0] == status


@pytest.mark.parametrize("bad", [{"changes": 1}, {"changes": [{}] * 501}, {"known": []}, {"info": None}])
async def test_a_page_that_is_refused_is_not_half_connected(
    companion: Companion, bad: dict[str, Any]
) -> None:
    async with WirePage(companion, joins=False) as page:
        await page.open_stream()
        status, answer = await page.post("connect", joining(page, **bad))
        assert (status, answer["error"]["code"], listed(companion)) == (400, "BAD_REQUEST", [])
        await page.connect()


async def test_a_page_whose_changes_find_no_room_can_join_later(companion: Companion) -> None:
    async with WirePage(companion, joins=False) as page:
        await page.open_stream()
        change = create("one")
        with full_disk():
            status, answer = await page.post("connect", joining(page, changes=[change]))
        assert (status, answer["error"]["code"]) == (507, "STORE_FAILED")
        joined = await page.connect(changes=[change])
        assert (joined["results"][0]["ok"], [item["id"] for item in joined["items"]]) == (True, ["one"])


async def test_secrets_in_the_address_and_title_are_not_kept(companion: Companion) -> None:
    async with WirePage(
        companion, "http://ada:hunter2@localhost:5173/?token=hunter2", "at ?code=hunter2"
    ) as page:
        assert "hunter2" not in str(companion.world.pages.get(page.id))
        page.url += "&password=hunter2"
        await page.send("update", info=page.info())
        assert "hunter2" not in str(companion.world.pages.get(page.id))


async def test_there_is_room_for_so_many_pages_and_a_reload_needs_none(companion: Companion) -> None:
    async with WirePage(companion) as first:
        for n in range(1, LIMITS["pages"]):
            assert (await first.post("connect", joining(first, page=f"document-number-{n:02}")))[0] == 200
        body = joining(first, page="document-too-many")
        status, answer = await first.post("connect", body)
        assert (status, answer["error"]["code"]) == (503, "TOO_MANY")
        assert (await first.post("connect", {**body, "replaces": "document-number-07"}))[0] == 200
        assert len(listed(companion)) == LIMITS["pages"]


async def test_there_is_room_for_so_many_streams(companion: Companion) -> None:
    async with WirePage(companion) as page:
        for n in range(1, LIMITS["pages"]):
            companion.world.pages.open_channel(f"channel-number-{n:02}", "run")
        async with page.session.get(f"{STREAM}?channel=one-channel-too-many") as response:
            assert response.status == 503
        await page.drop_stream()
        await page.open()


# The stream


async def test_a_second_stream_of_the_same_channel_ends_the_first(companion: Companion) -> None:
    async with WirePage(companion) as page:
        first = page.ended
        await page.open()
        await asyncio.wait_for(first.wait(), 5)
        assert not page.ended.is_set()
        pending = ask(companion, page.id)
        await page.answer(await page.next_call(), {})
        await pending


async def test_a_stream_that_comes_back_brings_the_unanswered_calls_once(companion: Companion) -> None:
    async with WirePage(companion) as page:
        pending = [ask(companion, page.id, tool) for tool in ("page_info", "run_script", "pick_element")]
        sent = [await page.next_call() for _ in pending]
        await page.answer(sent[2], "picked")
        await page.drop_stream()
        await page.open()
        again = [await page.next_call(), await page.next_call()]
        assert again == sent[:2]
        for n, call in enumerate(again):
            assert await page.answer(call, n) == 204
        assert await asyncio.gather(*pending) == [0, 1, "picked"]
        assert page.calls.empty()


async def test_calls_made_while_the_stream_is_away_arrive_when_it_is_back(companion: Companion) -> None:
    async with WirePage(companion) as page:
        await page.drop_stream()
        pending = ask(companion, page.id)
        await asyncio.sleep(0)
        await page.open()
        await page.answer(await page.next_call(), "late but there")
        assert await pending == "late but there"


async def test_a_quiet_stream_says_that_it_is_there(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_channel, "_PING_SECONDS", 0.01)
    async with WirePage(companion, joins=False) as page:
        async with page.session.get(f"{STREAM}?channel={page.channel}") as response:
            async with asyncio.timeout(5):
                lines = [await response.content.readline() for _ in range(8)]
    assert lines[0] == b"event: hello\n"
    assert lines[3:] == [b": still here\n", b"\n"] * 2 + [b": still here\n"]


@pytest.mark.parametrize("reads_on", [True, False])
async def test_a_reader_that_falls_behind_is_cut_off_and_may_come_back(
    companion: Companion, door: Door, monkeypatch: pytest.MonkeyPatch, reads_on: bool
) -> None:
    monkeypatch.setattr(page_channel, "_WRITE_SECONDS", 0.2)
    monkeypatch.setattr(channel, "MAX_BYTES", 300_000)
    async with WirePage(companion, joins=False) as page, WirePage(companion) as other:
        stuck = await asyncio.to_thread(stuck_stream, companion, page.channel)
        with stuck:
            await page.connect()
            call = ask(companion, page.id)
            while (status := await page.post("connect", joining(page, key=page.key)))[0] == 200:
                companion.world.pages.broadcast("inspections", {"items": ["x" * 100_000]})
                await asyncio.wait_for(other.items.get(), 5)
            assert status[1]["error"]["code"] == "PAGE_DISCONNECTED"
            assert not other.ended.is_set()
            if not reads_on:
                async with asyncio.timeout(5):
                    while await door.left.get() != STREAM:
                        pass
            assert await asyncio.to_thread(read_to_the_end, stuck) == reads_on
        await page.open()
        again = await page.next_call()
        await page.answer(again, "after all")
        assert await call == "after all"
        assert page.calls.empty()


def stuck_stream(companion: Companion, channel_id: str) -> socket.socket:
    """A stream whose reader takes the head and then stops; the system's buffers are as small as they get."""
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stream.settimeout(5)
    stream.connect(("127.0.0.1", companion.port))
    headers = {"Host": f"localhost:{companion.port}", NAMES["pageToken"]: companion.secrets.page}
    stream.sendall(head("GET", f"{STREAM}?channel={channel_id}", headers))
    while b"event: hello" not in stream.recv(4096, socket.MSG_PEEK):
        pass
    return stream


def read_to_the_end(stream: socket.socket) -> bool:
    """True when the response was ended in order, False when the connection was."""
    tail = b""
    with suppress(ConnectionError):
        while not tail.endswith(b"\r\n0\r\n\r\n"):
            received = stream.recv(65536)
            if not received:
                return False
            tail = (tail + received)[-7:]
        return True
    return False


# Calls


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


# Leaving


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
        key = page.key
        page.key = ""
        await page.open()
        assert (listed(impatient_companion), page.key != key) == ([page.id], True)


async def test_a_page_restored_from_the_back_forward_cache_stays(companion: Companion) -> None:
    async with WirePage(companion) as page:
        info = ask(companion, page.id)
        await page.next_call()
        await page.send("close")
        await page.drop_stream()
        await page.open()
        await page.answer(await page.next_call(), "still here")
        assert await info == "still here"
        known = companion.world.pages.get(page.id)
        assert known is not None
        assert known.leaving is None


# Stopping


async def test_a_stop_ends_open_calls_and_streams_at_once(companion: Companion) -> None:
    async with WirePage(companion) as page, WirePage(companion) as other:
        calls = [(p.id, tool) for p in (page, other) for tool in ("page_info", "run_script")]
        pending = [ask(companion, page_id, tool) for page_id, tool in calls]
        await page.next_call()
        await other.next_call()
        async with asyncio.timeout(2):
            companion.world.pages.stop()
            errors = await asyncio.gather(*pending, return_exceptions=True)
            await page.ended.wait()
            await other.ended.wait()
        assert [getattr(error, "error_code", None) for error in errors] == ["SHUTTING_DOWN"] * 4
        with pytest.raises(ShuttingDown):
            await ask(companion, page.id)
        async with page.session.get(f"{STREAM}?channel=0123456789abcdef") as response:
            assert response.status == 503
