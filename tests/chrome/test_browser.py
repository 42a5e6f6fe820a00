"""Tabs of a real Chrome: what ends them ends their calls by name and at once, and nothing of them stays behind."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from aiohttp import web

from pageside.chrome.browser import Browser
from pageside.chrome.navigation import check_url, go, navigate, reload
from pageside.chrome.session import Session
from pageside.chrome.tab import Tab
from pageside.errors import (
    ChromeLost,
    CommandTimeout,
    DialogOpen,
    InvalidArguments,
    NavigationFailed,
    PagesideError,
    TabCrashed,
    TabDisconnected,
)
from support.site import Site
from support.sockets import free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")

FOR_EVER = "new Promise(() => {})"


@pytest_asyncio.fixture(loop_scope="session")
async def second(chrome: Browser, tmp_path: Path) -> AsyncIterator[Browser]:
    """Another companion on the same Chrome."""
    assert chrome.endpoint is not None
    port = int(chrome.endpoint.address.rpartition(":")[2])
    settings = dataclasses.replace(chrome.settings, ports=(port,), auto_launch=False)
    browser = Browser(settings, tmp_path)
    yield browser
    await browser.close()


async def ends(*calls: Awaitable[object], seconds: float = 5.0) -> set[type[BaseException]]:
    """How they all end, long before their own time limits."""
    gathered = asyncio.gather(*calls, return_exceptions=True)
    return {
        type(each) for each in await asyncio.wait_for(gathered, seconds) if isinstance(each, BaseException)
    }


def pending(tab: Tab, count: int = 10) -> list[asyncio.Future[object]]:
    """Calls that wait for something that never happens, and waits for events."""
    calls = [asyncio.ensure_future(tab.evaluate(FOR_EVER, seconds=30)) for _ in range(count)]
    return [*calls, asyncio.ensure_future(tab.session.event("No.such"))]


async def until(holds: Callable[[], bool]) -> None:
    """Something that no event tells, within 5 s."""
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


# What is left behind


async def test_a_thousand_cycles_leave_nothing(chrome: Browser, tab: Tab) -> None:
    connection = await chrome.ensure()
    process = psutil.Process()

    async def cycle() -> None:
        session = (await chrome.tab(tab.id)).session.id
        gone = asyncio.ensure_future(connection.root.event("Target.detachedFromTarget"))
        await connection.root("Target.detachFromTarget", sessionId=session)
        await gone

    def kept() -> dict[str, int]:
        gc.collect()
        objects = gc.get_objects()
        return {
            "threads": threading.active_count(),
            "tasks": len(asyncio.all_tasks()),
            "sessions": connection.open_sessions,
            "calls": connection.open_calls,
            "tabs": sum(isinstance(each, Tab) for each in objects),
            "session objects": sum(isinstance(each, Session) for each in objects),
        }

    await cycle()
    descriptors, before = process.num_fds(), kept()
    for _ in range(CYCLES):
        await cycle()
    after = kept()
    assert all(after[name] <= before[name] + 1 for name in before), (before, after)
    assert process.num_fds() <= descriptors + 1
    await chrome.tab(tab.id)


CYCLES = 1_000


async def test_fifty_tabs_share_one_connection(chrome: Browser, second: Browser) -> None:
    connection = await second.ensure()
    opened = await asyncio.gather(*(second.new_tab("about:blank") for _ in range(50)))
    try:
        threads = [each.name for each in threading.enumerate() if each.name.startswith("pageside-chrome")]
        assert len(threads) == 4
        values = await asyncio.gather(*(tab.evaluate(str(n)) for n, tab in enumerate(opened)))
        assert values == list(range(50))
        numbers = [tab.id for tab in await second.tabs()]
        assert {tab.id for tab in opened} <= set(numbers)
    finally:
        await asyncio.gather(*(second.close_tab(tab.id) for tab in opened))
    assert second.attached == []
    await until(lambda: connection.open_sessions == 0)


# Two companions


async def test_two_companions_use_one_chrome(chrome: Browser, second: Browser, tab: Tab) -> None:
    other = await second.tab(tab.id)
    assert not second.is_launched
    await tab.evaluate("globalThis.shared = 7")
    assert await other.evaluate("shared") == 7
    waiting = pending(other)
    await second.close()
    assert await ends(*waiting) == {ChromeLost}
    assert await tab.evaluate("shared") == 7
    with pytest.raises(PagesideError):
        await second.tabs()


async def test_a_tab_that_the_other_companion_closes_is_gone(
    chrome: Browser, second: Browser, tab: Tab
) -> None:
    other = await second.tab(tab.id)
    waiting = pending(other)
    await chrome.close_tab(tab.id)
    assert await ends(*waiting) == {TabDisconnected}
    with pytest.raises(TabDisconnected):
        await second.tab(tab.id)
    with pytest.raises(TabDisconnected):
        await tab.evaluate("1")


# Ends


async def test_a_tab_that_is_closed_ends_all_its_calls(chrome: Browser, tab: Tab) -> None:
    waiting = pending(tab)
    await tab.evaluate("1")
    await chrome.close_tab(tab.id)
    assert await ends(*waiting) == {TabDisconnected}
    with pytest.raises(TabDisconnected, match="closed"):
        await tab.evaluate("1")
    with pytest.raises(TabDisconnected):
        await chrome.tab(tab.id)
    assert tab.id not in [each.id for each in await chrome.tabs()]


async def test_a_tab_that_closes_itself_ends_all_its_calls(tab: Tab) -> None:
    waiting = pending(tab)
    await tab.evaluate("setTimeout(() => window.close())")
    assert await ends(*waiting) == {TabDisconnected}


async def test_a_tab_that_is_closed_while_it_loads_ends_the_navigation(
    chrome: Browser, tab: Tab, site: Site
) -> None:
    going = asyncio.ensure_future(navigate(tab, site.page(f"<img src={site.slow(30)}>")))
    await tab.session.event("Page.lifecycleEvent", lambda params: params["name"] == "init")
    await chrome.close_tab(tab.id)
    assert await ends(going) == {TabDisconnected}


async def test_a_page_that_crashes_ends_all_calls_and_works_again_after_a_navigation(
    tab: Tab, site: Site
) -> None:
    await navigate(tab, site.page("<title>before</title>"))
    waiting = pending(tab)[:-1]
    await tab.evaluate("1")
    crash = asyncio.ensure_future(tab.session("Page.crash", seconds=5))
    assert await ends(*waiting, crash) == {TabCrashed}
    with pytest.raises(TabCrashed):
        await tab.evaluate("1")
    assert await navigate(tab, site.page("<title>after</title><script>console.log('alive')</script>"))
    assert await tab.evaluate("document.title") == "after"
    await until(lambda: any(entry.text == "alive" for entry in tab.console.entries()))


async def test_a_crashed_page_works_again_after_a_reload(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<title>page</title>"))
    await ends(tab.session("Page.crash", seconds=5))
    assert await reload(tab)
    assert await tab.evaluate("document.title") == "page"


async def test_a_page_that_crashes_while_it_loads_ends_the_navigation(tab: Tab, site: Site) -> None:
    going = asyncio.ensure_future(navigate(tab, site.page(f"<img src={site.slow(5)}>")))
    await tab.session.event("Page.lifecycleEvent", lambda params: params["name"] == "init")
    await ends(tab.session("Page.crash", seconds=5))
    assert await ends(going) == {TabCrashed}


async def test_a_tab_that_had_crashed_before_we_came_is_attached_and_works_again(
    second: Browser, tab: Tab, site: Site
) -> None:
    await navigate(tab, site.page("<title>before</title>"))
    await ends(tab.session("Page.crash", seconds=5))
    async with asyncio.timeout(5):
        other = await second.tab(tab.id)
    assert await ends(other.evaluate("1", seconds=1), seconds=2) <= {TabCrashed, CommandTimeout}
    assert await navigate(other, site.page("<title>after</title>"))
    assert await other.evaluate("document.title") == "after"
    assert not other.silent


# Dialogs


async def test_a_dialog_ends_all_calls_and_its_answer_takes_them_again(tab: Tab) -> None:
    waiting = pending(tab)[:-1]
    await tab.evaluate("setTimeout(() => alert('hello'))")
    assert await ends(*waiting) == {DialogOpen}
    with pytest.raises(DialogOpen) as caught:
        await tab.evaluate("1")
    assert caught.value.data["dialog"]["message"] == "hello"
    await tab.session("Page.handleJavaScriptDialog", accept=True)
    await until(lambda: tab.dialog is None)
    assert await tab.evaluate("1 + 1") == 2


async def test_a_page_whose_load_a_dialog_holds_up_is_left_at_that(chrome: Browser, site: Site) -> None:
    begun = time.monotonic()
    tab, loaded = await chrome.open_tab(site.page("<title>ask</title><script>alert('first')</script>"))
    assert not loaded
    assert time.monotonic() - begun < 8
    with pytest.raises(DialogOpen):
        await tab.evaluate("1")
    await tab.session("Page.handleJavaScriptDialog", accept=True)
    await until(lambda: tab.dialog is None)
    assert await tab.evaluate("document.title") == "ask"
    await chrome.close_tab(tab.id)


ASKS = "<title>old</title><script>onbeforeunload = () => 'stay'</script>"


async def test_a_page_that_asks_before_it_is_left_is_left(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(ASKS))
    await tab.evaluate("1")
    assert await navigate(tab, site.page("<title>new</title>"))
    assert await tab.evaluate("document.title") == "new"


async def test_a_page_that_asks_before_it_is_left_can_be_kept(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(ASKS))
    await tab.evaluate("1")
    elsewhere = site.page("<title>new</title>")
    for leaving in (
        navigate(tab, elsewhere, leave=False),
        reload(tab, leave=False),
        go(tab, -1, leave=False),
    ):
        begun = time.monotonic()
        with pytest.raises(NavigationFailed, match="answered to stay"):
            await leaving
        assert time.monotonic() - begun < 8
        assert tab.dialog is None
        assert await tab.evaluate("document.title") == "old"


async def test_a_dialog_from_before_we_came_does_not_lock_us_out(
    chrome: Browser, second: Browser, site: Site
) -> None:
    connection = await chrome.ensure()
    answer = await connection.root("Target.createTarget", url=site.page("<script>alert('early')</script>"))
    other = await second.tab(answer["targetId"])
    try:
        if other.silent:
            error = await asyncio.gather(other.evaluate("1", seconds=0.3), return_exceptions=True)
            assert "dialog" in str(error[0])
        assert await navigate(other, site.page("<title>on</title><script>console.log('heard')</script>"))
        assert await other.evaluate("document.title") == "on"
        assert not other.silent
        await until(lambda: any(entry.text == "heard" for entry in other.console.entries()))
    finally:
        await second.close_tab(other.id)


# Endless scripts and floods


async def test_an_endless_script_is_ended_by_a_navigation(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<script>setTimeout(() => { for (;;) {} }, 50)</script>"))
    started = time.monotonic()
    assert await ends(tab.evaluate("new Promise((done) => setTimeout(done, 200))", seconds=0.5)) == {
        CommandTimeout
    }
    assert await navigate(tab, site.page("<title>free</title>"))
    assert await tab.evaluate("document.title") == "free"
    assert time.monotonic() - started < 8


async def test_a_tab_with_an_endless_script_can_be_closed(chrome: Browser, site: Site) -> None:
    tab = await chrome.new_tab(site.page("<script>setTimeout(() => { for (;;) {} }, 50)</script>"))
    assert await ends(tab.evaluate("new Promise((done) => setTimeout(done, 200))", seconds=0.5)) == {
        CommandTimeout
    }
    begun = time.monotonic()
    await chrome.close_tab(tab.id)
    assert time.monotonic() - begun < 8


FLOOD = """<script>
let n = 0;
const timer = setInterval(() => { for (let i = 0; i < 100; i++) console.log('line ' + n++) }, 10);
</script>"""


async def test_a_tab_answers_while_another_floods_its_console(chrome: Browser, tab: Tab, site: Site) -> None:
    noisy = await chrome.new_tab(site.page(FLOOD))
    took, before = [], time.monotonic()
    while time.monotonic() - before < 2:
        begun = time.monotonic()
        assert await tab.evaluate("1") == 1
        took.append(time.monotonic() - begun)
    assert took, "it answered while the other one made noise"
    lines = await noisy.evaluate("clearInterval(timer), n", seconds=10)
    assert lines > 2_000
    await until(lambda: any(entry.text == f"line {lines - 1}" for entry in noisy.console.entries()))
    assert len(noisy.console.entries()) <= chrome.settings.console_size
    await chrome.close_tab(noisy.id)


# New tabs, navigation


async def test_a_tab_that_a_page_opens_is_noticed(chrome: Browser, tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<title>opener</title>"))
    url = site.page("<title>opened</title>")
    await tab.evaluate(f"window.open({url!r}) && true")
    await until(lambda: len(tab.opened) == 1)
    found = await chrome.tab(tab.opened[0])
    await navigate(found, url)
    assert await found.evaluate("document.title") == "opened"
    await chrome.close_tab(found.id)


async def test_a_tab_whose_page_cannot_be_opened_is_closed_again(chrome: Browser, site: Site) -> None:
    before = {each.id for each in await chrome.tabs()}
    with pytest.raises(NavigationFailed, match="ERR_CONNECTION_REFUSED"):
        await chrome.open_tab(f"http://127.0.0.1:{free_ports(1)[0]}/")
    assert {each.id for each in await chrome.tabs()} == before


async def test_opening_that_is_cancelled_leaves_no_tab(chrome: Browser, site: Site) -> None:
    before = {each.id for each in await chrome.tabs()}
    asked = asyncio.Event()

    async def answer(_request: web.Request) -> web.Response:
        asked.set()
        await asyncio.sleep(5)
        return web.Response()

    opening = asyncio.ensure_future(chrome.open_tab(site.origin + site.handle(answer)))
    await asyncio.wait_for(asked.wait(), 5)
    opening.cancel()
    await asyncio.wait([opening])
    assert {each.id for each in await chrome.tabs()} == before


async def test_slow_pages_are_told_apart_from_none(tab: Tab, site: Site) -> None:
    assert not await navigate(tab, site.page(f"<title>slow</title><img src={site.slow(3)}>"), seconds=0.5)
    assert await tab.evaluate("document.title") == "slow"
    with pytest.raises(CommandTimeout, match=r"Nothing was loaded within 0\.5 s"):
        await navigate(tab, site.origin + site.slow(3), seconds=0.5)
    # It was given up: Chrome would let every call wait for that answer.
    assert await tab.evaluate("document.title", seconds=2) == "slow"


async def test_back_and_forward_end_where_history_does(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<title>one</title>"))
    await navigate(tab, site.page("<title>two</title>"))
    assert await go(tab, -1)
    assert await tab.evaluate("document.title") == "one"
    assert await go(tab, 1)
    assert await tab.evaluate("document.title") == "two"
    with pytest.raises(NavigationFailed, match="nothing to go forward to"):
        await go(tab, 1)


async def test_many_who_ask_for_one_tab_get_the_same(second: Browser, tab: Tab) -> None:
    got = await asyncio.gather(*(second.tab(tab.id) for _ in range(20)))
    assert len({id(each) for each in got}) == 1
    assert (await second.ensure()).open_sessions == 1


@pytest.mark.parametrize("name", ["", "nonsense", "x" * 100_000, "\ud800"])
async def test_tabs_that_do_not_exist_are_told(chrome: Browser, name: str) -> None:
    with pytest.raises(TabDisconnected):
        await chrome.tab(name)


async def test_lone_surrogates_pass_through_chrome(tab: Tab) -> None:
    assert await tab.evaluate("'a\\ud800b'") == "a\ud800b"
    assert await tab.evaluate("'a\ud800b'.length") == 3


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:5173/",
        "https://example.com/a?b#c",
        "HTTP://localhost",
        "http://[::1]:80/",
        "about:blank",
        "http://10.0.0.1/",
        "http://169.253.1.1/",
    ],
)
async def test_what_may_be_opened(url: str) -> None:
    check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:5173",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "chrome://crash",
        "about:config",
        "view-source:http://a/",
        "http://",
        "http:///x",
        "http://[::1",
        "http://169.254.169.254/latest",
        "http://169.254.169.254.:80/",
        "http://2852039166/",
        "http://0xa9fea9fe/",
        "http://0251.0376.0251.0376/",
        "http://169.254.43518/",
        "http://169.254%2e169.254/",
        "http://１６９.254.169.254/",
        "http://169。254。169。254/",
        "http://[fe80::1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://user:pw@169.254.169.254/",
        "http://169.254.169.254\\@example.com/",
        "http:\\\\169.254.169.254\\",
    ],
)
async def test_what_may_not_be_opened(url: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        check_url(url)
    assert caught.value.data == {"argument": "url"}
    assert "pw" not in caught.value.message
