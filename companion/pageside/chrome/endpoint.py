"""Where a Chrome with remote debugging listens: asks `/json/version`, and believes little of the answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import aiohttp

PROBE_SECONDS = 1.5
MAX_ANSWER_BYTES = 65_536
MAX_LIST_BYTES = 1_000_000
NOT_FOR_AGENTS = ("devtools://", "chrome-extension://", "chrome-untrusted://")
"""URLs of tabs that are the browser's own affair."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A browser's WebSocket; `product` as Chrome names itself, such as `Chrome/156.0.8078.79`."""

    url: str
    product: str = ""

    @property
    def address(self) -> str:
        """`host:port`, without a name and password."""
        return urllib.parse.urlsplit(self.url).netloc.rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class Scan:
    """Who was found, and the ports that take connections but say nothing; both in the order that was asked."""

    found: list[Endpoint]
    mute: list[int]


async def scan(ports: Iterable[int], host: str = "127.0.0.1") -> Scan:
    """Ask all these ports at once whether a browser answers there; takes at most 3 s."""
    asked = tuple(ports)
    address = await _numeric(host)
    # Compressed answers would be a way round the limit of their size.
    async with aiohttp.ClientSession(auto_decompress=False) as http:
        answers = await asyncio.gather(*(_ask(http, address, port) for port in asked))
    return Scan(
        [answer for answer in answers if isinstance(answer, Endpoint)],
        [port for port, answer in zip(asked, answers, strict=True) if answer is _MUTE],
    )


async def _numeric(host: str) -> str:
    """Its address: Chrome answers no other names than localhost."""
    with contextlib.suppress(OSError, TimeoutError, UnicodeError):
        async with asyncio.timeout(PROBE_SECONDS):
            loop = asyncio.get_running_loop()
            infos = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return str(infos[0][4][0])
    return host


_MUTE = "mute"


async def _ask(http: aiohttp.ClientSession, host: str, port: int) -> Endpoint | str | None:
    """None when nothing there speaks CDP, lies about where it is, or redirects."""
    shown = f"[{host}]" if ":" in host else host
    timeout = aiohttp.ClientTimeout(total=PROBE_SECONDS)
    url = f"http://{shown}:{port}/json/version"
    try:
        async with http.get(url, timeout=timeout, allow_redirects=False) as response:
            if response.status == 404 and host == "127.0.0.1":
                # chrome://inspect/#remote-debugging serves no HTTP, only the socket that a file names.
                named = await asyncio.to_thread(active_port_endpoints)
                return next((each for each in named if each.address == f"{shown}:{port}"), None)
            return _parsed(await _limited(response), f"{shown}:{port}") if response.status == 200 else None
    except TimeoutError:
        return _MUTE
    except (aiohttp.ClientError, OSError, ValueError, RecursionError):
        return None


async def _limited(response: aiohttp.ClientResponse, limit: int = MAX_ANSWER_BYTES) -> bytes:
    body = b""
    async for chunk in response.content.iter_chunked(8192):
        body += chunk
        if len(body) > limit:
            raise ValueError("too long for an answer of Chrome")
    return body


def _parsed(body: bytes, address: str) -> Endpoint | None:
    """The host and port that were asked, with the path that was answered: a redirection to elsewhere leads nowhere."""
    answer = json.loads(body)
    stated = answer.get("webSocketDebuggerUrl") if isinstance(answer, dict) else None
    if not isinstance(stated, str):
        return None
    path = urllib.parse.urlsplit(stated).path
    if not path.startswith("/devtools/"):
        return None
    product = answer.get("Browser")
    name = "".join(filter(str.isprintable, product))[:100] if isinstance(product, str) else ""
    return Endpoint(f"ws://{address}{path}", name)


async def count_tabs(endpoint: Endpoint) -> int | None:
    """How many tabs the browser there lists over HTTP, without connecting; None if it does not say."""
    url = f"http://{endpoint.address}/json/list"
    timeout = aiohttp.ClientTimeout(total=PROBE_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(auto_decompress=False) as http,
            http.get(url, timeout=timeout, allow_redirects=False) as response,
        ):
            listed = json.loads(await _limited(response, MAX_LIST_BYTES))
            pages = [each["url"] for each in listed if each["type"] == "page"]
            return len([url for url in pages if not url.startswith(NOT_FOR_AGENTS)])
    except (TimeoutError, aiohttp.ClientError, OSError, ValueError, RecursionError):
        return None
    except (TypeError, KeyError, AttributeError):
        # It is no list of tabs.
        return None


_PROFILES = {
    "darwin": (
        "~/Library/Application Support",
        ("Google/Chrome", "Google/Chrome Canary", "Chromium", "Microsoft Edge"),
    ),
    "win32": (
        "%LOCALAPPDATA%",
        ("Google/Chrome/User Data", "Chromium/User Data", "Microsoft/Edge/User Data"),
    ),
    "linux": ("~/.config", ("google-chrome", "chromium", "microsoft-edge")),
}


def default_profiles() -> list[Path]:
    """The default profile folders of this platform's Chromes, whether they exist or not."""
    root, names = _PROFILES.get(sys.platform, _PROFILES["linux"])
    configured = os.environ.get("XDG_CONFIG_HOME") if sys.platform == "linux" else None
    base = Path(configured or os.path.expandvars(os.path.expanduser(root)))
    return [base / name for name in names]


def active_port_endpoints(profiles: Iterable[Path] | None = None) -> list[Endpoint]:
    """The sockets that the profiles' `DevToolsActivePort` name; of Chromes that may have ended long ago."""
    named = []
    for profile in default_profiles() if profiles is None else profiles:
        with contextlib.suppress(OSError, ValueError):
            stated, path = (profile / "DevToolsActivePort").read_text("utf-8").split()
            if 0 < int(stated) < 65_536 and path.startswith("/devtools/"):
                named.append(Endpoint(f"ws://127.0.0.1:{int(stated)}{path}"))
    return named
