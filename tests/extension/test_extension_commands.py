"""The ten commands, in a real tab, as the companion sends them."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from playwright.async_api import Dialog

from pageside.contract import TABS
from pageside.errors import PagesideError
from pageside.web.app import Companion
from support.extension import Extension, UserTab
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Asked:
    """The connected tab, as the companion asks it."""

    def __init__(self, running: Companion, tab_id: str) -> None:
        self._tabs, self.id = running.world.extension_tabs, tab_id

    async def __call__(self, command: str, *, seconds: float = 20, **params: Any) -> dict[str, Any]:
        return await self._tabs.command(self.id, f"kapturemcp_{command}", params, seconds=seconds)

    async def refused(self, command: str, **params: Any) -> PagesideError:
        with pytest.raises(PagesideError) as caught:
            await self(command, **params)
        return caught.value


async def asked(running: Companion, tab: UserTab) -> Asked:
    return Asked(running, (await tab.state())["tabId"])


async def said(tab: UserTab) -> str | None:
    return await tab.page.text_content("#said")


async def test_a_click_is_trusted_and_answered_when_the_page_has_reacted(
    tab: UserTab, running: Companion
) -> None:
    ask = await asked(running, tab)

    done = await ask("click", selector="#add")
    assert done == {"success": True, "element": "<button#add>", "url": tab.page.url}
    assert await said(tab) == "added true"
    await ask("click", selector="#late")
    assert await said(tab) == "late"
    await ask("click", selector="#far")
    assert await said(tab) == "far"
    await ask("hover", selector="#menu")
    assert await said(tab) == "over"
    inside = await ask("click", selector="#host >>> button")
    assert inside["element"] == "<button>"


async def test_what_stands_in_the_way_is_said(tab: UserTab, running: Companion) -> None:
    ask = await asked(running, tab)

    assert (await ask.refused("click", selector="#nobody")).error_code == "ELEMENT_NOT_FOUND"
    assert (await ask.refused("click", selector="#[")).error_code == "INVALID_SELECTOR"
    covered = await ask.refused("click", selector="#covered button")
    assert (covered.error_code, covered.data["why"]) == (
        "ELEMENT_NOT_READY",
        "another element covers it: <div>",
    )
    missing = await ask.refused("click")
    assert (missing.error_code, missing.data["argument"]) == ("INVALID_ARGUMENTS", "selector")
    unknown = await ask.refused("dance")
    assert unknown.error_code == "INVALID_ARGUMENTS"
    assert "kapturemcp_navigate" in unknown.message


async def test_fields_of_every_kind_are_filled_and_passwords_are_never_told(
    tab: UserTab, running: Companion
) -> None:
    ask = await asked(running, tab)

    assert (await ask("fill", selector="[name=name]", value="Ada"))["value"] == "Ada"
    await ask("fill", selector="[name=words]", value="two\nlines")
    await ask("fill", selector="#rich", value="bold")
    await ask("fill", selector="[name=news]", value="true")
    await ask("select", selector="[name=colour]", value="Green")
    told = await ask("fill", selector="[name=password]", value="hunter-22")
    assert told["value"] == "<redacted>"
    values = await tab.page.evaluate(
        "[...document.querySelectorAll('[name]')].map((e) => e.type === 'checkbox' ? e.checked : e.value)"
    )
    assert values == ["Ada", "hunter-22", "g", True, "two\nlines"]
    assert await tab.page.text_content("#rich") == "bold"
    logs = await ask("logs")
    assert [each["message"] for each in logs["logs"]] == ["typed <redacted>"]
    assert "hunter-22" not in str(await tab.state())
    assert "hunter-22" not in str(await tab.console())
    no_option = await ask.refused("select", selector="[name=colour]", value="Blue")
    assert '"Red", "Green"' in no_option.message
    assert (await ask.refused("select", selector="[name=name]", value="x")).data["argument"] == "selector"


async def test_scripts_run_once_the_user_allows_them(
    tab: UserTab, running: Companion, extension: Extension
) -> None:
    ask = await asked(running, tab)

    refused = await ask.refused("evaluate", code="1 + 1")
    assert refused.error_code == "SCRIPT_NOT_ALLOWED"
    await tab.state("state.scriptWanted")
    assert await extension.badge(tab) == "!"
    await tab.allow_scripts()
    assert await ask("evaluate", code="document.title") == {"result": "Any tab"}
    assert await ask("evaluate", code="const a = await Promise.resolve(2); return a + 1") == {"result": 3}
    assert await ask("evaluate", code="const b = 4; b * 2") == {"result": 8}
    assert await ask("evaluate", code="undefined") == {"result": None}
    thrown = await ask.refused("evaluate", code="\nthrow new RangeError('too far')")
    assert thrown.error_code == "EXECUTION_ERROR"
    assert thrown.message.startswith("RangeError: too far\n")
    assert "<script>:2:7" in thrown.message
    assert (await ask.refused("evaluate", code="'x'.repeat(300_000)")).error_code == "RESULT_TOO_LARGE"
    known = running.world.extension_tabs.get(ask.id)
    assert known is not None
    assert known.scripts_allowed


async def test_an_endless_script_is_ended_in_time_and_the_next_command_runs(
    tab: UserTab, running: Companion
) -> None:
    ask = await asked(running, tab)
    await tab.allow_scripts()

    late = await ask.refused("evaluate", seconds=1, code="for (;;);")
    assert late.error_code == "COMMAND_TIMEOUT"
    assert await ask("evaluate", code="6 * 7") == {"result": 42}


async def test_commands_follow_one_another_and_one_that_waits_can_be_withdrawn(
    tab: UserTab, running: Companion
) -> None:
    ask = await asked(running, tab)
    await tab.allow_scripts()
    wait = "await new Promise((done) => { globalThis.go = done; }); return 'first'"

    first = asyncio.ensure_future(ask("evaluate", code=wait))
    await tab.state("state.connection === 'executing'")
    second = asyncio.ensure_future(ask("evaluate", code="globalThis.second = 1"))
    third = asyncio.ensure_future(ask("evaluate", code="'third'"))
    await tab.state("state.queued === 2")
    second.cancel()
    await tab.state("state.queued === 1")
    await tab.page.evaluate("go()")

    assert await first == {"result": "first"}
    assert await third == {"result": "third"}
    assert await tab.page.evaluate("typeof second") == "undefined"
    # The user's own command takes its turn too, and needs no leave.
    await tab.allow_scripts(allowed=False)
    assert (await tab.run("evaluate", code="1"))["result"] == {"result": 1}


async def test_pictures_show_the_viewport_or_an_element_and_fit_what_was_asked(
    tab: UserTab, running: Companion
) -> None:
    ask = await asked(running, tab)
    ratio = await tab.page.evaluate("devicePixelRatio")

    whole = await ask("screenshot", name="all")
    assert (whole["name"], whole["mime"]) == ("all", "image/png")
    size = await tab.page.evaluate("[visualViewport.width, visualViewport.height]")
    assert _png(whole["data"]) == (whole["width"], whole["height"])
    assert [whole["width"], whole["height"]] == [round(side * ratio) for side in size]
    box = await ask("screenshot", name="box", selector="#box")
    assert _png(box["data"]) == (120 * ratio, 60 * ratio)
    small = await ask("screenshot", name="small", width=100)
    assert _png(small["data"])[0] == 100
    hidden = await ask.refused("screenshot", name="none", selector="script")
    assert hidden.error_code == "ELEMENT_NOT_READY"
    # A view reads a picture when it shows it: it is told how the tab does up to 20 times a second.
    told = (await tab.state("state.outcomes.length === 4"))["outcomes"]
    assert [each["result"]["data"] for each in told[1:]] == ["", "", ""]


async def test_a_tab_behind_others_is_seen_and_used(
    extension: Extension, tab: UserTab, running: Companion, site: Site
) -> None:
    front = await extension.open("about:blank")
    ask = await asked(running, tab)

    assert (await ask("screenshot", name="behind"))["width"] > 0
    await ask("click", selector="#late")
    assert await said(tab) == "late"
    await front.page.close()


async def test_going_somewhere_and_back(tab: UserTab, running: Companion, site: Site) -> None:
    ask = await asked(running, tab)
    first = tab.page.url

    there = await ask("navigate", url=site.url("many.html"))
    assert (there["url"], there["status"]) == (site.url("many.html"), 200)
    assert (await ask("go_back"))["url"] == first
    assert (await ask("go_forward"))["url"] == site.url("many.html")
    end = await ask.refused("go_forward")
    assert (end.error_code, "nothing to go forward to" in end.message) == ("NAVIGATION_FAILED", True)
    click = await ask("navigate", url=first)
    assert click["title"] == "Any tab"
    assert (await ask("click", selector="a"))["url"] == site.url("many.html")


async def test_some_addresses_are_refused(tab: UserTab, running: Companion) -> None:
    ask = await asked(running, tab)

    for url in (
        "file:///etc/passwd",
        "javascript:alert(1)",
        "chrome://version",
        "/relative",
        "http://2852039166/",
    ):
        refused = await ask.refused("navigate", url=url)
        assert (refused.error_code, refused.data["argument"]) == ("INVALID_ARGUMENTS", "url"), url


async def test_what_comes_instead_of_a_page_is_said(tab: UserTab, running: Companion, site: Site) -> None:
    ask = await asked(running, tab)
    here = tab.page.url

    download = site.path("a,b", "text/csv", Content_Disposition="attachment")
    assert "is a download" in (await ask.refused("navigate", url=site.origin + download)).message
    never = await ask.refused("navigate", url=site.origin + site.slow(30), timeout=300)
    assert never.error_code == "COMMAND_TIMEOUT"
    assert tab.page.url == here
    closed = await ask.refused("navigate", url="http://127.0.0.1:9/")
    assert closed.error_code == "NAVIGATION_FAILED"
    slow = site.page(f"<title>Slow</title><img src={site.slow(30)}>")
    told = await ask("navigate", url=slow, timeout=700)
    assert (told["url"], told["loading"]) == (slow, True)


async def test_no_command_hangs_on_a_dialog(tab: UserTab, running: Companion) -> None:
    ask = await asked(running, tab)
    dialogs: asyncio.Queue[Dialog] = asyncio.Queue()
    tab.page.on("dialog", dialogs.put_nowait)

    done = await ask("click", selector="#ask")
    assert '"Delete all?"' in done["note"]
    refused = await ask.refused("click", selector="#add")
    assert (refused.error_code, refused.data["dialog"]["message"]) == ("DIALOG_OPEN", "Delete all?")
    assert (await ask("logs"))["logs"] == []
    await (await dialogs.get()).accept()
    assert await said(tab) == "true"
    again = asyncio.ensure_future(tab.page.evaluate("alert('Wait')"))
    await dialogs.get()
    assert (await ask.refused("hover", selector="#menu")).error_code == "DIALOG_OPEN"
    assert (await ask("navigate", url=tab.page.url))["title"] == "Any tab"
    await asyncio.gather(again, return_exceptions=True)


async def test_frames_of_other_sites_are_reached(
    extension: Extension, tab: UserTab, running: Companion, site: Site
) -> None:
    ask = await asked(running, tab)
    inner = site.path("<button onclick='this.textContent = event.isTrusted'>Inner</button>")
    outer = site.page(f"<h1>Outer</h1><iframe src='{site.other_origin}{inner}'></iframe>")
    await ask("navigate", url=outer)

    assert (await ask("click", selector="iframe >>> button"))["element"] == "<button>"
    frame = tab.page.frames[1]
    assert await frame.text_content("button") == "true"
    picture = await ask("screenshot", name="inner", selector="iframe >>> button")
    assert picture["width"] > 10


def _png(data: str) -> tuple[int, int]:
    head = base64.b64decode(data)[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


async def test_a_tab_takes_so_many_commands_and_no_more(tab: UserTab) -> None:
    for _ in range(TABS["limits"]["commandsPerTab"] + 1):
        await tab.tell("run", command="kapturemcp_evaluate", params={"code": "await new Promise(() => {})"})

    told = await tab.state("state.outcomes.length > 0")
    assert told["outcomes"][0]["error"]["code"] == "TOO_MANY"
    await tab.disconnect()
