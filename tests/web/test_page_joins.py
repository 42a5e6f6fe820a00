"""A page joins the companion: under its own id, with its own key, within the limits."""

from __future__ import annotations

from typing import Any

import pytest

from pageside.contract import CHANNEL, LIMITS
from pageside.web.app import Companion
from support.changes import create, full_disk
from support.hub import ask, joining, listed
from support.page import WirePage

NAMES = CHANNEL["headers"]
STREAM = CHANNEL["prefix"] + CHANNEL["routes"]["stream"]


async def test_a_page_joins_and_learns_whom_it_talks_to(companion: Companion) -> None:
    async with WirePage(companion, joins=False) as page:
        hello = await page.open_stream()
        answer = await page.connect()
        assert hello == {"companion": answer["companion"], "protocol": 1}
        assert answer["project"]["name"] == companion.settings.project.name
        assert len(answer["project"]["id"]) == 16
        assert (answer["items"], answer["missing"], answer["results"]) == ([], [], [])
        assert listed(companion) == [page.id]


async def test_a_page_cannot_join_before_its_stream_is_open(companion: Companion) -> None:
    async with WirePage(companion, joins=False) as page:
        status, answer = await page.post("connect", joining(page))
        assert (status, answer["error"]["code"], listed(companion)) == (409, "PAGE_DISCONNECTED", [])


async def test_a_page_comes_back_with_its_key_on_any_channel(companion: Companion) -> None:
    async with WirePage(companion) as page:
        await page.connect()
        await page.drop_stream()
        page.channel = "another-channel-of-it"
        page.title = "Shop, later"
        await page.open()
        assert listed(companion) == [page.id]
        assert companion.world.pages.all()[0].title == "Shop, later"


@pytest.mark.parametrize(("key", "status"), [("a-key-of-somebody-else", 409), ("", 400), ("\ud800", 400)])
async def test_an_id_that_is_in_use_is_refused_and_its_page_goes_on(
    companion: Companion, key: str, status: int
) -> None:
    async with WirePage(companion) as page, WirePage(companion) as thief:
        refused, answer = await thief.post("connect", joining(thief, page=page.id, key=key))
        assert refused == status
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
        for field in ("page", "key", "channel"):
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
        assert (await first.post("connect", {**body, "replaces": ["document-number-07"]}))[0] == 200
        assert len(listed(companion)) == LIMITS["pages"]


async def test_there_is_room_for_so_many_streams(companion: Companion) -> None:
    async with WirePage(companion) as page:
        for n in range(1, LIMITS["pages"]):
            companion.world.pages.open_channel(f"channel-number-{n:02}", "run")
        async with page.session.get(f"{STREAM}?channel=one-channel-too-many") as response:
            assert response.status == 503
        await page.drop_stream()
        await page.open()
