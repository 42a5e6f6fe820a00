"""What an action set off is there when somebody looks; a page that never rests holds nobody."""

from __future__ import annotations

import asyncio

import pytest

from pageside.chrome import act, scripts
from pageside.chrome.activity import settled
from pageside.chrome.find import Target
from pageside.chrome.navigation import location, navigate
from pageside.chrome.tab import Tab
from pageside.errors import CommandTimeout, ScriptFailed
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

GO = Target(selector="#go")
PAGE = """<title>Before</title><button id=go>Go</button><p id=out>nothing</p>
<script>const done = () => {{ out.textContent = 'done' }}; {script}</script>"""


async def shown(tab: Tab) -> str:
    """What an observation sees: it waits first."""
    await settled(tab)
    text: str = await tab.evaluate("out.textContent")
    return text


def on_click(script: str) -> str:
    return PAGE.format(script=f"go.onclick = () => {{ {script} }}")


@pytest.mark.parametrize("ms", [0, 30, 80, 150, 300, 600])
async def test_the_effect_of_a_timer_is_seen(tab: Tab, site: Site, ms: int) -> None:
    await navigate(tab, site.page(on_click(f"setTimeout(done, {ms})")))
    await act.click(tab, GO)
    assert await shown(tab) == "done"


@pytest.mark.parametrize("ms", [30, 150, 300, 600])
@pytest.mark.parametrize(
    "script",
    [
        "fetch('{path}').then((r) => r.json()).then(done)",
        "(async () => {{ const r = await fetch('{path}'); await r.text(); setTimeout(done, 50) }})()",
        "const x = new XMLHttpRequest(); x.open('GET', '{path}'); x.onload = done; x.send()",
    ],
    ids=["fetch", "await", "xhr"],
)
async def test_the_effect_of_a_request_is_seen(tab: Tab, site: Site, ms: int, script: str) -> None:
    await navigate(tab, site.page(on_click(script.format(path=site.slow(ms / 1000)))))
    await act.click(tab, GO)
    assert await shown(tab) == "done"


@pytest.mark.parametrize("ms", [0, 80, 150, 300, 600])
async def test_a_navigation_after_a_timer_is_awaited(tab: Tab, site: Site, ms: int) -> None:
    target = site.path("<title>After</title><p id=out>arrived</p>")
    await navigate(tab, site.page(on_click(f"setTimeout(() => location.href = '{target}', {ms})")))
    await act.click(tab, GO)
    assert await shown(tab) == "arrived"
    assert (await location(tab))["title"] == "After"


async def test_a_link_whose_server_takes_its_time_is_awaited(tab: Tab, site: Site) -> None:
    target = site.slow(0.3, "<title>After</title><p id=out>arrived</p>", "text/html")
    await navigate(tab, site.page(f"<a id=go href='{target}'>Go</a><p id=out>nothing</p>"))
    await act.click(tab, GO)
    assert await shown(tab) == "arrived"


async def test_a_page_that_ticks_by_itself_holds_nobody(tab: Tab, site: Site) -> None:
    ticking = "const tick = () => { document.title = Date.now(); setTimeout(tick, 50) }; tick();"
    polling = f"const poll = () => fetch('{site.slow(0.05)}').then(() => setTimeout(poll, 50)); poll();"
    await navigate(
        tab, site.page(PAGE.format(script=f"{ticking}{polling} go.onclick = () => setTimeout(done, 100)"))
    )
    await act.click(tab, GO)
    # What the page does by itself would be told as still under way.
    assert await settled(tab) == []
    assert await shown(tab) == "done"


async def test_an_endless_chain_that_the_click_began_ends_the_wait(tab: Tab, site: Site) -> None:
    script = "const again = () => { done(); setTimeout(again, 100) }; again()"
    await navigate(tab, site.page(on_click(script)))
    await act.click(tab, GO)
    assert await shown(tab) == "done"
    assert await settled(tab) == []


async def test_what_takes_too_long_is_named(tab: Tab, site: Site) -> None:
    path = site.slow(8)
    await navigate(tab, site.page(on_click(f"fetch('{path}').then(done)")))
    await act.click(tab, GO)
    assert await settled(tab) == [f"a request of {path}"]


async def test_the_page_gets_its_own_functions_back(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(on_click("setTimeout(done, 50)")))
    own = "[setTimeout, fetch, XMLHttpRequest.prototype.send, Response.prototype.json].map(String).join()"
    before = await tab.evaluate(own)
    await act.click(tab, GO)
    assert await shown(tab) == "done"
    assert await tab.evaluate(own) == before


async def test_a_cleared_timer_is_not_waited_for(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(on_click("clearTimeout(setTimeout(done, 900)); out.textContent = 'now'")))
    await act.click(tab, GO)
    assert await shown(tab) == "now"


async def test_what_the_page_or_an_agent_puts_over_a_function_stays(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(on_click("setTimeout(done, 50)")))
    await act.click(tab, GO)
    await scripts.run(tab, "() => { window.fetch = async function mock() {} }")
    assert await scripts.run(tab, "() => fetch.name") == "mock"
    await act.click(tab, GO)
    await tab.evaluate("Response.prototype.json = function ours() {}")
    assert await shown(tab) == "done"
    assert await scripts.run(tab, "[fetch.name, Response.prototype.json.name]") == ["mock", "ours"]


async def test_while_it_is_followed_a_function_looks_like_itself(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(on_click("out.textContent = [fetch.name, setTimeout.length].join()")))
    before = await tab.evaluate("[fetch.name, setTimeout.length].join()")
    await act.click(tab, GO)
    assert await shown(tab) == before


@pytest.mark.parametrize(
    "script",
    [
        "() => { setTimeout(done, 300) }",
        "setTimeout(done, 300)",
        "() => { go.click() }",
        "fetch('/').finally(done)",
    ],
)
async def test_what_a_script_sets_off_is_awaited(tab: Tab, site: Site, script: str) -> None:
    await navigate(tab, site.page(on_click("setTimeout(done, 400)")))
    await scripts.run(tab, script)
    assert await shown(tab) == "done"


async def test_a_script_may_work_as_long_as_it_was_given(tab: Tab, site: Site) -> None:
    busy = "() => { const end = performance.now() + 6000; while (performance.now() < end); return 'through' }"
    assert await scripts.run(tab, busy, seconds=20) == "through"


async def test_a_script_without_an_end_is_ended(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<p>fine</p>"))
    with pytest.raises(CommandTimeout):
        await scripts.run(tab, "while (true) {}", seconds=0.5)
    assert await scripts.run(tab, "document.body.textContent") == "fine"


async def test_a_page_without_an_end_is_named_with_what_helps(tab: Tab, site: Site) -> None:
    endless = asyncio.ensure_future(tab.session.event("Runtime.consoleAPICalled"))
    script = "setTimeout(() => { console.log('begun'); while (true) {} }, 50)"
    await navigate(tab, site.page(f"<script>{script}</script>"))
    await endless
    with pytest.raises(CommandTimeout, match="runs without an end") as caught:
        await settled(tab)
    assert "reload" in caught.value.fix
    await navigate(tab, site.page("<p>free</p>"))
    assert await scripts.run(tab, "1 + 1") == 2


@pytest.mark.parametrize(
    ("script", "places"),
    [
        ("() => {\n  throw new Error('no')\n}", "<script>:2:9"),
        ("null.x", "<script>:1:6"),
        ("const a = 1;\nconst b = a.x.y;", "<script>:2:"),
    ],
)
async def test_errors_name_places_of_the_script_alone(tab: Tab, script: str, places: str) -> None:
    with pytest.raises(ScriptFailed) as caught:
        await scripts.run(tab, script)
    assert places in caught.value.message
    assert caught.value.message.count(" at ") == 1
