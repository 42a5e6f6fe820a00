"""Finding Chrome: what answers nearby is believed only as far as it must be."""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from aiohttp import web
from blockbuster import BlockBuster, blockbuster_ctx

from pageside.chrome import endpoint, search
from pageside.chrome.browser import Browser
from pageside.chrome.endpoint import Endpoint, active_port_endpoints, scan
from pageside.chrome.search import may_launch
from pageside.errors import ChromeError, ChromeLost, ChromeNotAnswering, ChromeUnreachable, PagesideError
from pageside.settings import ChromeSettings
from support.fake_chrome import PATH, FakeChrome, HttpHandler, Message, fake_chrome
from support.sockets import free_ports


@pytest.fixture(autouse=True)
def no_blocking() -> Iterator[BlockBuster]:
    """A call that blocks the event loop inside Pageside fails the test."""
    with blockbuster_ctx("pageside") as guard:
        yield guard


@pytest.fixture(autouse=True)
def no_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the person who runs this."""
    monkeypatch.setattr(endpoint, "default_profiles", list)


@pytest.fixture
async def fake() -> AsyncIterator[FakeChrome]:
    async with fake_chrome() as running:
        yield running


def browser(folder: Path, *ports: int, **settings: object) -> Browser:
    """One that launches nothing, unless it is told to."""
    given: dict[str, object] = {"ports": ports, "auto_launch": False, **settings}
    return Browser(ChromeSettings(**given), folder)  # type: ignore[arg-type]


# The scan


async def test_all_ports_are_asked_at_once_and_found_in_their_order(fake: FakeChrome) -> None:
    async with fake_chrome() as other:
        around = await scan([*free_ports(8), other.port, fake.port])
    assert [each.url for each in around.found] == [other.url, fake.url]
    assert around.found[0].product == "Fake/1"
    assert around.mute == []


def _json(body: object) -> HttpHandler:
    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.json_response(body)

    return answer


def _raw(body: bytes, status: int = 200, **headers: str) -> HttpHandler:
    async def answer(_request: web.Request) -> web.StreamResponse:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(body=body, status=status, headers=sent)

    return answer


async def _endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    try:
        while True:
            await response.write(b'{"a": "' + b"x" * 65_536)
    except OSError:
        return response


LIES = {
    "no JSON": _raw(b"<html>"),
    "no UTF-8": _raw(b'{"webSocketDebuggerUrl": "\xff"}'),
    "a list": _json(["webSocketDebuggerUrl"]),
    "null": _json(None),
    "no URL": _json({"Browser": "Chrome/1"}),
    "a URL of a wrong type": _json({"webSocketDebuggerUrl": ["ws://127.0.0.1/devtools/browser/1"]}),
    "a URL that is none": _json({"webSocketDebuggerUrl": "ws://[/devtools/browser/1"}),
    "another path": _json({"webSocketDebuggerUrl": "ws://127.0.0.1:1/json/close"}),
    "deep nesting": _raw(b"[" * 60_000),
    "65 kB": _raw(b'{"webSocketDebuggerUrl": "ws://a/devtools/browser/1"}' + b" " * 70_000),
    "no end": _endless,
    "packed": _raw(gzip.compress(b" " * 10_000_000), Content_Encoding="gzip"),
    "an error": _raw(b"{}", 500),
    "a redirect": _raw(b"", 302, Location="http://127.0.0.1:1/json/version"),
    "nothing here": _raw(b"", 404),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
async def test_what_is_no_answer_of_chrome_is_passed_over(fake: FakeChrome, lie: HttpHandler) -> None:
    async with fake_chrome() as honest:
        fake.version = lie
        begun = time.monotonic()
        around = await scan([fake.port, honest.port])
    assert [each.url for each in around.found] == [honest.url]
    assert around.mute == []
    assert time.monotonic() - begun < 8


@pytest.mark.parametrize(
    "stated", [f"ws://example.com{PATH}", f"wss://127.0.0.1:1{PATH}", f"ws://u:p@x{PATH}"]
)
async def test_an_address_elsewhere_is_not_followed(fake: FakeChrome, stated: str) -> None:
    fake.version = _json({"webSocketDebuggerUrl": stated, "Browser": 7})
    assert (await scan([fake.port])).found == [Endpoint(fake.url)]


async def test_the_name_of_a_browser_brings_nothing_into_the_log(fake: FakeChrome) -> None:
    fake.version = _json(
        {"webSocketDebuggerUrl": fake.url, "Browser": "Chrome\n\x1b[31m/1\u202e" + "x" * 999}
    )
    (found,) = (await scan([fake.port])).found
    assert found.product.startswith("Chrome[31m/1x")
    assert len(found.product) == 100


async def test_a_port_that_says_nothing_is_told_apart_and_costs_little(fake: FakeChrome) -> None:
    async def stall(_request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(30)
        return web.Response()

    async with fake_chrome() as mute:
        mute.version = stall
        begun = time.monotonic()
        around = await scan([mute.port, fake.port])
        assert time.monotonic() - begun < 8
    assert [each.url for each in around.found] == [fake.url]
    assert around.mute == [mute.port]


async def test_a_host_by_name_is_asked_by_its_address(fake: FakeChrome) -> None:
    """Chrome refuses other names than localhost."""
    asked: list[str] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        asked.append(request.host)
        return web.json_response({"webSocketDebuggerUrl": fake.url})

    fake.version = answer
    found = (await scan([fake.port], "localhost")).found
    assert asked == ([f"127.0.0.1:{fake.port}"] if found else [])
    assert (await scan([fake.port], "no-such-host.invalid")).found == []


# Profiles


async def test_a_port_file_is_believed_only_where_it_makes_sense(tmp_path: Path) -> None:
    contents = {
        "good": "9222\n/devtools/browser/1",
        "path": "9222\n/json",
        "big": "99999\n/devtools/browser/1",
        "negative": "-1\n/devtools/browser/1",
        "word": "port\n/devtools/browser/1",
        "short": "9222",
        "empty": "",
    }
    for name, text in contents.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "DevToolsActivePort").write_text(text)
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "DevToolsActivePort").write_bytes(b"\xff\xfe")
    profiles = [tmp_path / name for name in ("missing", "binary", *contents)]
    assert await asyncio.to_thread(active_port_endpoints, profiles) == [
        Endpoint("ws://127.0.0.1:9222/devtools/browser/1")
    ]


async def test_a_chrome_without_http_is_found_by_its_profile(
    fake: FakeChrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.version = _raw(b"", 404)
    (tmp_path / "DevToolsActivePort").write_text(f"{fake.port}\n{PATH}")
    monkeypatch.setattr(endpoint, "default_profiles", lambda: [tmp_path / "none", tmp_path])
    fake.answers["Target.setDiscoverTargets"] = {}
    one = browser(tmp_path, *free_ports(2))
    await one.ensure()
    assert one.endpoint is not None
    assert one.endpoint.url == fake.url
    await one.close()


async def test_an_old_port_file_leads_to_who_answers_there_now(
    fake: FakeChrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "DevToolsActivePort").write_text(f"{fake.port}\n/devtools/browser/of-last-week")
    monkeypatch.setattr(endpoint, "default_profiles", lambda: [tmp_path])
    settings = ChromeSettings(ports=free_ports(2))
    found = await search.search(settings, lambda _port: True)
    assert found is not None
    assert found.url == fake.url
    assert await search.search(settings, lambda _port: False) is None


# Which one


async def test_a_port_of_another_user_is_passed_over_unless_it_was_asked_for(fake: FakeChrome) -> None:
    async with fake_chrome() as other:
        settings = ChromeSettings(ports=(fake.port, other.port))
        found = await search.search(settings, lambda port: port == other.port)
        assert found is not None
        assert found.url == other.url
    found = await search.search(ChromeSettings(ports=(fake.port,)), lambda _port: False)
    assert found is not None


@pytest.mark.parametrize(
    ("settings", "launch"),
    [
        (ChromeSettings(), True),
        (ChromeSettings(host="::1"), True),
        (ChromeSettings(host="127.0.0.2"), True),
        (ChromeSettings(host="192.0.2.1"), False),
        (ChromeSettings(host="box"), False),
        (ChromeSettings(ws_url="ws://127.0.0.1:1/"), False),
        (ChromeSettings(auto_launch=False), False),
    ],
)
async def test_none_is_launched_instead_of_one_elsewhere(settings: ChromeSettings, launch: bool) -> None:
    assert may_launch(settings) is launch


async def test_nothing_found_says_what_was_tried(tmp_path: Path) -> None:
    port = free_ports(1)[0]
    with pytest.raises(ChromeUnreachable, match=f"127.0.0.1, port {port}, and CHROME_AUTO_LAUNCH is off"):
        await browser(tmp_path, port).ensure()
    with pytest.raises(ChromeUnreachable, match="switched off"):
        await browser(tmp_path, port, enabled=False).ensure()


LISTENER = """
import socket, sys, time
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("up", flush=True)
time.sleep(60)
"""


async def test_a_browser_that_is_stuck_before_we_connect_is_reported_and_not_doubled(tmp_path: Path) -> None:
    port, other = free_ports(2)
    stuck = subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", LISTENER, str(port), f"--remote-debugging-port={port}"], stdout=subprocess.PIPE
    )
    try:
        assert stuck.stdout is not None
        await asyncio.to_thread(stuck.stdout.readline)
        os.kill(stuck.pid, signal.SIGSTOP)
        begun = time.monotonic()
        for ports in ((port, other), (port,)):
            with pytest.raises(ChromeNotAnswering, match=str(port)):
                await browser(tmp_path, *ports, auto_launch=True, program="/bin/false").ensure()
        assert time.monotonic() - begun < 8
    finally:
        stuck.kill()
        stuck.communicate()


# Connecting to a fake


async def test_connecting_is_tried_three_times_with_growing_waits(
    fake: FakeChrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    tries = 0
    upgrade = fake.upgrade

    async def refuse(request: web.Request) -> web.StreamResponse:
        nonlocal tries
        tries += 1
        return web.Response(status=503) if tries < 3 else await upgrade(request)

    fake.upgrade = refuse
    fake.answers["Target.setDiscoverTargets"] = {}
    monkeypatch.setattr("pageside.chrome.link.asyncio.sleep", note)
    one = browser(tmp_path, fake.port)
    await one.ensure()
    assert waits == [0.5, 1.0]
    await one.close()
    tries = -10
    with pytest.raises(ChromeUnreachable, match="Tried 3 times"):
        await browser(tmp_path, ws_url=fake.url).ensure()
    assert tries == -7


async def test_a_socket_that_never_answers_is_reported_in_time_and_asked_anew(
    fake: FakeChrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pageside.chrome.link.CONNECT_SECONDS", 0.2)
    one = browser(tmp_path, fake.port)
    with pytest.raises(ChromeNotAnswering):
        await one.ensure()
    assert one.endpoint is None
    fake.answers["Target.setDiscoverTargets"] = {}
    await one.ensure()
    assert one.endpoint is not None
    await one.close()


async def test_a_lost_connection_is_made_anew(fake: FakeChrome, tmp_path: Path) -> None:
    fake.answers["Target.setDiscoverTargets"] = {}
    one = browser(tmp_path, fake.port)
    first = await one.ensure()
    assert await one.ensure() is first
    waiting = asyncio.ensure_future(first.root("A.silent"))
    await fake.call("A.silent")
    fake.drop()
    with pytest.raises(ChromeLost):
        await waiting
    second = await one.ensure()
    assert second is not first
    assert fake.connections == 2
    await one.close()
    with pytest.raises(ChromeUnreachable, match="stopping"):
        await one.ensure()


@pytest.mark.parametrize(
    "targets",
    [
        {},
        {"targetInfos": None},
        {"targetInfos": 5},
        {"targetInfos": ["x"]},
        {"targetInfos": [{"type": "page"}]},
        {"targetInfos": [{"type": "page", "url": 5, "title": 5, "targetId": "1"}]},
    ],
)
async def test_a_list_of_tabs_that_makes_no_sense_is_an_error_with_a_name(
    fake: FakeChrome, tmp_path: Path, targets: Message
) -> None:
    fake.answers |= {"Target.setDiscoverTargets": {}, "Target.getTargets": targets}
    one = browser(tmp_path, fake.port)
    with pytest.raises(ChromeError):
        await one.tabs()
    await one.close()


async def test_a_tab_whose_answers_make_no_sense_is_an_error_with_a_name(
    fake: FakeChrome, tmp_path: Path
) -> None:
    fake.answers |= {"Target.setDiscoverTargets": {}, "Target.attachToTarget": {}, "Target.createTarget": {}}
    fake.handlers["Target.closeTarget"] = lambda call: fake.refuse(call, None)
    one = browser(tmp_path, fake.port)
    for ask in (one.tab("1"), one.open_tab("about:blank"), one.close_tab("1")):
        with pytest.raises(PagesideError):
            await asyncio.wait_for(ask, 5)
    await one.close()


async def test_events_that_make_no_sense_are_survived(fake: FakeChrome, tmp_path: Path) -> None:
    fake.answers |= {"Target.setDiscoverTargets": {}, "Target.getTargets": {"targetInfos": []}}
    one = browser(tmp_path, fake.port)
    await one.ensure()
    for name in ("targetCreated", "targetDestroyed", "targetCrashed", "detachedFromTarget"):
        shapes: list[Message] = [{}, {"targetInfo": 5}, {"targetId": ["x"]}, {"sessionId": {}}]
        for params in shapes:
            await fake.event(f"Target.{name}", **params)
    assert await one.tabs() == []
    await one.close()
