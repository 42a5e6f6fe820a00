"""Console, network, performance and emulation as an agent asks for them."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from aiohttp import web

from pageside.web.app import Companion
from support.browsing import browsing, does, refused
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_messages_are_listed_filtered_paged_and_told_whole(running: Companion, site: Site) -> None:
    script = "console.log('one', {a: 1}); console.warn('two'); function boom() { throw new Error('three') }; boom()"
    async with browsing(running) as client:
        await does(client, "navigate_page", url=site.page(f"<script>{script}</script>"))
        listed = await does(client, "list_console_messages")
        assert listed.startswith("3 messages."), listed
        assert "log: one {a: 1}" in listed
        assert "error (uncaught): Uncaught Error: three…" in listed, listed
        assert (await does(client, "list_console_messages", types=["warn"])).startswith("1 messages.")
        paged = await does(client, "list_console_messages", pageSize=1, pageIdx=1)
        assert paged.startswith("1 of 3 messages; pageIdx 2 has older ones.")
        assert "two" in paged
        last = await does(client, "list_console_messages", pageSize=1, pageIdx=2)
        assert last.startswith("1 of 3 messages; these are the oldest."), last
        beyond = await does(client, "list_console_messages", pageSize=2, pageIdx=5000)
        assert beyond == "3 messages; the oldest are on pageIdx 1, pageIdx 5000 is beyond."
        wrong = await refused(client, "list_console_messages", types=["error", "fatal"])
        assert "there is no 'fatal'; there are: log, info, warning, error" in wrong["message"]
        number = int(re.findall(r"msgid=(\d+) error", listed)[0])
        whole = await does(client, "get_console_message", msgid=number)
        assert '"function": "boom"' in whole
        assert "text: Uncaught Error: three\nsource" in whole
        assert "\n    at " not in whole
        assert (await refused(client, "get_console_message", msgid=9999))["code"] == "INVALID_ARGUMENTS"
        await does(client, "navigate_page", url=site.page("<p>quiet</p>"))
        assert (await does(client, "list_console_messages")).startswith("0 messages.")
        kept = await does(client, "list_console_messages", includePreservedMessages=True)
        assert "two" in kept


async def test_requests_are_listed_and_told_with_bodies_and_without_secrets(
    running: Companion, site: Site
) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.json_response(
            {"got": await request.text(), "password": "hunter22"},
            headers={"Set-Cookie": "session=verysecret"},
        )

    path = site.handle(answer)
    script = f"""fetch('{path}?token=abcdef123456', {{method: 'POST', body: '{{"password":"hunter22","a":1}}',
      headers: {{Authorization: 'Bearer abcdefghijklmnop'}}}}).then((r) => r.text())"""
    async with browsing(running) as client:
        await does(
            client,
            "navigate_page",
            url=site.page(
                f"<button onclick='load()'>Load</button><script>function load() {{ {script} }}</script>"
            ),
        )
        await does(client, "click", text="Load", includeSnapshot=True)
        listed = await does(client, "list_network_requests", resourceTypes=["fetch"])
        assert re.search(
            rf"reqid=\d+ POST {site.origin}{path}\?token=<redacted> \[200\] fetch [\d.]+ ms", listed
        )
        number = int(re.findall(r"reqid=(\d+)", listed)[0])
        whole = await does(client, "get_network_request", reqid=number, responseFilePath="out/body.json")
        assert re.search(r"initiator: script \S+:\d+:\d+\n", whole), whole
        assert "(native)" not in whole
        assert '"a":1' in whole
        assert "got" not in whole
        for secret in ("hunter22", "abcdefghijklmnop", "abcdef123456", "verysecret"):
            assert secret not in whole
        saved = json.loads((running.settings.project / "out" / "body.json").read_text("utf-8"))
        assert saved["password"] == "<redacted>"
        wrong = await refused(client, "list_network_requests", resourceTypes=["Fetch", "ajax"])
        assert "there is no 'ajax'; there are: document, stylesheet" in wrong["message"]
        await does(client, "navigate_page", url=site.page("<p>elsewhere</p>"))
        assert "got" in await does(client, "get_network_request", reqid=number)


async def test_a_list_says_once_what_its_lines_have_in_common(running: Companion, site: Site) -> None:
    script = "for (const n of [1, 2, 3]) { console.log('number', n); fetch('/list?n=' + n) }"
    async with browsing(running) as client:
        await does(client, "navigate_page", url=site.page(f"<script>{script}</script>"))
        await does(client, "take_snapshot")
        listed = await does(client, "list_console_messages", types=["log"])
        assert listed.startswith("3 messages. ^: the place of the line above."), listed
        assert re.search(
            rf"origin: {site.origin}\n.*number 1 /\S+:\d+:\d+\n.*number 2 \^\n.*number 3 \^\n", listed
        )
        requests = await does(client, "list_network_requests", resourceTypes=["fetch"])
        assert requests.count(site.origin) == requests.count(f"origin: {site.origin}\n") == 1, requests
        assert re.search(r"reqid=\d+ GET /list\?n=2 \[404\] fetch", requests), requests
        number = int(re.findall(r"reqid=(\d+)", requests)[0])
        whole = await does(client, "get_network_request", reqid=number)
        assert "sec-ch-ua" in whole.partition("and the browser's usual: ")[2].partition("\n")[0], whole
        assert "Chromium" not in whole
        # An agent may have chosen another one.
        assert "Mozilla" in whole
        assert '"referer"' in whole


async def test_a_trace_tells_what_is_slow_and_is_kept(running: Companion, site: Site) -> None:
    page = (
        "<h1>Big</h1><script>const end = performance.now() + 200; while (performance.now() < end);</script>"
    )
    async with browsing(running) as client:
        await does(client, "navigate_page", url=site.page(page))
        told = await does(client, "performance_start_trace", filePath="traces/one.json.gz")
        assert "LCP" in told
        assert "LongTasks" in told
        trace = gzip.decompress((running.settings.project / "traces" / "one.json.gz").read_bytes())
        assert len(json.loads(trace)["traceEvents"]) > 100
        detail = await does(client, "performance_analyze_insight", insightName="LongTasks")
        assert '"name":"LongTasks"' in detail.replace(": ", ":")
        started = await does(client, "performance_start_trace", reload=False, autoStop=False)
        assert "performance_stop_trace" in started
        error = await refused(client, "performance_start_trace", reload=False)
        assert "already" in error["message"]
        assert "LCP" in await does(client, "performance_stop_trace")


async def test_a_tab_pretends_and_stops_pretending(running: Companion, site: Site) -> None:
    async with browsing(running) as client:
        await does(
            client, "navigate_page", url=site.page("<meta name=viewport content='width=device-width'>")
        )
        told = await does(
            client, "emulate", colorScheme="dark", viewport="390x844x3,mobile,touch", geolocation="52.5x13.4"
        )
        assert told == "The tab pretends geolocation: 52.5x13.4; colorScheme: dark; viewport: 390x844x3."
        script = "[innerWidth, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches]"
        assert "[390,3,true]" in await does(client, "evaluate_script", function=script)
        await does(client, "emulate", colorScheme="auto", viewport=None, geolocation=None)
        assert "false]" in await does(client, "evaluate_script", function=script)
        assert await does(client, "resize_page", width=900, height=500) == "The viewport has 900x500 CSS px."
        assert "[900,500]" in await does(client, "evaluate_script", function="[innerWidth, innerHeight]")
        for wrong in ({"viewport": "big"}, {"geolocation": "here"}, {"networkConditions": "5G"}):
            assert (await refused(client, "emulate", **wrong))["code"] == "INVALID_ARGUMENTS"
