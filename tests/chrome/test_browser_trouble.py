"""The toolset `browser` where something goes wrong: pages that hang, pictures that are late, a Chrome that ends."""

from __future__ import annotations

import mcp_types as t
import psutil
import pytest

from pageside.web.app import Companion
from support.agents import call, fails, text
from support.browser_agent import FORM, does, finds, reads, result_of, using
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_time_out_shows_the_page_as_it_is(running: Companion, site: Site) -> None:
    async with using(running, site.page(FORM)) as client:
        result = await client.call_tool("browser_wait", {"selector": "#late", "seconds": 0.3})
        assert text(result).startswith("COMMAND_TIMEOUT: ")
        (picture,) = [each for each in result.content if isinstance(each, t.ImageContent)]
        assert picture.mime_type == "image/jpeg"
        await result_of(
            client,
            "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>Late'), 300)",
        )
        assert await call(client, "browser_wait", selector="#late") == {"success": True}
        assert (await fails(client, "browser_wait"))["code"] == "INVALID_ARGUMENTS"


async def test_a_page_that_hangs_gives_its_last_picture(
    running: Companion, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pageside.chrome.activity.SETTLE_SECONDS", 0.3)
    monkeypatch.setattr("pageside.operations.glances.ANSWER_SECONDS", 0.5)
    page = "<title>Stuck</title><button onclick='setTimeout(() => { for (;;); }, 100)'>Hang</button>"
    async with using(running, site.page(page)) as client:
        _, before = await does(client, "scroll", direction="down")
        result = await client.call_tool("browser_click", {"text": "Hang"})
        assert text(result).startswith("COMMAND_TIMEOUT: ")
        assert [each.data for each in result.content if isinstance(each, t.ImageContent)] == [before.data]
        assert (await call(client, "browser_navigate", url=site.page("<title>Free</title>")))[
            "title"
        ] == "Free"


async def test_an_action_that_was_done_is_one_though_chrome_draws_no_picture_in_time(
    running: Companion, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pageside.toolsets.browser_answers._PICTURE_SECONDS", 0)
    async with using(running, site.page("<button onclick='document.title = 1'>Buy</button>")) as client:
        result = await client.call_tool("browser_click", {"text": "Buy"})
        assert not result.is_error, text(result)
        assert "No picture: Chrome drew none" in text(result)
        monkeypatch.undo()
        assert await result_of(client, "return document.title") == "1"


async def test_a_frame_that_hangs_keeps_nobody_from_what_is_around_it(
    running: Companion, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for where in ("find", "activity"):
        monkeypatch.setattr(f"pageside.chrome.{where}.FRAME_SECONDS", 0.5)
    frame = site.other_origin + site.path("<script>setTimeout(() => { for (;;); }, 100)</script>")
    page = "<title>Ads</title><button onclick='this.textContent = `Bought`'>Buy</button>"
    async with using(running, site.page(f"{page}<iframe src='{frame}'></iframe>")) as client:
        buy = (await finds(client, "buy"))[0]["ref"]
        result = await client.call_tool("browser_click", {"ref": buy})
        assert text(result).startswith("COMMAND_TIMEOUT: It was done. "), "what is secret in it is not known"
        assert "Bought" in await reads(client, mode="interactive")


async def test_after_chrome_ended_the_next_calls_work_or_say_what_happened(
    running: Companion, site: Site
) -> None:
    async with using(running, site.page("<title>Before</title>")) as client:
        pid = running.world.chrome._link._launcher.pid  # noqa: SLF001
        assert pid is not None
        process = psutil.Process(pid)
        process.kill()
        process.wait(5)
        gone = await fails(client, "browser_screenshot")
        assert (gone["code"], "browser_navigate" in gone["fix"]) == ("TAB_DISCONNECTED", True)
        arrived = await call(client, "browser_navigate", url=site.page("<title>After</title>"))
        assert arrived["title"] == "After"
        assert await result_of(client, "document.title") == "After"
