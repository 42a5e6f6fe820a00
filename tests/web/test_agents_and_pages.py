"""Which page an agent's call goes to: the one it names, the one it is bound to, the one the user works in."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pageside.operations import read_page
from pageside.web.app import Companion
from support.agents import ERAS, Era, agent, call, fails
from support.page import WirePage

SHOP, BLOG = "http://localhost:5173/shop", "http://localhost:5174/blog"


async def here(_args: dict[str, Any]) -> Any:
    return {"readyState": "complete"}


@pytest.fixture
async def tabs(companion: Companion) -> Any:
    """Two pages that answer page_info: the shop and, used last, the blog."""
    async with WirePage(companion, SHOP, "The Shop") as shop, WirePage(companion, BLOG, "The Blog") as blog:
        shop.tools = blog.tools = {"page_info": here}
        yield shop, blog


async def asked(client: Any, **args: Any) -> str:
    """The page that answered."""
    return str((await call(client, "get_page_info", **args))["page"]["id"])


@pytest.mark.parametrize("era", ERAS)
async def test_a_page_is_named_by_id_title_or_address(
    companion: Companion, tabs: tuple[WirePage, WirePage], era: Era
) -> None:
    shop, blog = tabs
    async with agent(companion.mcp_url, era=era) as client:
        for wanted in (shop.id, "The Shop", "shop", "SHOP", ":5173/"):
            assert await asked(client, page=wanted) == shop.id
        assert await asked(client, page=":5174") == blog.id


async def test_an_id_wins_over_a_title_that_quotes_it(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        async with WirePage(companion, title=f"Notes on {page.id}") as other:
            page.tools = other.tools = {"page_info": here}
            assert await asked(client, page=page.id) == page.id
            assert await asked(client, page="Notes on") == other.id


async def test_an_ambiguous_page_is_asked_back_with_the_choice(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    async with agent(companion.mcp_url) as client:
        error = await fails(client, "get_page_info", page="localhost")
        assert error["code"] == "PAGE_AMBIGUOUS"
        assert {page["id"] for page in error["data"]["pages"]} == {page.id for page in tabs}
        assert {page["url"] for page in error["data"]["pages"]} == {SHOP, BLOG}


async def test_an_unknown_page_is_told_with_those_there_are(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    async with agent(companion.mcp_url) as client:
        error = await fails(client, "get_page_info", page="wiki")
        assert (error["code"], "'wiki'" in error["message"]) == ("PAGE_NOT_CONNECTED", True)
        assert len(error["data"]["pages"]) == 2


async def test_an_agent_starts_with_the_page_last_used_and_stays_with_it(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    shop, blog = tabs
    async with agent(companion.mcp_url) as client:
        assert await asked(client) == blog.id
        async with WirePage(companion, title="Just opened"):
            assert await asked(client) == blog.id
        assert await asked(client, page=shop.id) == shop.id
        assert await asked(client) == blog.id


async def test_every_agent_follows_the_user_from_page_to_page(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    shop, blog = tabs
    async with agent(companion.mcp_url, "one") as one, agent(companion.mcp_url, "two") as two:
        for page in (shop, blog, shop):
            assert (await page.send("update", used=True))[0] == 204
            assert [await asked(one), await asked(two)] == [page.id, page.id]
        assert (await blog.send("update", info=blog.info()))[0] == 204
        assert await asked(one) == shop.id


async def test_an_agent_of_another_puppet_stays_where_it_is(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    shop, blog = tabs
    async with agent(f"{companion.mcp_url}?clientId=viewer&puppetId=none") as client:
        assert await asked(client) == blog.id
        await shop.send("update", used=True)
        assert await asked(client) == blog.id


async def test_an_agent_goes_with_a_page_that_reloads(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    shop, blog = tabs
    async with agent(companion.mcp_url) as client:
        await shop.send("update", used=True)
        assert await asked(client) == shop.id
        async with WirePage(companion, SHOP, "The Shop", joins=False) as reloaded:
            reloaded.tools = {"page_info": here}
            await shop.send("close")
            await reloaded.open(replaces=shop.id)
            await blog.connect()
            assert await asked(client) == reloaded.id


async def test_the_bound_page_that_is_gone_gives_way_to_the_last_used(impatient_companion: Companion) -> None:
    companion = impatient_companion
    async with WirePage(companion, BLOG) as blog, WirePage(companion, SHOP) as shop:
        blog.tools = shop.tools = {"page_info": here}
        async with agent(companion.mcp_url) as client:
            assert await asked(client) == shop.id
            gone = asyncio.create_task(companion.world.pages.calls.call(shop.id, "pick_element", {}))
            await shop.next_call()
            await shop.drop_stream()
            await asyncio.wait({gone}, timeout=5)
            assert gone.exception() is not None
            assert await asked(client) == blog.id


async def test_page_info_lists_every_page_the_last_used_first(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    shop, blog = tabs
    async with agent(companion.mcp_url) as client:
        await shop.send("update", used=True)
        told = await call(client, "get_page_info", page=blog.id)
        assert [page["id"] for page in told["pages"]] == [shop.id, blog.id]
        assert told["project"] == str(companion.settings.project)
        assert (told["page"]["title"], told["info"]) == ("The Blog", {"readyState": "complete"})


async def test_calls_of_two_agents_to_two_pages_keep_apart(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    async def run(client: Any, page: WirePage, n: int) -> Any:
        return (await call(client, "execute_page_script", code=f"{n}", page=page.id))["value"]

    async def answer(args: dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        return {"value": int(args["code"]), "type": "number"}

    for page in tabs:
        page.tools = {"run_script": answer}
    async with agent(companion.mcp_url, "one") as one, agent(companion.mcp_url, "two") as two:
        jobs = [run(client, tabs[n % 2], n) for n, client in enumerate([one, two, two, one] * 8)]
        assert await asyncio.gather(*jobs) == list(range(32))


async def test_a_script_learns_that_its_page_was_reloaded(
    companion: Companion, tabs: tuple[WirePage, WirePage]
) -> None:
    shop, _ = tabs
    async with agent(companion.mcp_url) as client, WirePage(companion, SHOP, joins=False) as reloaded:
        script = asyncio.create_task(
            fails(client, "execute_page_script", code="location.reload()", page=shop.id)
        )
        await shop.next_call()
        await reloaded.open(replaces=shop.id)
        error = await script
        assert (error["code"], error["data"]) == ("PAGE_DISCONNECTED", {"call": "run_script"})
        assert "was not run again" in error["message"]
        assert reloaded.calls.empty()


async def test_a_script_that_takes_too_long_is_withdrawn(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_page, "_MARGIN_SECONDS", 0.05)
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        script = asyncio.create_task(fails(client, "execute_page_script", code="1", timeout=0.01))
        sent = await page.next_call()
        assert sent["args"] == {"code": "1", "timeoutMs": 10}
        assert (await script)["code"] == "COMMAND_TIMEOUT"
        assert (await page.next_cancel())["id"] == sent["id"]


async def test_a_result_that_is_too_large_is_refused_as_such(companion: Companion) -> None:
    async def large(_args: dict[str, Any]) -> Any:
        return {"value": "x" * 600_000, "type": "string"}

    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        page.tools = {"run_script": large}
        assert (await fails(client, "execute_page_script", code="1"))["code"] == "RESULT_TOO_LARGE"


async def test_a_visible_page_is_chosen_before_a_hidden_one_that_was_reloaded_later(
    companion: Companion,
) -> None:
    async with WirePage(companion, "http://localhost:5173/?hidden") as hidden, WirePage(companion) as seen:
        await hidden.send("update", info={**hidden.info(), "visible": False})
        again = WirePage(companion, "http://localhost:5173/?hidden")
        again.visible = False
        await again.open(replaces=hidden.id)
        async with agent(companion.mcp_url) as client:
            answer = await call(client, "capture_element_context", wait=0)
            assert (answer["page"]["id"], answer["page"]["visible"]) == (seen.id, True)
        await again.vanish()
