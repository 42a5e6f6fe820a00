"""The web console's door: what it shows to everybody, who gets in, and how far a console's token reaches."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from pageside import __version__
from pageside.contract import CHANNEL
from pageside.errors import PagesideError
from pageside.settings import Settings
from pageside.web import console_pages
from pageside.web.app import Companion
from pageside.web.console_link import fresh_link
from pageside.web.console_pages import HEADERS
from pageside.web.console_pages import PATHS as PATHS_OF_LINK
from support.console import PATHS, code_of, token_of
from support.door import Door
from support.page import WirePage
from support.raw import Reply, exchange, head
from support.serve import run_command

MCP: str = CHANNEL["mcp"]
PLUGIN_LINK = CHANNEL["prefix"] + CHANNEL["routes"]["consoleLink"]


async def ask(
    companion: Companion, method: str, path: str, body: Any = None, *, host: str = "", **headers: str
) -> Reply:
    """One request; underscores in the names of headers become dashes, `own` is the companion's own Origin."""
    data = json.dumps(body).encode() if body is not None else b""
    named = {"Host": host or f"127.0.0.1:{companion.port}"}
    if body is not None:
        named |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
    named |= {
        name.replace("_", "-"): companion.url if value == "own" else value for name, value in headers.items()
    }
    reply = await exchange(companion.port, head(method, path, named) + data)
    assert reply is not None
    return reply


async def enter(companion: Companion, code: object, **headers: str) -> Reply:
    return await ask(companion, "POST", PATHS["enter"], {"code": code}, **({"Origin": "own"} | headers))


# The page


async def test_the_page_is_the_same_for_everybody_and_shows_nothing_that_lives(companion: Companion) -> None:
    before = await ask(companion, "GET", PATHS["page"])
    async with WirePage(companion, title="Very secret shop") as page:
        await page.note("Nobody's business")
        after = await ask(companion, "GET", PATHS["page"], Sec_Fetch_Site="none")
    assert before.status == 200
    assert before.body == after.body
    html = after.body.decode()
    assert __version__ in html
    assert str(companion.port) in html
    assert "The console needs JavaScript." in html
    for token in (companion.secrets.agent, companion.secrets.page, companion.secrets.plugin):
        assert token not in html


async def test_the_page_has_the_strict_headers(companion: Companion) -> None:
    reply = await ask(companion, "GET", PATHS["page"])
    policy = reply.headers["content-security-policy"]
    assert [directive.split()[0] for directive in policy.split("; ")] == [
        *("default-src", "script-src", "style-src", "connect-src", "img-src", "base-uri", "form-action"),
        *("frame-ancestors", "require-trusted-types-for"),
    ]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    sent = {name.lower(): value for name, value in HEADERS.items()} | {
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
    }
    assert reply.headers.items() >= sent.items()


async def test_the_page_holds_no_inline_script_or_style_and_loads_only_its_own(companion: Companion) -> None:
    html = (await ask(companion, "GET", PATHS["page"])).body.decode()
    assert re.findall(r"<script[^>]*>([^<]*)</script>", html) == [""]
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", html)
    loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"([^\"]+)\"", html)
    assert sorted(loaded) == ["/__pageside__/console.css", "/__pageside__/console.js", "data:,"]


async def test_a_project_s_name_is_text_in_the_page(settings: Settings) -> None:
    project = settings.project.with_name("<img src=x onerror=alert(1)>&\"'")
    project.mkdir()
    companion = await Companion.start(replace(settings, project=project))
    try:
        html = (await ask(companion, "GET", PATHS["page"])).body.decode()
    finally:
        await companion.stop()
    assert "<img" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;&amp;&#34;&#39;" in html


async def test_script_and_style_sheet_are_served_as_what_they_are(
    companion: Companion, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(console_pages, "_HERE", tmp_path)
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "console.js").write_text("export {};")
    script = await ask(companion, "GET", PATHS["script"], Sec_Fetch_Site="same-origin")
    assert (script.status, script.body) == (200, b"export {};")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    missing = await ask(companion, "GET", PATHS["style"])
    assert (missing.status, missing.json()["error"]["fix"]) == (404, "Run `npm run build`.")
    (tmp_path / "static" / "console.css").write_text("")
    style = await ask(companion, "GET", PATHS["style"])
    assert (style.status, style.headers["content-type"]) == (200, "text/css; charset=utf-8")


async def test_no_page_of_another_site_may_load_any_of_it(companion: Companion, door: Door) -> None:
    for name in ("page", "script", "style"):
        for site in ("cross-site", "same-site"):
            assert (await ask(companion, "GET", PATHS[name], Sec_Fetch_Site=site)).status == 403
    assert door.handled == []


# Entering


async def test_a_link_opens_the_console_once(companion: Companion) -> None:
    link = companion.console_link()
    assert link.startswith(f"http://127.0.0.1:{companion.port}{PATHS['page']}#")
    first = await enter(companion, code_of(link))
    assert (first.status, companion.secrets.console.holds(first.json()["token"])) == (200, True)
    assert not [name for name in first.headers if "cookie" in name]
    again = await enter(companion, code_of(link))
    assert (again.status, again.code) == (404, "NOT_FOUND")
    assert "used already" in again.message
    assert "pageside console" in again.json()["error"]["fix"]


async def test_what_is_no_code_opens_nothing(companion: Companion) -> None:
    keys = companion.secrets
    codes: list[object] = ["", "x" * 43, None, 1, ["a"], {}, keys.agent, keys.page, keys.plugin, "\ud800"]
    for code in codes:
        assert (await enter(companion, code)).status == 404
    assert (await ask(companion, "POST", PATHS["enter"], [], Origin="own")).status == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:5173"}, 403),
        ({"Origin": "http://localhost:{port}"}, 403),
        ({"Origin": "own", "host": "evil.example:{port}"}, 421),
        ({"Origin": "own", "host": "localhost:{port}"}, 403),
        ({"Origin": "own", "Content_Type": "text/plain"}, 415),
    ],
)
async def test_a_page_from_elsewhere_cannot_spend_a_code(
    companion: Companion, headers: dict[str, str], status: int
) -> None:
    code = code_of(companion.console_link())
    given = {name: value.replace("{port}", str(companion.port)) for name, value in headers.items()}
    assert (await enter(companion, code, **given)).status == status
    assert (await enter(companion, code)).status == 200


async def test_a_program_without_an_origin_cannot_spend_a_code(companion: Companion) -> None:
    code = code_of(companion.console_link())
    body = {"code": code}
    assert (await ask(companion, "POST", PATHS["enter"], body)).status == 403
    assert (await ask(companion, "POST", PATHS["enter"], body, Sec_Fetch_Site="none")).status == 403
    assert (await enter(companion, code)).status == 200


# Fresh links


async def test_agents_and_plugins_get_fresh_links_and_pages_do_not(companion: Companion) -> None:
    keys, names = companion.secrets, CHANNEL["headers"]
    by_agent = await ask(companion, "POST", PATHS["link"], {}, Authorization=f"Bearer {keys.agent}")
    by_plugin = await ask(companion, "POST", PLUGIN_LINK, {}, **{names["pluginToken"]: keys.plugin})
    for reply in (by_agent, by_plugin):
        assert (await enter(companion, code_of(reply.json()["url"]))).status == 200
    by_page = await ask(companion, "POST", PATHS["link"], {}, **{names["pageToken"]: keys.page}, Origin="own")
    assert by_page.status == 401
    assert (await ask(companion, "POST", PLUGIN_LINK, {}, **{names["pageToken"]: keys.page})).status == 401


async def test_the_command_prints_a_link_that_opens_the_console(companion: Companion) -> None:
    settings = companion.settings
    place = ("--project", str(settings.project), "--state-dir", str(settings.state))
    code, output, errors = await run_command("console", *place)
    assert (code, errors) == (0, "")
    assert output.startswith(f"http://127.0.0.1:{companion.port}{PATHS['page']}#")
    assert (await enter(companion, code_of(output.strip()))).status == 200


async def test_no_companion_is_said_and_what_to_do(settings: Settings) -> None:
    with pytest.raises(PagesideError, match="No companion runs for") as raised:
        await fresh_link(settings)
    assert "pageside serve" in raised.value.fix
    companion = await Companion.start(settings)
    await companion.stop()
    with pytest.raises(PagesideError, match="No companion runs for"):
        await fresh_link(settings)


async def test_a_companion_without_a_console_is_said_without_its_token(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PATHS_OF_LINK, "link", "/__pageside__/console/another")
    with pytest.raises(
        PagesideError, match=f"The companion at port {companion.port} gave no link: 404"
    ) as raised:
        await fresh_link(companion.settings)
    assert companion.secrets.agent not in raised.value.message
    assert "another version" in raised.value.fix


# What a token is good for


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "own"}, 200),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
        ({}, 401),
        ({"Sec_Fetch_Site": "none"}, 401),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:5173"}, 403),
        ({"Origin": "http://[::1]:{port}"}, 401),
        ({"Origin": "http://localhost:{port}"}, 401),
        ({"Origin": "own", "host": "localhost:{port}"}, 401),
        ({"Origin": "own", "host": "evil.example:{port}"}, 421),
        ({"Sec_Fetch_Site": "same-origin", "host": "evil.example:{port}"}, 421),
    ],
)
async def test_a_token_is_good_only_for_pages_of_the_console_s_own_origin(
    companion: Companion, headers: dict[str, str], status: int
) -> None:
    given = {name: value.replace("{port}", str(companion.port)) for name, value in headers.items()}
    bearer = f"Bearer {token_of(companion)}"
    for method, path in (("GET", PATHS["events"]), ("GET", MCP), ("POST", MCP), ("DELETE", MCP)):
        body: dict[str, Any] | None = {} if method == "POST" else None
        reply = await ask(companion, method, path, body, Authorization=bearer, **given)
        if status == 200:
            assert reply.status not in (401, 403, 421), (method, path)
        else:
            assert reply.status == status, (method, path)


async def test_other_keys_do_not_open_the_console_s_events(companion: Companion, door: Door) -> None:
    keys, names = companion.secrets, CHANNEL["headers"]
    tried: list[dict[str, str]] = [
        {},
        {"Authorization": f"Bearer {keys.agent}"},
        {"Authorization": f"Bearer {keys.console.new_code()}"},
        {"Authorization": f"Bearer {token_of(companion)}x"},
        {"Authorization": f"bearer {token_of(companion)}"},
        {"Authorization": token_of(companion)},
        {"Cookie": f"token={token_of(companion)}"},
        {names["pageToken"]: keys.page},
        {names["pluginToken"]: keys.plugin},
    ]
    for headers in tried:
        assert (await ask(companion, "GET", PATHS["events"], Origin="own", **headers)).status == 401, headers
    query = f"{PATHS['events']}?token={token_of(companion)}"
    assert (await ask(companion, "GET", query, Origin="own")).status == 401
    assert door.handled == []


async def test_a_token_opens_nothing_that_is_a_page_s_or_a_plugin_s(companion: Companion, door: Door) -> None:
    bearer = f"Bearer {token_of(companion)}"
    for path in ("/__pageside__/page/connect", "/__pageside__/plugin/lease", PLUGIN_LINK):
        assert (await ask(companion, "POST", path, {}, Origin="own", Authorization=bearer)).status == 401
    assert door.handled == []


async def test_a_token_ends_with_its_companion(settings: Settings) -> None:
    first = await Companion.start(settings)
    token = token_of(first)
    await first.stop()
    second = await Companion.start(settings)
    try:
        bearer = f"Bearer {token}"
        for path in (PATHS["events"], MCP):
            assert (await ask(second, "GET", path, Origin=second.url, Authorization=bearer)).status == 401
    finally:
        await second.stop()


async def test_the_console_speaks_mcp_like_any_client(companion: Companion) -> None:
    headers = {
        "Authorization": f"Bearer {token_of(companion)}",
        "Origin": companion.url,
        "Accept": "application/json, text/event-stream",
    }
    async with aiohttp.ClientSession(companion.url, headers=headers) as http:
        url = f"{MCP}?clientId=console-1&toolsets=all"
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
        info = {"clientInfo": {"name": "Pageside console", "version": "1"}}
        async with http.post(url, json=rpc(1, "initialize", **hello, **info)) as response:
            assert response.status == 200
            http.headers["mcp-session-id"] = response.headers["mcp-session-id"]
            assert (await result(response))["serverInfo"]["name"] == "pageside"
        async with http.post(url, json={"jsonrpc": "2.0", "method": "notifications/initialized"}) as response:
            assert response.status == 202
        async with http.post(url, json=rpc(2, "tools/list")) as response:
            tools = {tool["name"]: tool for tool in (await result(response))["tools"]}
            assert {"list_inspections", "chrome_devtools", "get_server_logs"} <= set(tools)
        async with WirePage(companion) as page:
            await page.note("Make it green")
            called = rpc(3, "tools/call", name="list_inspections", arguments={})
            async with http.post(url, json=called) as response:
                assert "Make it green" in json.dumps(await result(response))
        del http.headers["Origin"]
        async with http.post(url, json=rpc(4, "tools/list")) as response:
            assert response.status == 401
        http.headers["Sec-Fetch-Site"] = "same-origin"
        async with http.get(url) as response:
            assert (response.status, response.content_type) == (200, "text/event-stream")
        async with http.delete(url, headers={"Origin": companion.url}) as response:
            assert response.status == 200


def rpc(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


async def result(response: aiohttp.ClientResponse) -> Any:
    """Of the answer, as JSON or as the only event of a stream with data."""
    assert response.status == 200, await response.text()
    text = await response.text()
    if response.content_type == "text/event-stream":
        text = next(line[6:] for line in text.splitlines() if line.startswith("data: {"))
    return json.loads(text)["result"]
