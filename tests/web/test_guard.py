"""The door: what is checked, in which order, and that nothing behind it runs for who fails."""

from __future__ import annotations

import itertools
import logging
from dataclasses import dataclass

import pytest

from pageside.contract import CHANNEL, LIMITS
from pageside.web import guard
from pageside.web.app import Companion
from support.door import Door
from support.raw import Reply, exchange, head

UPDATE = CHANNEL["prefix"] + CHANNEL["routes"]["update"]
JSON = "application/json"
OWN = "GET", "/health"


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a request, and the answer to it when nothing before it is wrong."""

    name: str
    status: int
    says: str


FAULTS = [
    Fault("bad target", 400, "plain path"),
    Fault("bad host", 421, "This Host is not served"),
    Fault("foreign origin", 403, "This Origin may not"),
    Fault("preflight", 403, "No cross-origin access"),
    Fault("cross-site fetch", 403, "another site"),
    Fault("no token", 401, "needs the page token"),
    Fault("wrong content type", 415, "content type"),
    Fault("too large", 413, "larger than"),
]
SUBSETS = [set(names) for n in range(9) for names in itertools.combinations([f.name for f in FAULTS], n)]


def request(companion: Companion, faults: set[str]) -> bytes:
    """A page's update with these faults, and no others."""
    body = b"{}"
    headers = {
        "Host": "evil.example" if "bad host" in faults else f"127.0.0.1:{companion.port}",
        "Content-Type": "text/plain" if "wrong content type" in faults else JSON,
        "Content-Length": str(LIMITS["bodyBytes"] + 1 if "too large" in faults else len(body)),
    }
    if "foreign origin" in faults:
        headers["Origin"] = "http://evil.example"
    if "cross-site fetch" in faults:
        headers["Sec-Fetch-Site"] = "cross-site"
    if "no token" not in faults:
        headers[CHANNEL["headers"]["pageToken"]] = companion.secrets.page
    target = f"{UPDATE}#" if "bad target" in faults else UPDATE
    return head("OPTIONS" if "preflight" in faults else "POST", target, headers) + body


async def test_of_several_faults_the_first_in_order_answers_and_the_handler_never_runs(
    companion: Companion, door: Door
) -> None:
    assert len(SUBSETS) == 256
    for faults in SUBSETS:
        reply = await exchange(companion.port, request(companion, faults))
        assert reply is not None
        first = next((fault for fault in FAULTS if fault.name in faults), None)
        if first is None:
            assert (reply.status, door.handled) == (410, [UPDATE])
            door.handled.clear()
        else:
            assert (reply.status, first.says in reply.message) == (first.status, True), (faults, reply)
    assert door.handled == []


async def get(companion: Companion, target: str = "/health", **headers: str) -> Reply:
    """A GET with a good Host, and these headers (underscores become dashes)."""
    named = {"Host": f"localhost:{companion.port}"} | {k.replace("_", "-"): v for k, v in headers.items()}
    reply = await exchange(companion.port, head("GET", target, named))
    assert reply is not None
    return reply


TARGETS = [
    "//health",
    "/health#x",
    "/health?a#b",
    "/health\\",
    "http://evil.example/health",
    "*",
    "",
    "health",
]


@pytest.mark.parametrize("target", [*TARGETS, "/he alth", "/health\x00", "/health\x7f", "/health\xff"])
async def test_a_malformed_target_is_a_bad_request(companion: Companion, door: Door, target: str) -> None:
    reply = await get(companion, target)
    assert (reply.status, door.handled) == (400, [])


NOT_ROUTES = ["/", "/health/", "/HEALTH", "/./health", "/x/../health", "/%2e%2e/health", "/health%00"]


@pytest.mark.parametrize(
    "target", [*NOT_ROUTES, "/__pageside__", "/__pageside__/page/", "/__mcp__/ssee", "/%5F_mcp__x"]
)
async def test_what_is_not_a_route_to_the_letter_is_not_found(
    companion: Companion, door: Door, target: str
) -> None:
    reply = await get(companion, target)
    assert (reply.status, reply.code, door.handled) == (404, "NOT_FOUND", [])


async def test_an_encoded_path_asks_for_the_token_of_the_route_it_may_mean(
    companion: Companion, door: Door
) -> None:
    for path in ("%73tream?channel=0123456789abcdef", "%2e/stream", "../page/stream"):
        assert (await get(companion, f"/__pageside__/page/{path}")).status in (401, 404)
    assert door.handled == []


async def test_the_companions_own_address_in_absolute_form_is_refused_too(
    companion: Companion, door: Door
) -> None:
    assert (await get(companion, f"http://localhost:{companion.port}/health")).status == 400
    assert door.handled == []


@pytest.mark.parametrize(
    "version", ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "HTTP/3", "http/1.1", ""]
)
async def test_only_http_1_1_is_spoken(companion: Companion, door: Door, version: str) -> None:
    headers = {"Host": f"localhost:{companion.port}"}
    reply = await exchange(companion.port, head(*OWN, headers, version))
    assert (reply is None or reply.status == 400, door.handled) == (True, [])


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "BREW", "get"])
async def test_unusual_methods_are_refused(companion: Companion, door: Door, method: str) -> None:
    headers = {"Host": f"localhost:{companion.port}"}
    reply = await exchange(companion.port, head(method, "/health", headers))
    assert reply is not None
    assert (reply.status, door.handled) == (400, [])


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "PATCH"])
async def test_a_method_that_a_route_has_not_is_not_allowed(
    companion: Companion, door: Door, method: str
) -> None:
    headers = {"Host": f"localhost:{companion.port}", "Content-Type": JSON, "Content-Length": "0"}
    reply = await exchange(companion.port, head(method, "/health", headers))
    assert reply is not None
    assert (reply.status, reply.headers["allow"], door.handled) == (405, "GET", [])


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LocalHost"])
async def test_the_names_of_loopback_are_served(companion: Companion, name: str) -> None:
    headers = {"Host": f"{name}:{companion.port}"}
    reply = await exchange(companion.port, head(*OWN, headers))
    assert reply is not None
    assert reply.status == 200


BAD_HOSTS = [
    "evil.example",
    "evil.example:{port}",
    "localhost",
    "localhost:80",
    "localhost.:{port}",
    "localhost:0{port}",
    "user@localhost:{port}",
    "127.1:{port}",
    "2130706433:{port}",
    "[::ffff:127.0.0.1]:{port}",
    "localhost:{port}, evil.example",
    "localhost:{port}/",
    "l\xf6calhost:{port}",
    "",
]


@pytest.mark.parametrize("host", BAD_HOSTS)
async def test_every_other_host_is_misdirected(companion: Companion, door: Door, host: str) -> None:
    named = host.format(port=companion.port)
    reply = await exchange(companion.port, head(*OWN, {"Host": named}))
    assert reply is not None
    assert (reply.status in (400, 421), door.handled) == (True, [])
    assert "evil" not in reply.body.decode()


@pytest.mark.parametrize("count", [0, 2])
async def test_no_host_and_two_hosts_are_refused(companion: Companion, door: Door, count: int) -> None:
    hosts = [("Host", f"localhost:{companion.port}")] * count
    reply = await exchange(companion.port, head(*OWN, hosts))
    assert reply is not None
    assert (reply.status, door.handled) == (400, [])


async def test_the_own_origins_pass_with_any_sec_fetch_site(companion: Companion) -> None:
    for name in ("localhost", "127.0.0.1", "[::1]"):
        reply = await get(companion, Origin=f"http://{name}:{companion.port}", Sec_Fetch_Site="cross-site")
        assert reply.status == 200


BAD_ORIGINS = [
    "null",
    "http://evil.example",
    "http://localhost",
    "http://localhost:1",
    "https://localhost:{port}",
    "http://localhost:{port}/",
    "HTTP://localhost:{port}",
    "http://localhost:{port}.evil.example",
    "",
    "*",
]


@pytest.mark.parametrize("origin", BAD_ORIGINS)
async def test_every_other_origin_is_forbidden_and_never_echoed(
    companion: Companion, door: Door, origin: str
) -> None:
    reply = await get(companion, Origin=origin.format(port=companion.port))
    assert (reply.status, reply.code, door.handled) == (403, "FORBIDDEN", [])
    assert not [name for name in reply.headers if name.startswith("access-control-")]


async def test_two_origins_are_forbidden_even_if_both_are_good(companion: Companion) -> None:
    own = f"localhost:{companion.port}"
    headers = [("Host", own), ("Origin", f"http://{own}"), ("Origin", f"http://{own}")]
    reply = await exchange(companion.port, head(*OWN, headers))
    assert reply is not None
    assert reply.status in (400, 403)


async def test_a_preflight_gets_no_permission(companion: Companion, door: Door) -> None:
    own = f"localhost:{companion.port}"
    for origin in ("http://evil.example", f"http://{own}"):
        headers = {
            "Host": own,
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Private-Network": "true",
        }
        reply = await exchange(companion.port, head("OPTIONS", UPDATE, headers))
        assert reply is not None
        assert reply.status == 403
        assert not [name for name in reply.headers if name.startswith("access-control-")]
    assert door.handled == []


@pytest.mark.parametrize(
    ("site", "status"),
    [("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403), ("", 403), ("None", 403)],
)
async def test_sec_fetch_site_decides_when_there_is_no_origin(
    companion: Companion, site: str, status: int
) -> None:
    assert (await get(companion, Sec_Fetch_Site=site)).status == status


async def test_node_s_fetch_with_its_sec_fetch_mode_alone_passes(companion: Companion, door: Door) -> None:
    reply = await get(companion, CHANNEL["mcp"], Sec_Fetch_Mode="cors", Accept="text/event-stream")
    assert reply.status not in (401, 403)
    assert door.handled == [CHANNEL["mcp"]]


async def test_an_upgrade_to_a_websocket_meets_the_same_door(companion: Companion, door: Door) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    key = {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    assert (await get(companion, Origin="http://evil.example", **upgrade, **key)).status == 403
    assert (await get(companion, UPDATE, **upgrade, **key)).status == 401
    assert door.handled == []


async def test_refusals_are_told_once_in_a_while_and_cannot_forge_lines(
    companion: Companion, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "_last_told", {})
    for n in range(50):
        await get(companion, f"/nothing{n}%0a%1b[31mERROR?token=hunter2")
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(told) == 1
    assert not {"\n", "\x1b"} & set(told[0])
    assert "hunter2" not in told[0]


async def test_malformed_requests_do_not_fill_the_log(
    companion: Companion, caplog: pytest.LogCaptureFixture
) -> None:
    for data in (
        b"GET / HTTP/9\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
        b"GET /health HTTP/1.1\r\nBad Name: x\r\n\r\n",
    ):
        reply = await exchange(companion.port, data)
        assert reply is not None
        assert reply.status == 400
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
