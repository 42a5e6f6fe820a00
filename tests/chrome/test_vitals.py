"""What a page costs is told with its cause: the element, the script and its place in the source."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from aiohttp import web

from pageside.chrome import act, vitals
from pageside.chrome.browser import Browser
from pageside.chrome.documents import Handle, handle
from pageside.chrome.find import Target
from pageside.chrome.insights import NAMES, Insight, insight, insights
from pageside.chrome.navigation import navigate, reload
from pageside.chrome.sources import sources_of
from pageside.chrome.tab import Tab
from pageside.chrome.trace import summary, tracing_of
from pageside.errors import ChromeError
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

BUSY = "const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };\n"
# Chrome takes an image with hardly any data for a background.
SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='600' height='400'>"
    f"<rect width='600' height='400' fill='teal'/><!--{'x' * 20_000}--></svg>"
)


async def measured(tab: Tab) -> vitals.Vitals:
    return await vitals.read(tab, await sources_of(tab, Path("/")))


async def finding(tab: Tab, name: str) -> Insight:
    found = insight(await measured(tab), name)
    assert found is not None
    return found


async def element(tab: Tab, uid: str) -> Handle:
    found = await handle(tab.documents.of_uid(uid), "element", uid, label=uid)
    assert found is not None
    return found


async def tag(tab: Tab, uid: str) -> str:
    found = await element(tab, uid)
    answer = await found.session(
        "Runtime.callFunctionOn",
        objectId=found.object_id,
        functionDeclaration="function () { return this.id }",
        returnByValue=True,
    )
    return str(answer["result"]["value"])


def slow_image(site: Site, seconds: float) -> str:
    return site.slow(seconds, SVG, "image/svg+xml")


async def drawn(tab: Tab) -> None:
    await tab.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"
    )


async def test_the_largest_paint_is_explained_by_its_image(tab: Tab, site: Site) -> None:
    image = slow_image(site, 0.4)
    await navigate(
        tab, site.page(f"<!doctype html><p>Text</p><img id=hero src='{image}' width=600 height=400>")
    )
    await drawn(tab)
    told = await measured(tab)
    lcp = told["lcp"]
    assert lcp["url"] == site.origin + image
    assert lcp["element"]["selector"] == "#hero"
    assert await tag(tab, lcp["element"]["uid"]) == "hero"
    assert lcp["phases"]["resourceLoadDuration"] >= 390
    assert sum(lcp["phases"].values()) == pytest.approx(lcp["ms"], abs=1)
    found = insight(told, "LCPBreakdown")
    assert found is not None
    assert "Longest phase: loading its resource" in found.summary
    assert image in found.cause
    assert image in (await finding(tab, "SlowestResources")).summary


async def test_a_late_image_without_size_is_the_culprit_of_a_shift(tab: Tab, site: Site) -> None:
    image = slow_image(site, 0.3)
    await navigate(
        tab,
        site.page(
            f"<!doctype html><img id=late src='{image}' style='width: 300px'><p id=moved>Text that moves</p>"
            "<div style='height: 600px; background: silver'></div>"
        ),
    )
    await drawn(tab)
    told = await measured(tab)
    assert told["cls"]["value"] > 0.05
    worst = told["cls"]["worst"][0]
    assert "#moved" in [each["element"]["selector"] for each in worst["moved"]]
    found = insight(told, "CLSCulprits")
    assert found is not None
    assert "#late" in found.cause
    assert "has no width and height" in found.cause


@pytest.mark.parametrize(("style", "culprit"), [("", "#banner"), ("style='margin-top: 16px'", "grew from")])
async def test_a_banner_that_is_put_on_top_is_the_culprit_of_a_shift(
    tab: Tab, site: Site, style: str, culprit: str
) -> None:
    await navigate(
        tab,
        site.page(
            f"<!doctype html><style>* {{ margin: 0 }}</style><main id=main {style}><p id=moved>Text</p>"
            "<div style='height: 500px; background: silver'></div></main>"
        ),
    )
    await drawn(tab)
    await tab.evaluate(
        "main.insertAdjacentHTML('beforebegin', '<div id=banner style=\"height: 200px\">Cookies?</div>')"
    )
    await drawn(tab)
    found = await finding(tab, "CLSCulprits")
    assert found.is_finding
    assert culprit in found.cause


async def test_a_slow_handler_is_the_cause_of_a_slow_interaction(tab: Tab, site: Site) -> None:
    script = site.path(
        f"{BUSY}\n\nconst slow = document.querySelector('#slow');\n"
        "slow.addEventListener('click', function onSlowClick() { busy(150); slow.textContent = 'done' });\n",
        "text/javascript",
    )
    await navigate(
        tab, site.page(f"<!doctype html><button id=slow>Go</button><script src='{script}'></script>")
    )
    await drawn(tab)
    await act.click(tab, Target(selector="#slow"))
    await drawn(tab)
    told = await measured(tab)
    inp = told["inp"]
    assert inp["ms"] >= 144
    assert inp["target"]["selector"] == "#slow"
    assert inp["phases"]["processing"] >= 140
    assert sum(inp["phases"].values()) == pytest.approx(inp["ms"], abs=8)
    found = insight(told, "INPBreakdown")
    assert found is not None
    assert "Longest phase: its handlers" in found.summary
    assert f"{script.removeprefix('/')}:5:" in found.cause


async def test_quick_interactions_are_seen_once_pageside_looked(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<!doctype html><button id=b onclick='this.textContent += 1'>Go</button>"))
    assert (await measured(tab))["inp"] is None
    await act.click(tab, Target(selector="#b"))
    await drawn(tab)
    inp = (await measured(tab))["inp"]
    assert inp is None or inp["ms"] < 200


async def test_long_tasks_are_named_by_function_and_place(tab: Tab, site: Site) -> None:
    script = site.path(f"{BUSY}\nsetTimeout(function heavy() {{ busy(120) }}, 30);\n", "text/javascript")
    await navigate(tab, site.page(f"<!doctype html><p>Text</p><script src='{script}'></script>"))
    await tab.evaluate("new Promise((done) => setTimeout(done, 300))")
    found = await finding(tab, "LongTasks")
    assert "long task" in found.summary
    # On a busy machine something else may take long as well; the longest comes first.
    assert "heavy" in found.cause
    assert f"{script.removeprefix('/')}:3:" in found.cause


async def test_what_keeps_the_page_from_being_drawn_is_named(tab: Tab, site: Site) -> None:
    sheet = site.slow(0.2, "p { color: green }", "text/css")
    await navigate(tab, site.page(f"<!doctype html><link id=sheet rel=stylesheet href='{sheet}'><p>Text</p>"))
    await drawn(tab)
    found = await finding(tab, "RenderBlocking")
    assert sheet in found.cause
    assert "#sheet" in found.cause
    lcp = await finding(tab, "LCPBreakdown")
    assert "element render delay" in lcp.summary
    assert sheet in lcp.cause


async def test_redirects_slow_servers_and_plain_text_make_a_document_late(tab: Tab, site: Site) -> None:
    page = site.slow(0.9, f"<!doctype html><p>{'text ' * 1000}</p>", "text/html")

    async def redirect(_request: web.Request) -> web.Response:
        raise web.HTTPFound(page)

    await navigate(tab, site.origin + site.handle(redirect))
    found = await finding(tab, "DocumentLatency")
    assert "needs improvement" in found.summary
    for part in ("1 redirect took", "the server took 9", "not compressed"):
        assert part in found.cause


async def test_a_quick_and_quiet_page_gives_nothing_to_report(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page("<!doctype html><p>Text</p>"))
    await drawn(tab)
    found = {each.name: each for each in insights(await measured(tab))}
    assert tuple(found) == NAMES
    # On a busy machine anything can take long; the page's scripts are not to blame.
    quiet = set(NAMES) - {"LCPBreakdown", "LongTasks"}
    assert not any(each["scripts"] for each in (found["LongTasks"].details or {"worst": []})["worst"])
    assert [name for name in quiet if not found[name].summary.startswith("Nothing to report")] == []
    assert found["LCPBreakdown"].is_finding
    json.dumps([each.to_json() for each in found.values()])


async def test_secrets_in_urls_of_resources_are_not_told(tab: Tab, site: Site) -> None:
    script = site.path("1", "text/javascript")
    await navigate(tab, site.page(f"<!doctype html><p>x</p><script src='{script}?token=hunter2'></script>"))
    told = json.dumps(await measured(tab))
    assert script in told
    assert "hunter2" not in told


async def test_a_trace_is_a_file_for_devtools_without_secrets(tab: Tab, site: Site) -> None:
    page = site.page(f"<!doctype html><h1>Text</h1><script>{BUSY} setTimeout(() => busy(90), 50)</script>")
    await navigate(tab, f"{page}?token=hunter2")
    tracing = tracing_of(tab)
    await tracing.start()
    await reload(tab)
    await tab.evaluate("new Promise((done) => setTimeout(done, 300))")
    trace = await tracing.stop()
    text = gzip.decompress(trace).decode()
    assert {"ts", "pid", "name"} <= set(json.loads(text)["traceEvents"][0])
    assert page in text
    assert "hunter2" not in text
    told = await summary(trace, tab.id)
    assert told["navigated"]
    assert told["lcp"] > 0
    assert told["longTasks"][0]["ms"] >= 85
    assert told["mainThread"]["ParseHTML"]["count"] >= 1
    # The page is told when the frame was on screen, the trace when it was painted.
    assert told["lcp"] <= (await measured(tab))["lcp"]["ms"] + 20


async def test_one_trace_at_a_time(chrome: Browser, tab: Tab, site: Site) -> None:
    other = await chrome.new_tab("about:blank")
    try:
        await tracing_of(tab).start()
        with pytest.raises(ChromeError, match="records a trace already"):
            await tracing_of(other).start()
        with pytest.raises(ChromeError, match="No trace of this tab"):
            await tracing_of(other).stop()
    finally:
        await tracing_of(tab).stop()
        await chrome.close_tab(other.id)
    await tracing_of(tab).start()
    assert len(await tracing_of(tab).stop()) > 100


async def test_interactions_of_a_tab_behind_another_count_while_it_is_traced(
    chrome: Browser, tab: Tab, site: Site
) -> None:
    await navigate(
        tab,
        site.page(
            f"<!doctype html><button id=b>Go</button><script>{BUSY} b.onclick = () => busy(120)</script>"
        ),
    )
    front = await chrome.new_tab("about:blank")
    try:
        await tracing_of(tab).start()
        await act.click(tab, Target(selector="#b"))
        await drawn(tab)
        trace = await tracing_of(tab).stop()
        assert (await measured(tab))["inp"]["ms"] >= 112
        assert len(trace) > 100
    finally:
        await chrome.close_tab(front.id)
