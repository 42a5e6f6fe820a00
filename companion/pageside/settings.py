"""What can be configured: defaults < environment < flags.

`VARIABLES` is the one table of environment variables; the help text and the docs are made from it.
"""

from __future__ import annotations

import ipaddress
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlsplit

from platformdirs import user_state_path

from pageside.contract import CHANNEL, TABS
from pageside.errors import InvalidArguments

VARIABLES: dict[str, str] = {
    "PAGESIDE_PROJECT": "Project root; by default found from the current folder (.git, package.json).",
    "PAGESIDE_PORT": "First port to try; the next free one is taken when it is in use. Default 6137.",
    "PAGESIDE_STATE_DIR": "Where the queue, the registry and the agent token are kept.",
    "PAGESIDE_TOOLSETS": "Toolsets of agents that name none, separated by commas. Default inspector,element.",
    "PAGESIDE_LOG": "debug, info, warning or error. Default info.",
    "CDP_WS_URL": "WebSocket of the Chrome to use; nothing is searched then.",
    "CHROME_DEBUG_HOST": "Host of Chrome's debugging port; nothing is scanned then. Also CDP_HOST. Default 127.0.0.1.",
    "CHROME_DEBUG_PORT": "Chrome's debugging port. Also CDP_PORT. Default: the first of 9222-9229 that answers.",
    "CHROME_AUTO_LAUNCH": "Launch a Chrome when none is found: true or false. Default true.",
    "CHROME_PATH": "The Chrome to launch; by default found where it is usually installed.",
    "CHROME_LAUNCH_URL": "What a launched Chrome opens. Default about:blank.",
    "PAGESIDE_CHROME": "off: never use or launch a Chrome (flag --no-chrome). Default on.",
    "PAGESIDE_CHROME_HEADLESS": "true or false, for a launched Chrome. Default: only where there is no display.",
    "PAGESIDE_CHROME_ARGS": "More flags for a launched Chrome, as in a shell.",
    "CONSOLE_BUFFER_SIZE": "Console messages kept for each tab. Default 500.",
    "NETWORK_BUFFER_SIZE": "Network requests kept for each tab. Default 200.",
    "SERVER_LOG_BUFFER_SIZE": "Lines kept of each dev server's log. Default 1000.",
    "PAGESIDE_SCRIPT_ORIGINS": "Origins where agents may run scripts besides the dev servers' own: a,b or * for any.",
    "PAGESIDE_TAB_PORT": "Where tabs of the browser extension connect, or off. Default 61822.",
    "PAGESIDE_TAB_ORIGINS": "Origins of other programs whose tabs may connect there, besides the extension: a,b.",
    "PAGESIDE_SERVERS": "What agents may start: scripts (of package.json), ask, any or off. Default scripts.",
}

ALIASES: dict[str, str] = {"CDP_HOST": "CHROME_DEBUG_HOST", "CDP_PORT": "CHROME_DEBUG_PORT"}
"""Other names of variables; the proper name wins."""


DEFAULT_TOOLSETS = ("inspector", "element")


CHROME_PORTS = tuple(range(9222, 9230))


@dataclass(frozen=True, slots=True)
class ChromeSettings:
    """Which Chrome is used, how one is launched, and how much of each tab is kept."""

    enabled: bool = True
    ws_url: str | None = None
    """The browser's WebSocket; nothing is searched or launched then."""
    host: str = "127.0.0.1"
    ports: tuple[int, ...] = CHROME_PORTS
    """Searched at once, the first that answers is used; also where a launched one listens."""
    auto_launch: bool = True
    program: str | None = None
    launch_url: str | None = None
    headless: bool | None = None
    """None: only where there is no display."""
    arguments: tuple[str, ...] = ()
    """More flags for a launched one."""
    console_size: int = 500
    network_size: int = 200


ServerPolicy = Literal["scripts", "ask", "any", "off"]
SERVER_POLICIES: tuple[ServerPolicy, ...] = get_args(ServerPolicy)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Which commands agents may start as dev servers, and how many lines of each log are kept."""

    policy: ServerPolicy = "scripts"
    """`scripts`: of package.json, and those that the project lists; `ask`: others too, if the user agrees."""
    log_lines: int = 1000


@dataclass(frozen=True, slots=True)
class Settings:
    """One companion's configuration; `exit_when_idle` in seconds, None: stay until stopped."""

    project: Path
    port: int
    state: Path
    exit_when_idle: float | None = None
    log: str = "info"
    port_is_asked: bool = False
    """The port was chosen by flag or environment, so the one of the last run is not tried first."""
    toolsets: tuple[str, ...] = DEFAULT_TOOLSETS
    """What agents get that ask for nothing else."""
    chrome: ChromeSettings = ChromeSettings()
    servers: ServerSettings = ServerSettings()
    script_origins: tuple[str, ...] = ()
    """Where agents may run scripts besides the dev servers' own pages; `*`: anywhere."""
    tab_port: int | None = None
    """Where tabs of the extension connect; 0: any free port, None: nowhere."""
    tab_origins: tuple[str, ...] = ()
    """Who may connect tabs besides the extension, to the letter."""


def from_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that are set, by name; an alias counts where the proper name is not set."""
    given = {ALIASES[alias]: environment[alias] for alias in ALIASES if environment.get(alias)}
    return given | {name: environment[name] for name in VARIABLES if environment.get(name)}


def default_state_dir() -> Path:
    """The user's state folder for Pageside, as the platform has it."""
    return user_state_path("pageside", appauthor=False)


DEFAULT_PORT: int = CHANNEL["port"]


def chrome_settings(given: Mapping[str, str], *, enabled: bool = True) -> ChromeSettings:
    """From the variables that are set (`from_environment`); raises `InvalidArguments` naming the variable."""
    default = ChromeSettings()
    host, port = given.get("CHROME_DEBUG_HOST"), given.get("CHROME_DEBUG_PORT")
    return ChromeSettings(
        enabled=enabled and switch(given, "PAGESIDE_CHROME") is not False,
        ws_url=_websocket(given.get("CDP_WS_URL")),
        host=_host(host),
        ports=(_number(given, "CHROME_DEBUG_PORT", 0, 1, 65535),) if port else _ports(host),
        auto_launch=switch(given, "CHROME_AUTO_LAUNCH") is not False,
        program=given.get("CHROME_PATH"),
        launch_url=given.get("CHROME_LAUNCH_URL"),
        headless=switch(given, "PAGESIDE_CHROME_HEADLESS"),
        arguments=_arguments(given.get("PAGESIDE_CHROME_ARGS", "")),
        console_size=_number(given, "CONSOLE_BUFFER_SIZE", default.console_size, 1, 100_000),
        network_size=_number(given, "NETWORK_BUFFER_SIZE", default.network_size, 1, 100_000),
    )


def server_settings(given: Mapping[str, str], *, policy: str | None = None) -> ServerSettings:
    """From the variables that are set; a `policy` of the command line wins. Raises `InvalidArguments`."""
    wanted = policy or given.get("PAGESIDE_SERVERS", "scripts").lower()
    for known in SERVER_POLICIES:
        if wanted == known:
            return ServerSettings(known, _number(given, "SERVER_LOG_BUFFER_SIZE", 1000, 1, 100_000))
    raise InvalidArguments(
        f"PAGESIDE_SERVERS: {wanted!r} is none of {', '.join(SERVER_POLICIES)}.",
        fix="Correct it, or unset it.",
    )


def script_origins(given: Mapping[str, str], *, flag: str | None = None) -> tuple[str, ...]:
    """From the variables that are set; a `flag` of the command line wins. Raises `InvalidArguments`."""
    name, text = _named(given, "PAGESIDE_SCRIPT_ORIGINS", "", "--script-origins", flag)
    return tuple(_script_origin(name, each.strip()) for each in text.split(",") if each.strip())


def tab_port(given: Mapping[str, str], *, flag: str | None = None) -> int | None:
    """From the variables that are set; a `flag` of the command line wins. None: off. Raises `InvalidArguments`."""
    name, text = _named(given, "PAGESIDE_TAB_PORT", str(TABS["port"]), "--tab-port", flag)
    return None if text.lower() == "off" else _number({name: text}, name, 0, 0, 65535)


def tab_origins(given: Mapping[str, str], *, flag: str | None = None) -> tuple[str, ...]:
    """From the variables that are set; a `flag` of the command line wins. Raises `InvalidArguments`."""
    name, text = _named(given, "PAGESIDE_TAB_ORIGINS", "", "--tab-origins", flag)
    origins = tuple(each.strip() for each in text.split(",") if each.strip())
    for origin in origins:
        if not _TAB_ORIGIN.fullmatch(origin):
            raise InvalidArguments(
                f"{name}: {origin!r} is no origin.",
                fix="Name origins as browsers send them, like chrome-extension://<id>, without a path.",
            )
    return origins


_TAB_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#@\\*,]+")


def _named(
    given: Mapping[str, str], variable: str, default: str, flag: str, value: str | None
) -> tuple[str, str]:
    """What was asked for, and the flag or the variable that it came by: errors name that one."""
    return (variable, given.get(variable, default)) if value is None else (flag, value)


def _script_origin(name: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        bare = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and bare
    except ValueError:
        whole = False
    if not whole and text != "*":
        raise InvalidArguments(
            f"{name}: {text!r} is no origin.",
            fix="Name origins like http://localhost:8000, without a path, or * for any.",
        )
    return text


def _ports(host: str | None) -> tuple[int, ...]:
    """A host without a port means Chrome's usual one there."""
    return CHROME_PORTS if host is None else CHROME_PORTS[:1]


def own_chrome(given: Mapping[str, str]) -> str | None:
    """`host:port` of the Chrome that the environment names, for a session with a companion that has another.

    Of a `CDP_WS_URL` nothing is told: it may hold a secret, and is for a companion of one's own.
    """
    if "CDP_WS_URL" in given or not {"CHROME_DEBUG_HOST", "CHROME_DEBUG_PORT"} & set(given):
        return None
    named = chrome_settings(given)
    host = f"[{named.host}]" if ":" in named.host else named.host
    return f"{host}:{named.ports[0]}"


def switch(given: Mapping[str, str], name: str) -> bool | None:
    """Whether that variable is on; None when it is not set. Raises `InvalidArguments` naming it."""
    text = given.get(name, "").lower()
    if text in ("true", "1", "yes", "on"):
        return True
    if text in ("false", "0", "no", "off"):
        return False
    if text:
        raise InvalidArguments(f"{name}: {text!r} is neither true nor false.", fix="Correct it, or unset it.")
    return None


def _number(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = given.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or not low <= int(text) <= high:
        raise InvalidArguments(
            f"{name}: {text!r} is not a number from {low} to {high}.", fix="Correct it, or unset it."
        )
    return int(text)


def _host(host: str | None) -> str:
    """A name or an address; `localhost` is Chrome's own 127.0.0.1."""
    if host in (None, "localhost"):
        return "127.0.0.1"
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        if any(sign in bare for sign in "/:@?# \\"):
            raise InvalidArguments(
                f"CHROME_DEBUG_HOST: {host!r} is no host name or address.",
                fix="Name only the host; the port is CHROME_DEBUG_PORT's.",
            ) from None
    return host


def _arguments(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise InvalidArguments(
            f"PAGESIDE_CHROME_ARGS: {text!r} cannot be split as in a shell ({error}).",
            fix="Correct its quotes.",
        ) from None


def _websocket(url: str | None) -> str | None:
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("ws", "wss") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        raise InvalidArguments(
            f"CDP_WS_URL: {url!r} is no ws:// or wss:// URL.", fix="Correct it, or unset it."
        )
    return url
