"""Which Chrome the environment asks for; what makes no sense is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.errors import InvalidArguments
from pageside.settings import ALIASES, CHROME_PORTS, ChromeSettings, chrome_settings, from_environment


def configured(**environment: str) -> ChromeSettings:
    return chrome_settings(from_environment(environment))


def test_nothing_set_means_a_scan_of_the_usual_ports_and_a_launch() -> None:
    assert configured() == ChromeSettings()
    assert ChromeSettings().ports == tuple(range(9222, 9230))
    assert ChromeSettings().auto_launch


@pytest.mark.parametrize(
    ("environment", "host", "ports"),
    [
        ({"CHROME_DEBUG_PORT": "9333"}, "127.0.0.1", (9333,)),
        ({"CDP_PORT": "9333"}, "127.0.0.1", (9333,)),
        ({"CDP_PORT": "1", "CHROME_DEBUG_PORT": "2"}, "127.0.0.1", (2,)),
        ({"CDP_PORT": "9333", "CHROME_DEBUG_PORT": ""}, "127.0.0.1", (9333,)),
        ({"CHROME_DEBUG_HOST": "box"}, "box", (9222,)),
        ({"CDP_HOST": "box", "CDP_PORT": "65535"}, "box", (65535,)),
        ({"CDP_HOST": "one", "CHROME_DEBUG_HOST": "two"}, "two", (9222,)),
        ({"CHROME_DEBUG_HOST": "localhost"}, "127.0.0.1", (9222,)),
        ({"CHROME_DEBUG_HOST": "[::1]"}, "::1", (9222,)),
        ({"CHROME_DEBUG_HOST": "::1"}, "::1", (9222,)),
        ({"CHROME_DEBUG_HOST": "host.docker.internal"}, "host.docker.internal", (9222,)),
    ],
)
def test_host_and_port_by_their_names_and_aliases(
    environment: dict[str, str], host: str, ports: tuple[int, ...]
) -> None:
    settings = configured(**environment)
    assert (settings.host, settings.ports) == (host, ports)


def test_every_alias_stands_for_a_variable_and_gives_way_to_it() -> None:
    for alias, name in ALIASES.items():
        assert from_environment({alias: "1"}) == {name: "1"}
        assert from_environment({alias: "1", name: "2"}) == {name: "2"}


@pytest.mark.parametrize(
    "url", ["ws://127.0.0.1:9222/devtools/browser/1", "wss://box/x?token=1", "ws://[::1]:1/"]
)
def test_a_websocket_is_taken_as_it_is(url: str) -> None:
    assert configured(CDP_WS_URL=url, CHROME_DEBUG_PORT="1").ws_url == url


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("CDP_WS_URL", value)
            for value in ("http://a", "ws:", "ws://", "ws://a:x/", "ws://a:0/", "ws://[::1", "a")
        ),
        *(
            ("CHROME_DEBUG_PORT", value)
            for value in ("0", "65536", "-1", "x", "9222.0", " 9222", "00000100099999", "٩")
        ),
        *(("CHROME_DEBUG_HOST", value) for value in ("http://a", "a:9222", "a/b", "u@a", "a b")),
        *(("CHROME_AUTO_LAUNCH", value) for value in ("maybe", "2", "-")),
        *(("PAGESIDE_CHROME", value) for value in ("chromium",)),
        *(("PAGESIDE_CHROME_HEADLESS", value) for value in ("new",)),
        *(("PAGESIDE_CHROME_ARGS", value) for value in ("--a='b", 'a "')),
        *(("CONSOLE_BUFFER_SIZE", value) for value in ("0", "100001", "many", "1e3")),
        *(("NETWORK_BUFFER_SIZE", value) for value in ("0", "100001", "")),
    ],
)
def test_a_value_that_makes_no_sense_is_named_with_its_variable(name: str, value: str) -> None:
    if not value:
        # Set to nothing is not set.
        assert configured(**{name: value}) == ChromeSettings()
        return
    with pytest.raises(InvalidArguments) as caught:
        configured(**{name: value})
    assert caught.value.message.startswith(f"{name}: {value!r}")
    assert caught.value.fix


@pytest.mark.parametrize("yes", ["true", "1", "yes", "on", "TRUE", "On"])
@pytest.mark.parametrize("no", ["false", "0", "no", "off", "FALSE", "Off"])
def test_switches_by_any_usual_word(yes: str, no: str) -> None:
    assert configured(CHROME_AUTO_LAUNCH=yes).auto_launch
    assert not configured(CHROME_AUTO_LAUNCH=no).auto_launch
    assert configured(PAGESIDE_CHROME=yes).enabled
    assert not configured(PAGESIDE_CHROME=no).enabled
    assert (
        configured(PAGESIDE_CHROME_HEADLESS=yes).headless,
        configured(PAGESIDE_CHROME_HEADLESS=no).headless,
    ) == (
        True,
        False,
    )
    assert configured().headless is None


def test_a_flag_switches_off_what_the_environment_leaves_on() -> None:
    assert not chrome_settings(from_environment({"PAGESIDE_CHROME": "on"}), enabled=False).enabled


def test_what_is_launched_and_kept() -> None:
    settings = configured(
        CHROME_PATH="/opt/chrome",
        CHROME_LAUNCH_URL="http://localhost:5173/",
        PAGESIDE_CHROME_ARGS="--lang=de '--user-agent=a b'",
        CONSOLE_BUFFER_SIZE="7",
        NETWORK_BUFFER_SIZE="100000",
    )
    assert (settings.program, settings.launch_url) == ("/opt/chrome", "http://localhost:5173/")
    assert settings.arguments == ("--lang=de", "--user-agent=a b")
    assert (settings.console_size, settings.network_size) == (7, 100_000)


@given(
    st.sampled_from(["CDP_WS_URL", "CHROME_DEBUG_HOST", "CHROME_DEBUG_PORT", "CDP_PORT"]),
    st.text(max_size=20),
)
def test_any_text_is_taken_or_named(name: str, value: str) -> None:
    try:
        settings = configured(**{name: value})
    except InvalidArguments as error:
        assert error.message.startswith(ALIASES.get(name, name))  # noqa: PT017
    else:
        assert settings.ports == CHROME_PORTS or len(settings.ports) == 1
        assert all(0 < port < 65_536 for port in settings.ports)
