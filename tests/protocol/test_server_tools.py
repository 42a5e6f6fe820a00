"""Dev servers as agents have them: what they may start, whom they have to ask, what they read."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import mcp_types as t
import pytest
from mcp import Client
from mcp.client import ClientRequestContext

from pageside.processes import servers
from pageside.settings import ServerPolicy, ServerSettings, Settings
from pageside.web.app import Companion
from support.agents import ERAS, Era, agent, call, fails

QUERY = "?toolsets=relay"
LISTED = [sys.executable, "-u", "-m", "http.server", "0"]
PACKAGE = {
    "scripts": {"dev": "node server.mjs", "broken": "node nothing.mjs"},
    "pageside": {"servers": [LISTED]},
}
SERVER = """
import { createServer } from 'node:http'
const port = Number(process.argv[3] ?? 0)
const server = createServer((request, response) => {
  console.error(`asked for ${request.url}`)
  response.end('hello')
})
server.listen(port, '127.0.0.1', () => {
  console.log(`\\x1b[32mready\\x1b[0m in 1 ms on http://127.0.0.1:${server.address().port}`)
})
"""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A starved machine may take longer than 5 s for what these programs do at once."""
    monkeypatch.setattr(servers, "SETTLE_SECONDS", 20.0)


@asynccontextmanager
async def serving_with(settings: Settings, policy: ServerPolicy = "scripts") -> AsyncIterator[Companion]:
    """A companion of a project with two scripts and one listed command."""
    (settings.project / "package.json").write_text(json.dumps(PACKAGE))
    (settings.project / "server.mjs").write_text(SERVER)
    companion = await Companion.start(replace(settings, servers=ServerSettings(policy)))
    try:
        yield companion
    finally:
        await companion.stop()


@asynccontextmanager
async def asked_agent(
    companion: Companion, era: Era, answer: t.ElicitResult | t.ErrorData
) -> AsyncIterator[tuple[Client, list[str]]]:
    """An agent whose client asks the user, who always answers so; and the questions."""
    questions: list[str] = []

    async def ask(
        context: ClientRequestContext, params: t.ElicitRequestParams
    ) -> t.ElicitResult | t.ErrorData:
        questions.append(params.message)
        return answer

    info = t.Implementation(name="Claude", version="1")
    url = companion.mcp_url + QUERY
    async with Client(
        url, client_info=info, mode=era, read_timeout_seconds=30, elicitation_callback=ask
    ) as client:
        yield client, questions


async def logged(client: Client, found: Callable[[str], object], **args: Any) -> list[str]:
    """The lines that an agent reads until one is found."""
    lines: list[str] = []
    async with asyncio.timeout(10):
        while not any(map(found, lines)):
            lines += (await call(client, "get_server_logs", **args))["lines"]
    return lines


SLEEP = ["-c", "import time; print('http://localhost:1/', flush=True); time.sleep(600)"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_script_of_the_project_is_started_read_and_stopped(settings: Settings, era: Era) -> None:
    async with (
        serving_with(settings) as companion,
        agent(companion.mcp_url, "one", era, query=f"{QUERY}&clientId=one") as one,
        agent(companion.mcp_url, "two", era, query=f"{QUERY}&clientId=two") as two,
    ):
        started = await call(
            one, "start_server", id="web", command="npm", args=["run", "dev", "--", "--port", "0"]
        )
        assert started["untrusted"] is True
        server = started["server"]
        assert (
            server.items()
            >= {"id": "web", "status": "ready", "by": "agent", "cwd": str(settings.project)}.items()
        )
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", server["url"])
        assert (await call(two, "list_servers"))["servers"][0]["url"] == server["url"]
        for client in (one, two):
            lines = await logged(client, lambda line: "ready in 1 ms" in line)
            assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3} ready in 1 ms on http\S+", lines[-1])
            assert (await call(client, "get_server_logs", id="web"))["lines"] == []
        stopped = (await call(two, "stop_server", id="web"))["server"]
        assert stopped["status"] == "stopped"
        read = await call(one, "get_server_logs", clear=False)
        assert read == await call(one, "get_server_logs", clear=False)
        assert (read["status"], read["lines"][-1].split(" ", 1)[1]) == (
            "stopped",
            "[pageside] It was stopped with stop_server.",
        )


async def test_what_the_policy_does_not_permit_is_refused_with_how_to_allow_it(settings: Settings) -> None:
    async with serving_with(settings) as companion, agent(companion.mcp_url, query=QUERY) as client:
        for command, args, why in (
            ("npm", ["run", "nope"], "package.json has no script 'nope' (it has: broken, dev)"),
            ("npx", ["vite"], "npx is no package manager"),
            ("npm", ["run", "dev", "--", "--open", "/"], "has more than what is known as harmless"),
        ):
            error = await fails(client, "start_server", id="x", command=command, args=args)
            assert error["code"] == "SERVER_NOT_ALLOWED"
            assert why in error["message"]
            assert "PAGESIDE_SERVERS=ask, or =any (flag --servers)" in error["fix"]
            assert f'"pageside": {{"servers": [["{command}"' in error["fix"]
        assert (await call(client, "list_servers"))["servers"] == []
        command, *args = LISTED
        started = await call(client, "start_server", id="x", command=command, args=args)
        assert started["server"]["status"] == "ready"
    async with serving_with(settings, "off") as companion, agent(companion.mcp_url, query=QUERY) as client:
        error = await fails(client, "start_server", id="x", command="npm", args=["run", "dev"])
        assert (error["code"], "PAGESIDE_SERVERS=off" in error["message"]) == ("SERVER_NOT_ALLOWED", True)


@pytest.mark.parametrize("era", ERAS)
async def test_the_user_is_asked_once_for_a_command(settings: Settings, era: Era) -> None:
    async with (
        serving_with(settings, "ask") as companion,
        asked_agent(companion, era, t.ElicitResult(action="accept", content={})) as (client, questions),
    ):
        await call(client, "start_server", id="x", command=sys.executable, args=SLEEP, env={"A": "b c"})
        (question,) = questions
        assert question.startswith("May the agent Claude start this server? It runs: A='b c' ")
        assert question.endswith(f"(in {settings.project})")
        await call(client, "stop_server", id="x")
        await call(client, "start_server", id="x", command=sys.executable, args=SLEEP, env={"A": "b c"})
        assert len(questions) == 1
        await call(client, "start_server", id="y", command=sys.executable, args=SLEEP, env={"A": "other"})
        await call(client, "start_server", id="z", command="npm", args=["run", "dev"])
        assert len(questions) == 2
        hidden = "# \x1b[2K\r\u202etxt"
        await call(client, "start_server", id="h", command=sys.executable, args=[*SLEEP, hidden])
        assert r"# \x1b[2K\r\u202etxt" in questions[-1]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_what_the_user_does_not_want_is_not_started(settings: Settings, era: Era, action: Any) -> None:
    async with (
        serving_with(settings, "ask") as companion,
        asked_agent(companion, era, t.ElicitResult(action=action)) as (client, questions),
    ):
        for _ in range(2):
            error = await fails(client, "start_server", id="x", command=sys.executable, args=SLEEP)
            assert (error["code"], "The user does not want" in error["message"]) == (
                "SERVER_NOT_ALLOWED",
                True,
            )
        assert len(questions) == 2
        assert (await call(client, "list_servers"))["servers"] == []


@pytest.mark.parametrize("era", ERAS)
async def test_where_nobody_can_be_asked_it_is_refused_with_how_to_allow_it(
    settings: Settings, era: Era
) -> None:
    async with (
        serving_with(settings, "ask") as companion,
        agent(companion.mcp_url, "Agent", era, query=QUERY) as client,
    ):
        error = await fails(client, "start_server", id="x", command=sys.executable, args=SLEEP)
        assert error["code"] == "SERVER_NOT_ALLOWED"
        assert "This agent has no way to ask the user" in error["message"]
        assert "PAGESIDE_SERVERS" in error["fix"]
        long = await fails(client, "start_server", id="x", command=sys.executable, args=["-c", "#" * 2000])
        assert "too long to be shown" in long["message"]
    async with (
        serving_with(settings, "ask") as companion,
        asked_agent(companion, "legacy", t.ErrorData(code=-1, message="No window.")) as (client, _),
    ):
        error = await fails(client, "start_server", id="x", command=sys.executable, args=SLEEP)
        assert "This agent has no way to ask the user" in error["message"]


async def test_an_answer_to_another_question_counts_for_nothing(settings: Settings) -> None:
    async with (
        serving_with(settings, "ask") as companion,
        asked_agent(companion, "auto", t.ElicitResult(action="accept")) as (client, _),
    ):
        args = {"id": "x", "command": sys.executable, "args": SLEEP}
        yes: Any = {"confirm": t.ElicitResult(action="accept")}

        async def answered(state: str, **more: Any) -> t.InputRequiredResult:
            result = await client.session.call_tool(
                "start_server",
                {**args, **more},
                input_responses=yes,
                request_state=state,
                allow_input_required=True,
            )
            assert isinstance(result, t.InputRequiredResult)
            return result

        first = await answered("made up")
        assert first.request_state is not None
        other = await answered(first.request_state, args=["-c", "print('harm')"])
        assert other.input_requests is not None
        question = other.input_requests["confirm"]
        assert isinstance(question, t.ElicitRequest)
        assert "harm" in question.params.message
        # And an answer counts once.
        await answered(first.request_state)
        assert (await call(client, "list_servers"))["servers"] == []


async def test_bad_input_is_named_and_nothing_is_started(settings: Settings) -> None:
    async with serving_with(settings, "any") as companion, agent(companion.mcp_url, query=QUERY) as client:
        for more, code, why in (
            (
                {"command": "no-such-program"},
                "INVALID_ARGUMENTS",
                "'command': there is no program 'no-such-program'",
            ),
            ({"command": "npm run dev"}, "INVALID_ARGUMENTS", "'command': is the program alone"),
            ({"command": "npm", "args": ["a\0"]}, "INVALID_ARGUMENTS", "'args[0]': has a NUL"),
            ({"command": "npm", "args": "run"}, "INVALID_ARGUMENTS", "'args'"),
            ({"command": "npm", "cwd": ".."}, "INVALID_ARGUMENTS", "'cwd': '..' is outside the project"),
            ({"command": "npm", "cwd": "nowhere"}, "INVALID_ARGUMENTS", "'cwd': there is no folder"),
            (
                {"command": "npm", "env": {"LD_PRELOAD": "x.so"}},
                "INVALID_ARGUMENTS",
                "'env': LD_PRELOAD changes",
            ),
            ({"command": "npm", "env": {"A": 1}}, "INVALID_ARGUMENTS", "'env.A'"),
            ({"command": "npm", "id": "a\nb"}, "INVALID_ARGUMENTS", "'id'"),
            ({"command": "npm", "id": "a\n"}, "INVALID_ARGUMENTS", "'id'"),
        ):
            given: dict[str, Any] = {"id": "x", **more}
            error = await fails(client, "start_server", **given)
            assert (error["code"], why in error["message"]) == (code, True), error["message"]
        for tool in ("get_server_logs", "stop_server"):
            error = await fails(client, tool, id="x")
            assert (error["code"], error["message"]) == (
                "SERVER_NOT_FOUND",
                "There is no server 'x'; there is none.",
            )
        assert (await call(client, "list_servers"))["servers"] == []
        error = await fails(client, "start_server", id="bad", command="npm", args=["run", "broken"])
        assert (error["code"], error["data"]["exitCode"]) == ("SERVER_FAILED", 1)
        assert any("nothing.mjs" in line for line in error["data"]["lastLines"])
        await call(client, "start_server", id="x", command=sys.executable, args=SLEEP)
        error = await fails(client, "get_server_logs")
        assert error["message"] == "Name a server by 'id'; there are: bad (exited), x (ready)."
        error = await fails(client, "start_server", id="x", command="npm", args=["run", "dev"])
        assert (error["code"], "runs already" in error["message"]) == ("SERVER_RUNNING", True)
