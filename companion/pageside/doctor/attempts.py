"""What the attack sends: requests that a companion must refuse, as data, each with the answers that are a refusal.

None of them changes anything should it pass: they ask for health, ping, or guess.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field

from pageside.contract import CHANNEL, LIMITS, TABS
from pageside.doctor.asking import head

HEALTH: str = CHANNEL["routes"]["health"]
MCP: str = CHANNEL["mcp"]
PREFIX: str = CHANNEL["prefix"]
PAGE = PREFIX + CHANNEL["routes"]["client"]
PLUGIN = PREFIX + CHANNEL["routes"]["tell"]
TABS_ROUTE = PREFIX + CHANNEL["routes"]["tabs"]
CONSOLE = PREFIX + CHANNEL["console"]["events"]
ENTER = PREFIX + CHANNEL["console"]["enter"]
HEADERS: dict[str, str] = CHANNEL["headers"]
EVIL = "http://evil.example"
JSON = "application/json"
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
AS_A_BROWSER = {"Sec-Fetch-Site": "same-origin"}
WEBSOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "cGFnZXNpZGUgZG9jdG9yIQ==",
}


@dataclass(frozen=True, slots=True)
class Target:
    """A companion that is attacked: where it listens, and the tokens of its registry entry."""

    port: int
    page: str
    agent: str
    tab_port: int | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request; `statuses` are the refusals that it may get."""

    name: str
    statuses: tuple[int, ...]
    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    twice: tuple[str, str] | None = None
    """A header once more, with another value."""
    version: str = "HTTP/1.1"
    at_tabs: bool = False

    @property
    def shown(self) -> str:
        return f"{self.method} {self.path}"

    def data(self, target: Target) -> bytes:
        """Its bytes, with a good Host and the length of its body where it says nothing else."""
        port = target.tab_port if self.at_tabs else target.port
        named = {"Host": f"127.0.0.1:{port}", "Connection": "close"} | self.headers
        if self.body and "Transfer-Encoding" not in named:
            named.setdefault("Content-Length", str(len(self.body)))
        pairs = [*named.items(), *([self.twice] if self.twice else [])]
        return head(self.method, self.path, pairs, self.version) + self.body


def attempts(target: Target) -> Iterator[Attempt]:
    """All of them, in the order of the table."""
    yield from _origins(target)
    yield from _hosts(target)
    yield from _tokens(target)
    yield from _bodies(target)
    yield from _paths()
    yield from _websockets()
    if target.tab_port is not None:
        yield from _tabs()


def _origins(target: Target) -> Iterator[Attempt]:
    for name, origin in (
        ("Origin of another site", EVIL),
        ("Origin: null", "null"),
        ("Origin of another local port", "http://localhost:3000"),
        ("Origin that begins like ours", f"{target.origin}.evil.example"),
        ("Origin of another extension", f"chrome-extension://{'a' * 32}"),
    ):
        yield Attempt(name, (403,), "GET", HEALTH, {"Origin": origin})
    two = Attempt("two Origins, one of them ours", (403,), "GET", HEALTH, {"Origin": target.origin})
    yield Attempt(two.name, two.statuses, two.method, two.path, two.headers, twice=("Origin", EVIL))
    yield Attempt("no Origin, from another site", (403,), "GET", HEALTH, {"Sec-Fetch-Site": "cross-site"})
    asked = {"Origin": EVIL, "Access-Control-Request-Method": "POST"}
    yield Attempt("preflight of another site", (403,), "OPTIONS", MCP, asked)
    yield Attempt("preflight of our own Origin", (403,), "OPTIONS", MCP, asked | {"Origin": target.origin})


def _hosts(target: Target) -> Iterator[Attempt]:
    for name, host in (
        ("rebound name as Host", f"evil.example:{target.port}"),
        ("Host that ends like ours", f"evil.localhost:{target.port}"),
        ("Host without our port", "localhost"),
    ):
        yield Attempt(name, (421,), "GET", HEALTH, {"Host": host})
    yield Attempt("two Hosts", (400, 421), "GET", HEALTH, twice=("Host", "evil.example"))


def _tokens(target: Target) -> Iterator[Attempt]:
    wrong = secrets.token_urlsafe(32)
    page, plugin = HEADERS["pageToken"], HEADERS["pluginToken"]
    sent = {"Content-Type": JSON}
    yield Attempt("page route, no token", (401,), "GET", PAGE)
    yield Attempt("page route, wrong token", (401,), "GET", PAGE, {page: wrong})
    yield Attempt("plugin route, no token", (401,), "POST", PLUGIN, sent, b"{}")
    yield Attempt("plugin route, wrong token", (401,), "POST", PLUGIN, sent | {plugin: wrong}, b"{}")
    yield Attempt("plugin route, page's token", (401,), "POST", PLUGIN, sent | {plugin: target.page}, b"{}")
    yield Attempt("agent route, a page without token", (401,), "POST", MCP, sent | AS_A_BROWSER, PING)
    for name, token in (("wrong token", wrong), ("page's token", target.page)):
        yield Attempt(f"agent route, {name}", (401,), "POST", MCP, sent | _bearer(token), PING)
    as_page = sent | AS_A_BROWSER | {page: target.page}
    yield Attempt("agent route, a page as page", (401,), "POST", MCP, as_page, PING)
    yield Attempt("console route, no token", (401,), "GET", CONSOLE)
    yield Attempt("console route, wrong token", (401,), "GET", CONSOLE, _bearer(wrong))
    yield Attempt("console route, agent's token", (401,), "GET", CONSOLE, _bearer(target.agent))
    guess = json.dumps({"code": wrong}).encode()
    yield Attempt("console, a guessed code", (404,), "POST", ENTER, sent | {"Origin": target.origin}, guess)
    yield Attempt("console, a code of no page", (403,), "POST", ENTER, sent, guess)


def _bodies(target: Target) -> Iterator[Attempt]:
    agent = _bearer(target.agent)
    plain = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")
    for kind in plain:
        name = f"body as {kind.partition(';')[0]}"
        yield Attempt(name, (415,), "POST", MCP, agent | {"Content-Type": kind}, PING)
    yield Attempt("body of no type", (415,), "POST", MCP, agent, PING)
    sent = agent | {"Content-Type": JSON}
    yield Attempt("compressed body", (415,), "POST", MCP, sent | {"Content-Encoding": "gzip"}, PING)
    size = LIMITS["bodyBytes"] + 1
    yield Attempt(
        "oversized body, announced", (413,), "POST", MCP, sent | {"Content-Length": str(size)}, b" "
    )
    chunk = b"%x\r\n%b\r\n0\r\n\r\n" % (size, b" " * size)
    yield Attempt(
        "oversized body, in chunks", (413,), "POST", MCP, sent | {"Transfer-Encoding": "chunked"}, chunk
    )


def _paths() -> Iterator[Attempt]:
    yield Attempt("path with two slashes", (400,), "GET", f"/{HEALTH}")
    yield Attempt("path as a whole URL", (400,), "GET", EVIL + HEALTH)
    yield Attempt("path with ..", (404,), "GET", f"/x/..{HEALTH}")
    yield Attempt("path with encoded ..", (404,), "GET", f"/%2e%2e{HEALTH}")
    yield Attempt("path with a fragment", (400,), "GET", f"{HEALTH}#x")
    yield Attempt("path with a backslash", (400,), "GET", f"{HEALTH}\\")
    yield Attempt("HTTP/1.0", (400,), "GET", HEALTH, version="HTTP/1.0")
    yield Attempt("TRACE", (400,), "TRACE", HEALTH)


def _websockets() -> Iterator[Attempt]:
    for path in (MCP, TABS_ROUTE):
        yield Attempt("WebSocket of another site", (403,), "GET", path, WEBSOCKET | {"Origin": EVIL})


def _tabs() -> Iterator[Attempt]:
    extension = f"chrome-extension://{TABS['extension']}"
    for name, headers, status in (
        ("tab socket, another site", {"Origin": EVIL}, 403),
        ("tab socket, Origin: null", {"Origin": "null"}, 403),
        ("tab socket, no Origin", {}, 403),
        ("tab socket, another extension", {"Origin": f"chrome-extension://{'a' * 32}"}, 403),
        ("tab socket, rebound Host", {"Origin": extension, "Host": "evil.example"}, 421),
    ):
        yield Attempt(name, (status,), "GET", "/", WEBSOCKET | headers, at_tabs=True)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
