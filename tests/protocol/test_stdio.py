"""`pageside stdio`: finding, hosting, losing and finding again the project's companion; lines and nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from dataclasses import dataclass
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from pageside.contract import TOOLS
from pageside.settings import Settings
from pageside.toolsets.every import TOOLSETS
from pageside.web import guard
from pageside.web.app import Companion
from support.agents import (
    DEFAULT_TOOLS,
    ERAS,
    Era,
    agent,
    call,
    fails,
    stdio_agent,
    stdio_arguments,
    stdio_environment,
)
from support.page import WirePage
from support.serve import SECONDS, nursery, registry_file, run_command
from support.stdio import initialize, raw_stdio, request

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks")


@dataclass(frozen=True, slots=True)
class Registered:
    """A companion as the registry tells it."""

    pid: int
    url: str
    page_token: str


async def registered(settings: Settings) -> Registered:
    entry = json.loads(await asyncio.to_thread(registry_file(settings).read_text))
    return Registered(entry["pid"], f"http://127.0.0.1:{entry['port']}", entry["pageToken"])


async def withdrawn(settings: Settings) -> bool:
    return not await asyncio.to_thread(registry_file(settings).exists)


# Which companion


@pytest.mark.parametrize("era", ERAS)
async def test_it_attaches_to_the_companion_that_runs(companion: Companion, era: Era) -> None:
    settings = companion.settings
    async with WirePage(companion) as page, stdio_agent(settings, "Bridged", era) as client:
        wanted = await page.note("Make it green")
        assert [item["id"] for item in (await call(client, "list_inspections"))["inspections"]] == [wanted]
        assert (await registered(settings)).pid == os.getpid()
        seen: asyncio.Queue[str | None] = asyncio.Queue()

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            seen.put_nowait(message)

        pick = asyncio.create_task(
            client.call_tool("capture_element_context", {}, progress_callback=progress)
        )
        assert "Waiting for the user" in (await asyncio.wait_for(seen.get(), 5) or "")
        asked = await page.next_call()
        assert asked["args"]["agent"] == "Bridged"
        pick.cancel()
        assert (await page.next_cancel())["id"] == asked["id"]
        assert (await call(client, "list_inspections"))["total"] == 1


@pytest.mark.parametrize("era", ERAS)
async def test_it_runs_a_companion_that_pages_and_other_agents_find(settings: Settings, era: Era) -> None:
    async with stdio_agent(settings, "Host", era) as client:
        found = await registered(settings)
        assert found.pid != os.getpid()
        async with WirePage(found) as page, agent(f"{found.url}/__mcp__") as other:
            wanted = await page.note("Make it green")
            for each in (client, other):
                listed = (await call(each, "list_inspections"))["inspections"]
                assert [item["id"] for item in listed] == [wanted]
    assert await withdrawn(settings)


async def test_two_that_begin_at_once_share_one_companion(settings: Settings) -> None:
    async with raw_stdio(settings) as one, raw_stdio(settings) as two:
        await asyncio.gather(one.shake_hands(), two.shake_hands())
        async with WirePage(await registered(settings)) as page:
            await page.note("For both")
        for each in (one, two):
            answer = await each.ask(request(1, "tools/call", name="list_inspections", arguments={}))
            assert answer["result"]["structuredContent"]["total"] == 1
        host, guest = (one, two) if (await registered(settings)).pid == one.process.pid else (two, one)
        assert (await registered(settings)).pid == host.process.pid
        assert (await host.end())[0] == 0
        answer = await guest.ask(request(2, "tools/call", name="list_inspections", arguments={}))
        assert answer["result"]["structuredContent"]["total"] == 1
        assert (await registered(settings)).pid == guest.process.pid


async def test_it_proves_itself_with_the_agent_token(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "same_user", lambda _peer: False)
    async with stdio_agent(companion.settings) as client:
        assert (await call(client, "list_inspections"))["total"] == 0
    with pytest.RaisesGroup(MCPError, flatten_subgroups=True):
        async with agent(companion.mcp_url):
            pytest.fail("the companion let in somebody without a token")


# A companion that ends


@pytest.mark.parametrize("era", ERAS)
async def test_a_kill_in_the_middle_of_a_call_fails_that_call_and_no_other(
    settings: Settings, era: Era
) -> None:
    async with nursery() as companions:
        first = await companions.serve(settings)
        async with stdio_agent(settings, "Agent", era) as client:
            async with WirePage(first) as page:
                wanted = await page.note("Make it green")
                lost = asyncio.create_task(client.call_tool("execute_page_script", {"code": "1"}))
                await page.next_call()
                os.kill(first.pid, signal.SIGKILL)
                await companions.ended()
                with pytest.raises(MCPError) as caught:
                    await asyncio.wait_for(lost, 10)
            error = caught.value.error
            assert error.message.startswith("COMPANION_LOST: The companion ended while execute_page_script")
            assert "What to do: " in error.message
            assert error.data["code"] == "COMPANION_LOST"
            second = await companions.serve(settings)
            listed = (await call(client, "list_inspections"))["inspections"]
            assert [item["id"] for item in listed] == [wanted]
            assert (await registered(settings)).pid == second.pid
            async with WirePage(second) as page:
                pick = asyncio.create_task(call(client, "capture_element_context"))
                assert (await page.next_call())["args"]["agent"] == "Agent"
                pick.cancel()


async def test_a_restart_between_two_calls_is_not_noticed(settings: Settings) -> None:
    async with nursery() as companions:
        first = await companions.serve(settings)
        async with stdio_agent(settings) as client:
            assert (await call(client, "list_inspections"))["total"] == 0
            for served in (first, await restart(companions, settings, first.pid)):
                async with WirePage(served, joins=served is not first):
                    assert (await call(client, "list_inspections"))["total"] == 0


async def restart(companions: Any, settings: Settings, pid: int) -> Any:
    os.kill(pid, signal.SIGKILL)
    await companions.ended()
    return await companions.serve(settings)


async def test_what_the_agent_subscribed_to_is_told_by_the_next_companion(settings: Settings) -> None:
    subscribe = request(1, "resources/subscribe", uri="pageside://inspections")
    async with nursery() as companions:
        first = await companions.serve(settings)
        async with raw_stdio(settings) as bridge:
            await bridge.shake_hands()
            assert "result" in await bridge.ask(subscribe)
            second = await restart(companions, settings, first.pid)
            assert (await bridge.ask(request(2, "ping")))["result"] == {}
            async with WirePage(second) as page:
                await page.note("Make it green")
                methods = set()
                while "notifications/resources/updated" not in methods:
                    methods.add((await bridge.receive()).get("method"))


@pytest.mark.parametrize("era", ERAS)
async def test_it_runs_a_companion_itself_when_the_other_is_gone_for_good(
    settings: Settings, era: Era
) -> None:
    async with nursery() as companions:
        first = await companions.serve(settings)
        async with stdio_agent(settings, "Agent", era) as client:
            async with WirePage(first) as page:
                wanted = await page.note("Make it green")
            os.kill(first.pid, signal.SIGKILL)
            await companions.ended()
            listed = (await call(client, "list_inspections"))["inspections"]
            assert [item["id"] for item in listed] == [wanted]
            assert (await registered(settings)).pid != first.pid
    assert await withdrawn(settings)


async def test_it_goes_along_by_itself_and_the_agent_hears_of_pages_again(settings: Settings) -> None:
    async with nursery() as companions:
        first = await companions.serve(settings)
        async with raw_stdio(settings) as bridge:
            await bridge.shake_hands()
            second = await restart(companions, settings, first.pid)
            told = asyncio.create_task(bridge.receive())
            async with asyncio.timeout(20):
                while not told.done():
                    async with WirePage(second):
                        await asyncio.wait({told}, timeout=0.5)
            assert (await told)["method"] == "notifications/resources/list_changed"


# Lines


async def test_nothing_but_messages_is_on_stdout_whoever_prints(settings: Settings) -> None:
    program = (
        "import os, sys\n"
        "from pageside import cli\n"
        "from pageside.web.app import Companion\n"
        "start = Companion.start\n"
        "async def noisy(settings):\n"
        "    print('a print that is buffered')\n"
        "    os.write(1, b'a write to the descriptor')\n"
        "    os.system('echo a child')\n"
        "    return await start(settings)\n"
        "Companion.start = noisy\n"
        "sys.exit(cli.main(sys.argv[1:]))\n"
    )
    async with raw_stdio(settings, program=program) as bridge:
        await bridge.shake_hands()
        answer = await bridge.ask(request(1, "tools/list"))
        assert [tool["name"] for tool in answer["result"]["tools"]] == DEFAULT_TOOLS
        code, rest = await bridge.end()
    assert (code, rest) == (0, [])


BAD_LINES = [
    (b"{", -32700, None),
    (b"\xff\xfe", -32700, None),
    (b"[" * 100_000, -32700, None),
    (b"[]", -32600, None),
    (b'"text"', -32600, None),
    (b'{"id": 7, "method": "ping"}', -32600, 7),
    (b'{"jsonrpc": "2.0", "id": 7}', -32600, 7),
    (b'{"jsonrpc": "2.0", "id": 7, "method": 1}', -32600, 7),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}', -32600, 7),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": [7], "method": "ping"}', -32600, None),
]


async def test_a_bad_line_is_answered_and_the_session_lives_on(companion: Companion) -> None:
    async with raw_stdio(companion.settings) as bridge:
        await bridge.shake_hands()
        for line, code, known_id in BAD_LINES:
            await bridge.send(line)
            answer = await bridge.receive()
            assert (answer["error"]["code"], answer["id"]) == (code, known_id), line[:80]
        await bridge.send(b"", b"   ", b'{"jsonrpc": "2.0", "id": "nobody asked", "result": {}}')
        assert (await bridge.ask(request("8", "ping")))["result"] == {}
        huge = request(9, "tools/call", name="list_inspections", arguments={"status": "x" * 5_000_000})
        assert "TOO_LARGE" in (await bridge.ask(huge))["error"]["message"]
        assert (await bridge.ask(request(10, "no/such/method")))["error"]["code"] == -32601
        assert (await bridge.end())[0] == 0


async def test_a_request_before_the_handshake_is_told_so(companion: Companion) -> None:
    async with raw_stdio(companion.settings) as bridge:
        assert (await bridge.ask(request(1, "ping")))["result"] == {}
        assert "initialize" in (await bridge.ask(request(2, "tools/list")))["error"]["message"]
        assert companion.world.sessions.bindings() == {}
        await bridge.shake_hands()
        assert "result" in await bridge.ask(request(3, "tools/list"))


async def test_an_id_that_is_in_use_is_refused_and_its_first_user_answered(companion: Companion) -> None:
    async with WirePage(companion) as page, raw_stdio(companion.settings) as bridge:
        await bridge.shake_hands()
        script = request(1, "tools/call", name="execute_page_script", arguments={"code": "1"})
        await bridge.send(script)
        asked = await page.next_call()
        assert "already" in (await bridge.ask(request(1, "tools/list")))["error"]["message"]
        await page.answer(asked, {"value": 1, "type": "number"})
        assert (await bridge.receive())["result"]["structuredContent"]["value"] == 1


async def test_a_client_that_begins_anew_gets_a_new_session(companion: Companion) -> None:
    async with raw_stdio(companion.settings) as bridge:
        for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
            answer = await bridge.ask(initialize(revision, revision))
            assert answer["result"]["protocolVersion"] == revision
            await bridge.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            assert "result" in await bridge.ask(request(1, "tools/list"))
            assert len(companion.world.sessions) == 1


# Ends


async def test_the_end_of_stdin_ends_it_and_leaves_nothing(settings: Settings) -> None:
    async with raw_stdio(settings) as bridge:
        await bridge.shake_hands()
        async with WirePage(await registered(settings)) as page:
            await bridge.send(request(1, "tools/call", name="capture_element_context", arguments={}))
            await page.next_call()
            assert (await bridge.end())[0] == 0
    assert await withdrawn(settings)


async def test_what_was_asked_just_before_the_end_is_answered(companion: Companion) -> None:
    async with raw_stdio(companion.settings) as bridge:
        await bridge.shake_hands()
        await bridge.send(request(1, "tools/list"))
        code, (answer,) = await bridge.end()
    assert (code, answer["id"], "result" in answer) == (0, 1, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_it_while_stdin_is_open(settings: Settings, number: int) -> None:
    async with raw_stdio(settings) as bridge:
        await bridge.shake_hands()
        async with WirePage(await registered(settings)) as page:
            await bridge.send(request(1, "tools/call", name="capture_element_context", arguments={}))
            await page.next_call()
            assert (await bridge.end(number))[0] == 0
    assert await withdrawn(settings)


async def test_a_client_that_does_not_read_cannot_keep_it_from_ending(companion: Companion) -> None:
    nobody_reads, stdout = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, *stdio_arguments(companion.settings)),
            stdin=PIPE,
            stdout=stdout,
            env=stdio_environment(),
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(initialize()).encode() + b"\n")
        assert await asyncio.to_thread(os.read, nobody_reads, 1)
        flood = asyncio.create_task(flooded(process.stdin))
        assert await asyncio.wait({flood}, timeout=4) == (set(), {flood})
        flood.cancel()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 5) == 0
    finally:
        os.close(nobody_reads)
        os.close(stdout)


async def flooded(stdin: asyncio.StreamWriter) -> None:
    while True:
        stdin.write(json.dumps(request(1, "tools/list")).encode() + b"\n")
        await stdin.drain()


# Who is who


async def test_a_second_with_the_same_client_id_closes_the_first_with_a_reason(companion: Companion) -> None:
    settings, gone = companion.settings, asyncio.Event()
    companion.world.sessions.closed.listen(lambda _key: gone.set())
    async with stdio_agent(settings, "Old", "legacy", "--client-id", "vscode") as old:
        await call(old, "list_inspections")
        async with (
            stdio_agent(settings, "Other", "legacy", "--client-id", "acp") as other,
            stdio_agent(settings, "New", "legacy", "--client-id", "vscode") as new,
        ):
            await asyncio.wait_for(gone.wait(), 5)
            for _ in range(2):
                with pytest.raises(MCPError) as caught:
                    await asyncio.wait_for(old.call_tool("list_inspections", {}), 5)
                assert caught.value.error.data["code"] == "SESSION_CLOSED"
                assert "clientId=vscode" in caught.value.error.message
                assert (await call(new, "list_inspections"))["total"] == 0
            assert (await call(other, "list_inspections"))["total"] == 0


async def test_the_agent_beside_the_companion_is_one_like_any_other(settings: Settings) -> None:
    async with stdio_agent(settings, "Host", "legacy", "--client-id", "vscode") as old:
        found = await registered(settings)
        async with WirePage(found) as page:
            pick = asyncio.create_task(old.call_tool("capture_element_context", {}))
            asked = await page.next_call()
            assert asked["args"]["agent"] == "Host"
            pick.cancel()
            assert (await page.next_cancel())["id"] == asked["id"]
        async with stdio_agent(settings, "New", "legacy", "--client-id", "vscode") as new:
            assert (await call(new, "list_inspections"))["total"] == 0
            with pytest.raises(MCPError, match="clientId=vscode") as caught:
                await asyncio.wait_for(old.call_tool("list_inspections", {}), 5)
            assert caught.value.error.data["code"] == "SESSION_CLOSED"
            assert (await call(new, "list_inspections"))["total"] == 0


async def test_no_message_silences_the_session_beside_the_companion(settings: Settings) -> None:
    async with raw_stdio(settings) as bridge:
        await bridge.shake_hands()
        half_an_emoji = request(
            1, "prompts/get", name="capture_element", arguments={"question": "why \ud83d"}
        )
        assert (await bridge.ask(half_an_emoji))["error"]["code"] == -32700
        waits = request(2, "tools/call", name="wait_for_inspection", arguments={"timeout": 60})
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
        await bridge.send(waits, cancelled, request(2, "ping"))
        assert await bridge.receive() == {"jsonrpc": "2.0", "id": 2, "result": {}}


async def test_toolsets_are_chosen_by_flag_and_by_variable(companion: Companion) -> None:
    async with stdio_agent(companion.settings, "Agent", "auto", "--toolsets", "inspector,all") as client:
        assert sorted(tool.name for tool in (await client.list_tools()).tools) == sorted(TOOLS)
        assert (await fails(client, "get_page_info"))["code"] == "PAGE_NOT_CONNECTED"


@pytest.mark.parametrize("command", ["stdio", "tools"])
async def test_an_unknown_toolset_is_refused_with_those_there_are(command: str, settings: Settings) -> None:
    code, output, errors = await run_command(command, "--toolsets", "inspector,nope", cwd=settings.project)
    assert (code, output) == (1, "")
    known = ", ".join(each.name for each in TOOLSETS)
    assert errors.startswith(f"pageside: INVALID_ARGUMENTS: Unknown toolset 'nope'; there are: {known}, all.")


async def test_a_state_folder_that_refuses_ends_it_with_a_sentence(settings: Settings) -> None:
    await asyncio.to_thread(settings.state.write_text, "")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *stdio_arguments(settings)), stdin=PIPE, stderr=PIPE, env=stdio_environment()
    )
    assert process.stderr is not None
    errors = (await asyncio.wait_for(process.stderr.read(), SECONDS)).decode()
    assert await process.wait() == 1
    assert "pageside: STORE_FAILED: The state folder" in errors
    assert "Traceback" not in errors
