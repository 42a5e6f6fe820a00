"""What pages and workers fetched is there with its end, timing, initiator and body, and without secrets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from aiohttp import web

from pageside.chrome.browser import Browser
from pageside.chrome.navigation import navigate
from pageside.chrome.network import Network
from pageside.chrome.requests import Request
from pageside.chrome.tab import Tab
from pageside.core.redaction import REDACTED
from pageside.errors import ChromeError, InvalidArguments
from support.site import Site
from support.sockets import free_ports

pytestmark = pytest.mark.asyncio(loop_scope="session")

BLANK = "<!doctype html><link rel=icon href=data:,><title>A page</title>"
SECRET = "hunter2-5f0a9c"


async def until(tab: Tab, fits: Callable[[Request], bool], network: Network | None = None) -> Request:
    """The first request that fits, when it is there."""
    async with asyncio.timeout(5):
        while True:
            for request in (network or tab.network).requests(preserved=True):
                if fits(request):
                    return request
            await tab.evaluate("new Promise((done) => setTimeout(done, 20))")


async def ended(tab: Tab, suffix: str) -> Request:
    """The request whose URL ends so, when it has ended."""
    return await until(tab, lambda each: each.url.endswith(suffix) and each.ended is not None)


async def fetched(tab: Tab, site: Site, path: str, options: str = "{}") -> Request:
    """A request that a page made, when it has ended."""
    await navigate(tab, site.page(BLANK))
    await tab.evaluate(f"fetch('{path}', {options}).then((r) => r.text()).catch(String)")
    plain = path.partition("?")[0]
    return await until(
        tab, lambda each: plain in each.url and each.outcome != "pending" and each.type == "fetch"
    )


async def test_a_request_has_its_end_its_timing_and_its_sizes(tab: Tab, site: Site) -> None:
    body = "{" + '"a": 1, ' * 400 + '"b": 2}'
    request = await fetched(tab, site, site.slow(0.2, body))
    assert (request.method, request.type, request.status, request.outcome) == (
        "GET",
        "fetch",
        200,
        "finished",
    )
    assert request.mime == "application/json"
    assert request.protocol == "http/1.1"
    assert request.remote == f"127.0.0.1:{site.port}"
    assert request.ms is not None
    assert 200 <= request.ms < 2_000
    assert request.ms == round(request.ms, 2)
    assert request.timing["ttfb"] >= 195
    assert sum(request.timing.values()) == pytest.approx(request.ms, abs=20)
    assert request.size == len(body)
    assert request.transferred is not None
    assert request.transferred > len(body)
    now = await tab.evaluate("Date.now()")
    assert now - 10_000 < request.at <= now
    assert await tab.network.body(request.id) == body
    assert tab.network.request(request.id) is request


async def test_the_initiator_is_the_place_that_asked(tab: Tab, site: Site) -> None:
    path = site.path("{}", "application/json")
    script = site.path(f"\nfunction load() {{\n  return fetch('{path}');\n}}\nload();", "text/javascript")
    await navigate(tab, site.page(f"{BLANK}\n<script src='{script}'></script>"))
    request = await until(tab, lambda each: each.type == "fetch")
    assert request.initiator is not None
    assert request.initiator.type == "script"
    assert str(request.initiator.place) == f"{site.origin}{script}:3:10"
    assert [frame.function for frame in request.initiator.frames] == ["load", "(anonymous)"]
    asked = await until(tab, lambda each: each.type == "script")
    assert asked.initiator is not None
    assert asked.initiator.type == "parser"
    assert asked.initiator.place is not None
    assert asked.initiator.place.line == 2


async def test_each_hop_of_a_redirect_is_an_entry(tab: Tab, site: Site) -> None:
    last = site.path('{"at": "last"}', "application/json")

    async def redirect(_request: web.Request) -> web.Response:
        raise web.HTTPFound(f"{last}?token={SECRET}&n=1")

    first = site.handle(redirect)
    arrived = await fetched(tab, site, first)
    assert arrived.outcome == "redirected"
    assert arrived.status == 302
    assert arrived.response_headers["location"] == f"{last}?token={REDACTED}&n=1"
    assert arrived.redirected_to is not None
    target = tab.network.request(arrived.redirected_to)
    assert target.redirected_from == arrived.id
    assert target.url == f"{site.origin}{last}?token={REDACTED}&n=1"
    assert target.initiator == arrived.initiator
    assert await tab.network.body(arrived.id) == "<none: it was redirected>"
    assert await tab.network.body(target.id) == '{"at": "last"}'


async def test_failures_say_why(tab: Tab, site: Site) -> None:
    async def drop(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    failed = await fetched(tab, site, site.handle(drop))
    assert failed.outcome == "failed"
    assert failed.failure == "net::ERR_EMPTY_RESPONSE"
    aborted = await fetched(tab, site, site.slow(5), "{signal: AbortSignal.timeout(50)}")
    assert (aborted.outcome, aborted.failure, aborted.canceled) == ("failed", "net::ERR_ABORTED", True)
    refused = await fetched(tab, site, f"{site.other_origin}{site.path('{}', 'application/json')}")
    assert refused.failure is not None
    assert "MissingAllowOriginHeader" in refused.failure
    missing = await fetched(tab, site, "/no/such/page")
    assert (missing.outcome, missing.status) == ("finished", 404)
    assert (await tab.network.body(failed.id)).startswith("<not available:")
    with pytest.raises(ChromeError):
        await tab.network.whole_body(failed.id)


async def test_what_came_from_a_cache_is_said_so(tab: Tab, site: Site) -> None:
    path = site.path("cached", "text/plain", Cache_Control="max-age=3600")
    assert (await fetched(tab, site, path)).cache is None
    await tab.evaluate(f"fetch('{path}').then((r) => r.text())")
    again = await until(tab, lambda each: path in each.url and each.cache is not None)
    assert again.cache == "disk"
    assert (again.status, again.outcome) == (200, "finished")


async def test_no_secret_of_a_request_is_kept(tab: Tab, site: Site) -> None:
    async def login(_request: web.Request) -> web.Response:
        answer = web.json_response({"token": SECRET, "user": "ada", "list": [{"apiKey": SECRET}]})
        answer.set_cookie("session", SECRET, httponly=True)
        answer.headers["X-Auth-Token"] = SECRET
        return answer

    path = site.handle(login)
    options = f"""{{method: 'POST', credentials: 'include',
      headers: {{Authorization: 'Bearer {SECRET}', 'X-Api-Key': '{SECRET}', 'Content-Type': 'application/json'}},
      body: JSON.stringify({{user: 'ada', password: '{SECRET}'}})}}"""
    await fetched(tab, site, f"{path}?api_key={SECRET}", options)
    await tab.evaluate(f"fetch('{path}', {options}).then((r) => r.text())")
    form = site.handle(login)
    request = await fetched(
        tab, site, form, f"{{method: 'POST', body: new URLSearchParams({{password: '{SECRET}', page: 2}})}}"
    )
    assert request.post == f"password={REDACTED}&page=2"
    requests = [each for each in tab.network.requests(preserved=True) if each.type == "fetch"]
    assert len(requests) == 3
    assert SECRET not in repr(requests)
    first, second, _third = requests
    assert first.url == f"{site.origin}{path}?api_key={REDACTED}"
    assert json.loads(first.post or "") == {"user": "ada", "password": REDACTED}
    assert first.request_headers["authorization"] == REDACTED
    assert first.response_headers["x-auth-token"] == REDACTED
    assert first.response_headers["set-cookie"] == f"session={REDACTED}; HttpOnly; Path=/"
    assert second.request_headers["cookie"] == f"session={REDACTED}"
    assert json.loads(await tab.network.body(first.id)) == {
        "token": REDACTED,
        "user": "ada",
        "list": [{"apiKey": REDACTED}],
    }
    assert SECRET.encode() not in await tab.network.whole_body(first.id)
    assert SECRET.encode() not in (await tab.network.whole_post_data(first.id) or b"")
    assert await tab.network.post_data(first.id) == first.post


async def test_cookies_that_chrome_kept_back_are_named(tab: Tab, site: Site) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(headers={"Set-Cookie": f"strange={SECRET}; SameSite=None"})

    request = await fetched(tab, site, site.handle(answer), "{credentials: 'include'}")
    assert request.blocked_cookies == ["strange not stored: SameSiteNoneInsecure"]


@pytest.mark.parametrize("durable", [True, False])
async def test_bodies_are_kept_over_navigations(tab: Tab, site: Site, durable: bool) -> None:
    network = tab.network
    if not durable:
        # As with a Chrome that forgets bodies.
        await tab.session("Network.disable")
        network = Network(200, tab.later, durable=False)
        network.watch(tab.session, "page")
        await asyncio.gather(*network.enabling(tab.session))
    body = json.dumps({"token": SECRET, "text": "x" * 30_000})
    path = site.path(body, "application/json")
    await navigate(tab, site.page(f"{BLANK}<p>The first page"))
    await tab.evaluate(f"fetch('{path}').then((r) => r.text())")
    request = await until(tab, lambda each: each.type == "fetch" and each.outcome == "finished", network)
    document = await until(tab, lambda each: each.type == "document", network)
    if not durable:
        assert (await network.body(document.id)).startswith(BLANK)
    await navigate(tab, site.page(BLANK))
    await navigate(tab, site.other_origin + site.path(BLANK))
    told = await network.body(request.id)
    assert told.startswith(f'{{"token": "{REDACTED}", "text": "xxxx')
    assert told.endswith(f"… [cut: {len(body) - 10_000} of {len(body)} characters more]")
    assert len(told) < 10_100
    assert "The first page" in await network.body(document.id)
    if durable:
        assert json.loads(await network.whole_body(request.id)) == {"token": REDACTED, "text": "x" * 30_000}


async def test_binary_bodies_are_only_counted(tab: Tab, site: Site) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=bytes(range(256)) * 4, content_type="image/png")

    request = await fetched(tab, site, site.handle(answer))
    assert await tab.network.body(request.id) == "<binary, 1024 bytes>"
    assert await tab.network.whole_body(request.id) == bytes(range(256)) * 4


async def test_long_post_data_is_asked_for_when_it_is_wanted(tab: Tab, site: Site) -> None:
    request = await fetched(
        tab,
        site,
        site.path("{}", "application/json"),
        f"{{method: 'POST', body: JSON.stringify({{password: '{SECRET}', text: 'x'.repeat(200000)}})}}",
    )
    whole = await tab.network.whole_post_data(request.id)
    assert whole is not None
    assert json.loads(whole) == {"password": REDACTED, "text": "x" * 200_000}
    told = await tab.network.post_data(request.id)
    assert told is not None
    assert told.startswith(f'{{"password":"{REDACTED}","text":"xxx')
    assert "… [cut:" in told


async def test_requests_of_earlier_documents_are_kept_apart(tab: Tab, site: Site) -> None:
    path = site.path("{}", "application/json")
    await fetched(tab, site, path)
    second = site.page(BLANK)
    await navigate(tab, second)
    assert [each.url for each in tab.network.requests()] == [second]
    types = [each.type for each in tab.network.requests(preserved=True)]
    assert types == ["document", "fetch", "document"]
    assert [each.type for each in tab.network.requests(["Fetch"], preserved=True)] == ["fetch"]


async def test_what_is_under_way_ends_with_its_answer_or_its_document(tab: Tab, site: Site) -> None:
    slow = site.slow(3)
    await navigate(tab, site.page(BLANK))
    await tab.evaluate(f"void fetch('{slow}').catch(() => 0)")
    request = await until(tab, lambda each: slow in each.url)
    assert list(tab.network.under_way.values()) == ["fetch"]
    await navigate(tab, site.page(BLANK))
    assert tab.network.under_way == {}
    assert request.outcome in ("failed", "abandoned")


async def test_workers_and_frames_of_other_processes_are_watched(tab: Tab, site: Site) -> None:
    path = site.path('{"from": "inside"}', "application/json", Access_Control_Allow_Origin="*")
    worker = site.path(f"fetch('{path}?worker').then((r) => r.text())", "text/javascript")
    frame = site.path(f"<script>fetch('{site.origin}{path}?frame').then((r) => r.text())</script>")
    await navigate(
        tab,
        site.page(
            f"{BLANK}<iframe src='{site.other_origin}{frame}'></iframe>"
            f"<script>const worker = new Worker('{worker}')</script>"
        ),
    )
    for name in ("?worker", "?frame"):
        request = await ended(tab, name)
        assert request.outcome == "finished"
        assert await tab.network.body(request.id) == '{"from": "inside"}'
    script = await until(tab, lambda each: worker in each.url)
    scripts = [each for each in tab.network.requests() if worker in each.url]
    assert [(each.type, each.outcome) for each in scripts] == [("script", "finished")]
    await navigate(tab, site.page(BLANK))
    assert path in await tab.network.body(script.id), "The worker is gone, what it loaded is not."


async def test_a_web_socket_is_an_entry_with_its_frames(tab: Tab, site: Site) -> None:
    async def echo(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(str(message.data))
            await socket.send_str("and more")
        return socket

    path = site.handle(echo)
    await navigate(tab, site.page(BLANK))
    await tab.evaluate(
        f"""new Promise((done) => {{ let n = 0;
          const socket = new WebSocket('ws://127.0.0.1:{site.port}{path}?token={SECRET}');
          socket.onopen = () => socket.send('hello');
          socket.onmessage = () => {{ n += 1; if (n === 2) socket.close() }};
          socket.onclose = () => done() }})"""
    )
    socket = await until(tab, lambda each: each.type == "websocket" and each.ended is not None)
    assert socket.url == f"ws://127.0.0.1:{site.port}{path}?token={REDACTED}"
    assert (socket.status, socket.frames_sent, socket.frames_received) == (101, 1, 2)
    assert socket.ms is not None
    assert await tab.network.body(socket.id) == "<none: a WebSocket>"
    assert tab.network.under_way == {}


async def test_a_refused_web_socket_says_why(tab: Tab, site: Site) -> None:
    await navigate(tab, site.page(BLANK))
    (port,) = free_ports(1)
    await tab.evaluate(
        f"new Promise((done) => {{ new WebSocket('ws://127.0.0.1:{port}/').onclose = () => done() }})"
    )
    socket = await until(tab, lambda each: each.type == "websocket" and each.ended is not None)
    assert socket.failure is not None
    assert "ERR_CONNECTION_REFUSED" in socket.failure
    assert (socket.outcome, socket.ms) == ("failed", 0)
    assert socket.at > 1e12


async def test_only_the_newest_are_kept(tab: Tab, site: Site) -> None:
    path = site.path("{}", "application/json")
    await navigate(tab, site.page(BLANK))
    await tab.evaluate(
        f"Promise.all(Array.from({{length: 230}}, (_, i) => fetch('{path}?' + i).then((r) => r.text())))"
    )
    await until(tab, lambda each: each.url.endswith("?229") and each.ended is not None)
    kept = tab.network.requests()
    assert len(kept) == tab.settings.network_size == 200
    assert tab.network.dropped == tab.network.seen - 200
    assert kept[0].url.endswith(f"?{230 - 200}")
    with pytest.raises(InvalidArguments, match="was dropped"):
        tab.network.request(kept[0].id - 1)
    with pytest.raises(InvalidArguments, match="does not exist"):
        tab.network.request(tab.network.seen + 1)
    assert tab.network.under_way == {}


async def test_a_service_workers_answer_is_said_so(chrome: Browser, tab: Tab, site: Site) -> None:
    worker = site.path(
        "onfetch = (e) => { if (e.request.url.endsWith('?sw')) e.respondWith(new Response('made')) };"
        # That of another test may still be there for this folder.
        "oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim())",
        "text/javascript",
    )
    await navigate(tab, site.page(BLANK))
    await tab.evaluate(
        f"""new Promise((done) => {{ navigator.serviceWorker.oncontrollerchange = () => done();
          navigator.serviceWorker.register('{worker}') }})"""
    )
    assert await tab.evaluate("fetch('/x?sw').then((r) => r.text())") == "made"
    request = await until(tab, lambda each: each.url.endswith("?sw") and each.ended is not None)
    assert request.cache == "service worker"
    await tab.evaluate("navigator.serviceWorker.getRegistration().then((r) => r.unregister())")
