"""The console of a connected tab: kept over navigation and reload, bounded, and said as DevTools says it."""

from __future__ import annotations

from typing import Any

import pytest

from pageside.contract import TABS
from pageside.web.app import Companion
from support.extension import UserTab
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def logs(running: Companion, tab: UserTab, **params: Any) -> dict[str, Any]:
    tab_id = (await tab.state())["tabId"]
    return await running.world.extension_tabs.command(tab_id, "kapturemcp_logs", params, seconds=20)


async def messages(running: Companion, tab: UserTab) -> list[str]:
    return [each["message"] for each in (await logs(running, tab))["logs"]]


async def test_the_console_survives_navigation_and_reload(
    tab: UserTab, running: Companion, site: Site
) -> None:
    one, two = (site.page(f"<script>console.log('{name}')</script>") for name in ("one", "two"))
    await tab.page.goto(one)
    await tab.page.goto(two)
    await tab.page.reload()

    await tab.state("state.consoleCount === 3")
    assert await messages(running, tab) == ["two", "two", "one"]


async def test_a_document_that_chrome_kept_whole_tells_nothing_twice(
    tab: UserTab, running: Companion, site: Site
) -> None:
    shown = "addEventListener('pageshow', ({ persisted }) => console.log('kept', persisted))"
    await tab.page.goto(site.page(f"<script>console.log('made'); {shown}</script><img src='/nowhere.png'>"))
    await tab.page.goto(site.url("many.html"))
    tab_id = (await tab.state())["tabId"]
    await running.world.extension_tabs.command(tab_id, "kapturemcp_go_back", {}, seconds=20)
    await tab.page.evaluate("console.log('then')")
    await tab.state("state.consoleCount >= 5")

    told = [each for each in await messages(running, tab) if "404" not in each]
    assert told == ["then", "kept true", "kept false", "made"]
    assert (await tab.state())["consoleCount"] == 5


async def test_what_was_logged_before_is_there_once_however_often_the_tab_is_connected(
    tab: UserTab, running: Companion
) -> None:
    await tab.disconnect()
    await tab.page.evaluate("console.log('between')")
    assert running.tab_port is not None
    for _ in range(2):
        await tab.connect(running.tab_port)
        assert await messages(running, tab) == ["between"]
        await tab.disconnect()


async def test_frames_of_other_sites_tell_theirs_once_too(
    tab: UserTab, running: Companion, site: Site
) -> None:
    inner = site.path("<script>console.log('inner')</script>")
    await tab.page.goto(site.page(f"<iframe src='{site.other_origin}{inner}'></iframe>"))
    await tab.state("state.consoleCount === 1")
    await tab.disconnect()
    assert running.tab_port is not None
    await tab.connect(running.tab_port)
    await tab.page.frames[1].evaluate("console.log('again')")
    await tab.state("state.consoleCount >= 2")

    assert await messages(running, tab) == ["again", "inner"]


async def test_errors_nobody_caught_and_what_chrome_itself_says_are_there(
    tab: UserTab, running: Companion, site: Site
) -> None:
    page = site.page("<script>null.x</script><img src='/nowhere.png'>")
    await tab.page.goto(page)
    await tab.state("state.consoleCount === 2")

    told = (await logs(running, tab))["logs"]
    assert {each["level"] for each in told} == {"error"}
    text = "\n".join(each["message"] for each in told)
    assert "Uncaught TypeError: Cannot read properties of null (reading 'x')\n    at http" in text
    assert "404 (Not Found)" in text


async def test_values_are_told_as_devtools_shows_them(tab: UserTab, running: Companion) -> None:
    await tab.page.evaluate("""() => {
      console.log('%s is %d years, %cred', 'Ada', 36.5, 'color: red', { a: 1, b: 'two', c: [1, 2] });
      console.warn([1, 'x', null], new Map([['k', 1]]), undefined, 12n);
      console.info(document.body, function named(a) {});
      console.debug(new RangeError('far').message);
      console.assert(false, 'not so');
    }""")
    await tab.state("state.consoleCount === 5")

    told = [(each["level"], each["message"]) for each in (await logs(running, tab))["logs"]]
    assert told == [
        ("error", "Assertion failed: not so"),
        ("debug", "far"),
        ("info", "body ƒ function named(a)"),
        ("warning", '[1, "x", null] Map(1) {"k" => 1} undefined 12n'),
        ("log", 'Ada is 36 years, red {a: 1, b: "two", c: Array(2)}'),
    ]


async def test_the_newest_messages_are_kept_and_the_others_counted(tab: UserTab, running: Companion) -> None:
    size = TABS["limits"]["consoleEntries"]
    await tab.page.evaluate(
        "chars => { for (let i = 1; i <= 2000; i += 1) console.log(i); console.log('x'.repeat(chars)) }",
        TABS["limits"]["entryChars"] + 5,
    )
    shown = await tab.console()
    assert len(shown) == size

    told = await logs(running, tab, max=3)
    assert told["dropped"] == 2001 - size
    assert [each["message"][:4] for each in told["logs"]] == ["xxxx", "2000", "1999"]
    assert told["logs"][0]["message"].endswith("… [5 more characters]")
    assert told["logs"][1]["timestamp"] <= told["logs"][0]["timestamp"]
    assert (await tab.state())["consoleCount"] == 2001
    await tab.tell("clearConsole")
    await tab.state("state.consoleCount === 0")
    assert await logs(running, tab) == {"logs": []}
