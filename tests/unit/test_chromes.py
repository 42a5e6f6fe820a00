"""Which Chrome an agent means: the one its session names, else everybody's; none outlives its sessions."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pageside import cli
from pageside.agents.connections import parse_query
from pageside.chrome.browser import Browser
from pageside.core.addresses import ChromeAddress, parse_address
from pageside.errors import InvalidArguments, PagesideError
from pageside.hubs.sessions import Watcher
from pageside.operations import chromes as module
from pageside.operations.chromes import MAX_NAMED, Chromes
from pageside.settings import ChromeSettings, own_chrome
from pageside.toolsets.every import TOOLSETS


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("9223", "127.0.0.1:9223"),
        (" 9223 ", "127.0.0.1:9223"),
        ("localhost:9223", "127.0.0.1:9223"),
        ("127.0.0.1:1", "127.0.0.1:1"),
        ("[::1]:9222", "[::1]:9222"),
        ("[0:0::1]:9222", "[::1]:9222"),
        ("lab.example:9222", "lab.example:9222"),
    ],
)
def test_an_address_is_a_port_or_a_host_with_one(text: str, shown: str) -> None:
    address = parse_address(text)
    assert str(address) == shown
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text", ["", "x", "0", "65536", "-1", "٣", ":9222", "::1:9222", "a b:9", "u@h:9", "h:9/x", "[h]:9", "h:"]
)
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidArguments, match="is neither a port nor a host with one") as caught:
        parse_address(text)
    assert caught.value.data == {"argument": "chrome"}


def test_the_query_names_a_chrome_or_none() -> None:
    assert parse_query({}, ("inspector",), TOOLSETS).chrome is None
    assert parse_query({"chrome": ""}, ("inspector",), TOOLSETS).chrome is None
    named = parse_query({"chrome": "9223"}, ("inspector",), TOOLSETS).chrome
    assert named == ChromeAddress("127.0.0.1", 9223)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, None),
        ({"CHROME_DEBUG_PORT": "9223"}, "127.0.0.1:9223"),
        ({"CHROME_DEBUG_HOST": "localhost"}, "127.0.0.1:9222"),
        ({"CHROME_DEBUG_HOST": "::1", "CHROME_DEBUG_PORT": "9"}, "[::1]:9"),
        ({"CHROME_DEBUG_PORT": "9223", "CDP_WS_URL": "ws://a:1/secret"}, None),
    ],
)
def test_an_environment_that_names_a_chrome_is_told_to_the_companion(
    given: dict[str, str], told: str | None
) -> None:
    assert own_chrome(given) == told


@pytest.mark.parametrize("flags", [(), ("--no-chrome",)])
def test_stdio_passes_its_chrome_on_unless_it_wants_none(
    flags: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    queries: list[dict[str, str]] = []

    async def record(_settings: object, query: dict[str, str]) -> int:
        queries.append(query)
        return 0

    monkeypatch.setattr("pageside.web.stdio.stdio", record)
    monkeypatch.delenv("PAGESIDE_CHROME", raising=False)
    monkeypatch.setenv("CDP_PORT", "9223")
    assert cli.main(["stdio", "--project", str(tmp_path), *flags]) == 0
    assert queries == [{} if flags else {"chrome": "127.0.0.1:9223"}]


class Rests:
    """Which of the named Chromes were made, and let go."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[ChromeSettings] = []
        self.rested: list[int] = []
        self.folder = folder

        async def rest(browser: Browser) -> None:
            self.rested.append(browser.settings.ports[0])

        monkeypatch.setattr(Browser, "rest", rest)

    def chromes(self, default: ChromeSettings) -> Chromes:
        def make(settings: ChromeSettings, name: str) -> Browser:
            self.made.append(settings)
            return Browser(settings, self.folder / name)

        return Chromes(Browser(default, self.folder / "chrome"), make)


@pytest.fixture
def rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rests:
    return Rests(tmp_path, monkeypatch)


def agent(name: str, port: int | None = None) -> Watcher:
    return Watcher(name, name, chrome=None if port is None else ChromeAddress("127.0.0.1", port))


async def test_each_address_has_one_chrome_and_everybody_else_the_default(rests: Rests) -> None:
    chromes = rests.chromes(ChromeSettings(ws_url="ws://elsewhere:1/", console_size=7))
    assert chromes.of(agent("a")) is chromes.default
    assert chromes.of(agent("b", 9223)) is chromes.of(agent("c", 9223))
    assert chromes.of(agent("d", 9224)) not in (chromes.default, chromes.of(agent("b", 9223)))
    own = rests.made[0]
    assert (own.host, own.ports, own.ws_url, own.console_size) == ("127.0.0.1", (9223,), None, 7)


async def test_who_names_the_chrome_that_is_configured_shares_it(rests: Rests) -> None:
    chromes = rests.chromes(ChromeSettings(ports=(9222,)))
    assert chromes.of(agent("a", 9222)) is chromes.default
    assert rests.made == []


async def test_a_chrome_is_let_go_with_its_last_session(rests: Rests) -> None:
    chromes = rests.chromes(ChromeSettings())
    first = chromes.of(agent("a", 9223))
    chromes.of(agent("b", 9223))
    chromes.session_closed("a")
    await asyncio.sleep(0)
    assert rests.rested == []
    chromes.session_closed("b")
    assert chromes.of(agent("c", 9223)) is first, "whoever comes meanwhile gets the same one"
    chromes.session_closed("c")
    await chromes.close()
    assert rests.rested.count(9223) >= 2
    assert chromes.all == [chromes.default]


async def test_sessions_use_a_bounded_number_of_chromes(
    rests: Rests, monkeypatch: pytest.MonkeyPatch
) -> None:
    chromes = rests.chromes(ChromeSettings())
    for port in range(1, MAX_NAMED + 1):
        chromes.of(agent(f"a{port}", port))
    with pytest.raises(PagesideError, match="8 Chromes of their own") as caught:
        chromes.of(agent("late", 99))
    assert caught.value.error_code == "TOO_MANY"
    monkeypatch.setattr(module, "IDLE_SECONDS", 0.0)
    chromes.of(agent("late", 99))
    await chromes.close()
    assert len(chromes.all) == MAX_NAMED + 1
    assert 1 in rests.rested, "the one that was idle longest made room"


async def test_only_this_machine_or_the_configured_one_can_be_named(rests: Rests) -> None:
    chromes = rests.chromes(ChromeSettings(host="lab.example"))
    for allowed in (None, "9223", "[::1]:9223", "lab.example:9223"):
        chromes.check(None if allowed is None else parse_address(allowed))
    with pytest.raises(InvalidArguments, match="is on another machine"):
        chromes.check(parse_address("10.0.0.7:9222"))
