"""Which credential opens which route: every route against every credential, from the route table itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from pageside.contract import CHANNEL
from pageside.web import guard
from pageside.web.app import Companion
from pageside.web.routes import Scope
from support.console import token_of
from support.door import Door
from support.raw import Reply, exchange, head
from support.sockets import connection

NAMES = CHANNEL["headers"]
MCP = CHANNEL["mcp"]
linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="only there the system tells whose socket it is"
)


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every socket belongs to somebody else."""
    monkeypatch.setattr(guard, "same_user", lambda _peer: False)


async def ask(companion: Companion, method: str, path: str, **headers: str) -> Reply:
    """One request with a good Host and content type, and these headers (underscores become dashes)."""
    named = {"Host": f"127.0.0.1:{companion.port}", "Content-Type": "application/json", "Content-Length": "2"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    reply = await exchange(companion.port, head(method, path, named) + b"{}")
    assert reply is not None
    return reply


def credentials(companion: Companion) -> Iterator[tuple[str, set[Scope], dict[str, str]]]:
    """(name, the scopes it opens, the headers that present it)."""
    page, plugin, agent = (getattr(companion.secrets, name) for name in ("page", "plugin", "agent"))
    yield "nothing", set(), {}
    yield "page token", {Scope.PAGE}, {NAMES["pageToken"]: page}
    yield "plugin token", {Scope.PLUGIN}, {NAMES["pluginToken"]: plugin}
    yield "agent token", {Scope.AGENT}, {"Authorization": f"Bearer {agent}"}
    console = {"Authorization": f"Bearer {token_of(companion)}"}
    yield "console token", {Scope.CONSOLE, Scope.AGENT}, {**console, "Origin": companion.url}
    yield "console token of a program", set(), console
    for name, token in (
        ("page", page),
        ("plugin", plugin),
        ("agent", agent),
        ("empty", ""),
        ("odd", "\xff\xfe"),
    ):
        places = {"pageToken": page, "pluginToken": plugin}
        for place, right in places.items():
            if token != right:
                yield f"{name} in {place}", set(), {NAMES[place]: token}
        if token != agent:
            yield f"{name} as bearer", set(), {"Authorization": f"Bearer {token}"}
    for value in (
        agent,
        f"Basic {agent}",
        f"Bearer {agent}x",
        f"Bearer {agent[:-1]}",
        "Bearer",
        agent.swapcase(),
    ):
        yield f"authorization {value[:8]}", set(), {"Authorization": value}
    yield "cookies", set(), {"Cookie": f"token={agent}; {NAMES['pageToken']}={page}"}


@pytest.mark.usefixtures("strangers")
async def test_a_route_opens_for_its_own_scope_and_for_no_other(companion: Companion, door: Door) -> None:
    assert {route.scope for route in door.routes} == set(Scope)
    for route in door.routes:
        for name, opens, headers in credentials(companion):
            for method in route.methods:
                reply = await ask(companion, method, route.path, **headers)
                admitted = route.scope is Scope.PUBLIC or route.scope in opens
                assert (door.handled != []) == admitted, (method, route.path, name, reply.status)
                assert (reply.status == 401) == (not admitted), (method, route.path, name, reply.status)
                door.handled.clear()


@pytest.mark.usefixtures("strangers")
async def test_tokens_in_the_address_open_nothing(companion: Companion, door: Door) -> None:
    tokens = {"token": companion.secrets.agent, NAMES["pageToken"]: companion.secrets.page}
    query = "&".join(f"{name}={token}" for name, token in tokens.items())
    for route in door.routes:
        if route.scope is not Scope.PUBLIC:
            assert (await ask(companion, route.methods[0], f"{route.path}?{query}")).status == 401
    assert door.handled == []


PLUGINS = {"resolve", "usage", "open"}
"""Routes that the plugin answers itself: they are about the project's files."""


def test_every_route_of_the_contract_is_in_the_table_but_the_plugin_s_own(
    companion: Companion, door: Door
) -> None:
    own = {CHANNEL["prefix"] + path for name, path in CHANNEL["routes"].items() if name not in PLUGINS}
    console = {CHANNEL["prefix"] + path for path in CHANNEL["console"].values()}
    assert {route.path for route in door.routes} == own | console | {
        CHANNEL["routes"]["health"],
        MCP,
        f"{MCP}/sse",
        f"{MCP}/messages",
        "/mcp",
    }
    assert len(door.routes) == len({route.path for route in door.routes})


async def test_another_project_s_page_is_told_so(companion: Companion, door: Door) -> None:
    for route in door.routes:
        if route.scope is Scope.PAGE:
            headers = {NAMES["pageToken"]: companion.secrets.page, NAMES["project"]: "0123456789abcdef"}
            reply = await ask(companion, route.methods[0], route.path, **headers)
            assert (reply.status, reply.code) == (409, "WRONG_PROJECT")
    assert door.handled == []


@linux_only
async def test_an_agent_of_the_same_user_needs_no_token(companion: Companion, door: Door) -> None:
    assert (await ask(companion, "POST", MCP)).status != 401
    assert door.handled == [MCP]


@linux_only
@pytest.mark.parametrize(
    "browser", [{"Origin": "own"}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}]
)
async def test_a_browser_of_the_same_user_needs_one(
    companion: Companion, door: Door, browser: dict[str, str]
) -> None:
    own = f"http://127.0.0.1:{companion.port}"
    headers = {name: own if value == "own" else value for name, value in browser.items()}
    assert (await ask(companion, "POST", MCP, **headers)).status == 401
    assert door.handled == []
    bearer = f"Bearer {companion.secrets.agent}"
    assert (await ask(companion, "POST", MCP, Authorization=bearer, **headers)).status != 401


@linux_only
async def test_a_wrong_token_is_not_made_good_by_the_socket(companion: Companion, door: Door) -> None:
    assert (await ask(companion, "POST", MCP, Authorization="Bearer wrong")).status == 401
    assert (await ask(companion, "POST", MCP, **{NAMES["pluginToken"]: "wrong"})).status == 401
    assert door.handled == []


@linux_only
async def test_the_plugin_vouches_for_an_agent_by_its_socket(companion: Companion, door: Door) -> None:
    with connection() as peer:
        headers = {
            NAMES["pluginToken"]: companion.secrets.plugin,
            NAMES["agentPeer"]: "|".join(map(str, peer)),
        }
        assert (await ask(companion, "POST", MCP, **headers)).status != 401
        assert door.handled == [MCP]
        assert (await ask(companion, "POST", MCP, **headers | {NAMES["pluginToken"]: "wrong"})).status == 401
        assert (await ask(companion, "POST", MCP, **headers, Authorization="Bearer wrong")).status == 401
    assert (await ask(companion, "POST", MCP, **headers)).status == 401


@linux_only
async def test_the_plugin_vouches_for_nobody_it_cannot_name(companion: Companion, door: Door) -> None:
    with ExitStack() as stack:
        peer = stack.enter_context(connection())
        stated = [
            "",
            "|||",
            f"{peer.address}|{peer.port}|{peer.own_address}",
            f"{peer.address}|{peer.port}|{peer.own_address}|{peer.own_port}|",
            f"{peer.address}|{peer.port}|{peer.own_address}|1",
            f"10.0.0.1|{peer.port}|{peer.own_address}|{peer.own_port}",
            f"{peer.own_address}|{peer.own_port}|{peer.address}|{peer.own_port}",
            f"{peer.address}|{'9' * 5000}|{peer.own_address}|{peer.own_port}",
            f"{peer.address}|\xb2|{peer.own_address}|{peer.own_port}",
        ]
        for text in stated:
            headers = {NAMES["pluginToken"]: companion.secrets.plugin, NAMES["agentPeer"]: text}
            assert (await ask(companion, "POST", MCP, **headers)).status == 401, text
        missing = {NAMES["pluginToken"]: companion.secrets.plugin}
        assert (await ask(companion, "POST", MCP, **missing)).status == 401
    assert door.handled == []


@linux_only
async def test_the_plugin_vouches_for_no_browser(companion: Companion, door: Door) -> None:
    with connection() as peer:
        headers = {
            NAMES["pluginToken"]: companion.secrets.plugin,
            NAMES["agentPeer"]: "|".join(map(str, peer)),
        }
        assert (await ask(companion, "POST", MCP, **headers, Sec_Fetch_Site="same-origin")).status == 401
        origin = f"http://127.0.0.1:{companion.port}"
        assert (await ask(companion, "POST", MCP, **headers, Origin=origin)).status == 401
    assert door.handled == []
