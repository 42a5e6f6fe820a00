"""`pageside doctor` with companions that are well, frozen, gone, of somebody else, or open to everybody."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from pageside import __version__
from pageside.contract import CHANNEL
from pageside.doctor import attempts, run
from pageside.doctor.attack import attack
from pageside.doctor.attempts import Target
from pageside.doctor.report import Group, Report, ok
from pageside.doctor.sight import HEALTH, OVERVIEW
from pageside.processes import registry
from pageside.processes.state import project_state
from pageside.settings import Settings
from pageside.setup.agent_places import AGENTS_VARIABLES
from pageside.web.app import Companion
from support.agents import agent, call
from support.app import REPOSITORY
from support.door import Door
from support.raw import exchange, head
from support.serve import environment, run_command, serving

Reply = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder without agents."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in AGENTS_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is not what these tests are about."""
    monkeypatch.setattr(run, "SECONDS", 40.0)


async def visit(settings: Settings, *, with_attack: bool = True) -> Report:
    return await run.visit(settings, {}, with_attack=with_attack)


def group(report: Report, title: str) -> Group:
    return next(each for each in report.groups if each.title == title)


def told(report: Report, title: str, level: str) -> list[str]:
    """What stands under that title at that level, with what to do."""
    findings = group(report, title).findings
    return [f"{found.text} -> {found.fix}" for found in findings if found.level == level]


@asynccontextmanager
async def listening(reply: Reply) -> AsyncIterator[int]:
    """A program that is none of ours, on a port of its own."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reply(reader, writer)
        except (ConnectionError, EOFError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def speaks_otherwise(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 mail.example ready\r\n\r\n")
    await writer.drain()


async def says_nothing(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def accepts_everything(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """What a companion without a door would be."""
    await reader.readuntil(b"\r\n\r\n")
    body = json.dumps({"service": CHANNEL["service"], "pid": os.getpid(), "protocol": 1}).encode()
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
    await writer.drain()


def write_entry(settings: Settings, pid: int, started: float, port: int) -> None:
    """As a companion that listens there writes it."""
    entry = registry.Entry(pid, started, port, str(settings.project), "page", "plugin", "agent")
    registry.publish(project_state(settings.state, settings.project), entry)


# The attack


async def test_a_companion_refuses_every_request_and_nothing_of_it_changes(
    settings: Settings, door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    companion = await Companion.start(replace(settings, tab_port=0))
    try:
        asked = head(
            "GET",
            OVERVIEW,
            {"Host": f"127.0.0.1:{companion.port}", "Authorization": f"Bearer {companion.secrets.agent}"},
        )
        before = await exchange(companion.port, asked)
        with caplog.at_level(logging.INFO):
            report = await visit(companion.settings)
        after = await exchange(companion.port, asked)
    finally:
        await companion.stop()
    assert before is not None
    assert after is not None
    assert (before.status, before.json()) == (200, after.json())
    tried = group(report, "attack").tried
    assert [each for each in tried if not each.refused] == []
    assert sum(each.name.startswith("tab socket") for each in tried) == 5
    assert all(re.fullmatch(r"4\d\d( [A-Z_]+)?", each.came) for each in tried)
    # The guess and the body that does not say how large it is are refused by those who read them.
    assert set(door.handled) <= {HEALTH, OVERVIEW, attempts.ENTER, attempts.MCP}
    lines = [record.message for record in caplog.records if record.name.startswith("pageside")]
    assert [line for line in lines if "refused" not in line] == []
    assert not report.has_problem, report.to_text()


HOLES = {
    "host_ok": {"rebound name as Host", "Host that ends like ours", "Host without our port"},
    "sec_fetch_ok": {"no Origin, from another site"},
    "json_content_type": {
        "body as text/plain",
        "body as application/x-www-form-urlencoded",
        "body as multipart/form-data",
        "body of no type",
    },
}
"""What each check of the door is there for."""


@pytest.mark.parametrize("check", HOLES)
async def test_a_hole_in_the_door_is_exactly_the_rows_that_it_lets_through(
    companion: Companion, monkeypatch: pytest.MonkeyPatch, check: str
) -> None:
    monkeypatch.setattr(f"pageside.web.guard.{check}", lambda *_given: True)
    keys = companion.secrets
    found = await attack(Target(companion.port, keys.page, keys.agent), "it")
    assert {each.name for each in found.tried if not each.refused} == HOLES[check]
    assert found.findings[0].level == "problem"


async def test_without_a_companion_one_is_attacked_that_leaves_nothing_behind(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    report = await visit(settings)
    assert "started for it" in group(report, "attack").findings[0].text
    assert not report.has_problem, report.to_text()
    assert os.listdir(temporary) == []
    assert not settings.state.exists()
    page = await asyncio.to_thread((REPOSITORY / "docs" / "doctor.md").read_text, "utf-8")
    assert shape(page.partition("```text\n")[2].partition("```")[0]) == shape(report.to_text())


async def test_a_companion_whose_door_is_open_is_a_problem_row_by_row(settings: Settings) -> None:
    async with listening(accepts_everything) as port:
        started = await asyncio.to_thread(registry.own_start_time)
        await asyncio.to_thread(write_entry, settings, os.getpid(), started, port)
        report = await visit(settings)
    tried = group(report, "attack").tried
    assert len(tried) > 40
    assert [each for each in tried if each.refused] == []
    assert {each.came for each in tried} == {"200"}
    assert told(report, "attack", "problem")[0].startswith(f"{len(tried)} of {len(tried)} requests were not")
    assert report.to_text().count("  PASSED   ") == len(tried)


async def answers_health_alone(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As a machine that is too busy for the rest."""
    if (await reader.readline()).startswith(f"GET {HEALTH} ".encode()):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        await writer.drain()
    await reader.read()


async def test_who_says_nothing_has_neither_refused_nor_let_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pageside.doctor.attack.SECONDS", 0.05)
    posts = [each for each in attempts.attempts(Target(1, "page", "agent")) if each.shown.startswith("POST")]
    monkeypatch.setattr("pageside.doctor.attack.attempts", lambda _target: posts[:3])
    async with listening(answers_health_alone) as port:
        found = await attack(Target(port, "page", "agent"), "it")
    assert found.findings[0].text == "3 of 3 requests were not answered by it."
    assert Report("/shop", [found], 1).to_text().count("  silent   ") == 3


async def test_the_attack_can_be_left_out(settings: Settings) -> None:
    report = await visit(settings, with_attack=False)
    assert [each.title for each in report.groups] == [title for title, _ in run.CHECKS]


# The companion and its ports


async def test_a_companion_that_was_killed_is_noted_and_a_frozen_one_is_a_problem(settings: Settings) -> None:
    async with serving(settings) as served:
        served.process.send_signal(signal.SIGSTOP)
        report = await visit(settings)
        assert "does not answer: it is frozen" in told(report, "companion", "problem")[0]
        assert f"process {served.pid}" in told(report, "companion", "problem")[0]
        assert group(report, "attack").tried == []
        served.process.kill()
        await served.process.wait()
        report = await visit(settings, with_attack=False)
    assert "left its entry" in told(report, "companion", "note")[0]
    assert not report.has_problem, report.to_text()


async def test_an_entry_that_leads_to_somebody_else_is_a_problem(settings: Settings) -> None:
    started = await asyncio.to_thread(registry.own_start_time)
    async with listening(speaks_otherwise) as port:
        await asyncio.to_thread(write_entry, settings, os.getpid(), started, port)
        report = await visit(settings)
        assert "answered by something else" in told(report, "companion", "problem")[0]
    report = await visit(settings)
    assert "nothing listens on its port" in told(report, "companion", "problem")[0]
    assert group(report, "attack").tried == []


async def test_no_token_is_sent_to_a_port_of_another_user(
    settings: Settings, door: Door, companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pageside.doctor.sight.same_user_listens", lambda port: port != companion.port)
    report = await visit(settings)
    assert "answered by something else" in told(report, "companion", "problem")[0]
    assert group(report, "attack").tried == []
    assert door.handled == []


async def test_ports_that_others_have_are_told_with_their_program(
    settings: Settings, companion: Companion
) -> None:
    own = f"(pid {os.getpid()})"
    async with listening(speaks_otherwise) as foreign, listening(says_nothing) as mute:
        report = await visit(replace(settings, port=foreign, tab_port=mute), with_attack=False)
    assert f"port {foreign} is used by" in told(report, "companion", "note")[0]
    assert own in told(report, "companion", "note")[0]
    assert f"tab port {mute} is used by" in told(report, "companion", "problem")[0]
    assert "which does not answer" in told(report, "companion", "problem")[0]
    report = await visit(replace(settings, project=settings.state, port=companion.port), with_attack=False)
    assert told(report, "companion", "ok") == [
        f"port {companion.port}: the companion of another project has it, ours takes the next free one -> ",
        "the tab socket is switched off -> ",
        f"another one: {settings.project} (port {companion.port}) -> ",
        "the client, the console and the extension are built -> ",
    ]


async def test_a_companion_of_another_version_is_noted_and_of_another_protocol_a_problem(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, companion: Companion
) -> None:
    monkeypatch.setattr("pageside.web.health.__version__", "0.0.1")
    report = await visit(settings, with_attack=False)
    assert f"it is 0.0.1, and this is {__version__}" in told(report, "companion", "note")[0]
    monkeypatch.setitem(CHANNEL, "protocol", CHANNEL["protocol"] + 1)
    monkeypatch.setattr("pageside.web.health.CHANNEL", {**CHANNEL, "protocol": 1})
    report = await visit(settings, with_attack=False)
    assert "speaks another protocol" in told(report, "companion", "problem")[0]
    assert f"port {companion.port}" in told(report, "companion", "problem")[0]


async def test_a_check_that_fails_or_hangs_is_a_finding_and_the_others_go_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(_case: object) -> Any:
        raise RuntimeError("not reckoned with")

    async def hangs(_case: object) -> Any:
        await asyncio.Event().wait()

    async def is_well(_case: object) -> Any:
        return [ok("all is well")]

    monkeypatch.setattr(run, "SECONDS", 0.1)
    monkeypatch.setattr(run, "CHECKS", (("a", breaks), ("b", hangs), ("c", is_well)))
    report = await visit(settings, with_attack=False)
    assert [found.text for each in report.groups for found in each.findings] == [
        "Not known: RuntimeError: not reckoned with",
        "Not known: it took longer than 0.1 s.",
        "all is well",
    ]


# Agents, and who is connected


def write_agent(file: Path, entry: object, key: str = "mcpServers") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({key: {"pageside": entry}}))


async def test_an_entry_with_a_dead_port_gets_the_line_with_the_live_one(
    settings: Settings, companion: Companion
) -> None:
    project, live = settings.project, f"http://127.0.0.1:{companion.port}"
    async with listening(speaks_otherwise) as foreign, listening(says_nothing) as mute:
        for folder, url in (
            (".cursor", "http://127.0.0.1:1/__mcp__"),
            (".vscode", f"http://localhost:{foreign}/__mcp__"),
            (".gemini", f"http://127.0.0.1:{mute}/__mcp__?toolsets=all"),
            (".zed", f"{live}/"),
        ):
            name = "mcp.json" if folder in (".cursor", ".vscode") else "settings.json"
            key = {".vscode": "servers", ".zed": "context_servers"}.get(folder, "mcpServers")
            await asyncio.to_thread(write_agent, project / folder / name, {"url": url}, key)
        await asyncio.to_thread(
            write_agent, project / ".mcp.json", {"type": "http", "url": f"{live}/__mcp__"}
        )
        report = await visit(settings, with_attack=False)
    assert told(report, "agents", "ok") == [f"Claude Code, .mcp.json names {live}/__mcp__ -> "]
    fix = f' -> "url": "{live}/__mcp__"   or remove that entry and run `pageside setup`: its entry needs no port.'
    assert told(report, "agents", "problem") == [
        f"Cursor, .cursor/mcp.json names http://127.0.0.1:1/__mcp__, where nobody listens.{fix}",
        f"VS Code, .vscode/mcp.json names http://localhost:{foreign}/__mcp__, where another program answers.{fix}",
        f"Gemini CLI, .gemini/settings.json names http://127.0.0.1:{mute}/__mcp__?toolsets=all, "
        f"which does not answer.{fix}",
        f"Zed, .zed/settings.json names {live}/, where no MCP is spoken.{fix}",
    ]


async def test_an_entry_of_another_project_or_program_is_told(
    settings: Settings, companion: Companion
) -> None:
    other = settings.state.parent / "other"
    await asyncio.to_thread(other.mkdir)
    url = {"url": companion.mcp_url}
    await asyncio.to_thread(write_agent, other / ".mcp.json", url)
    await asyncio.to_thread(
        write_agent, other / ".cursor" / "mcp.json", {"command": "/no/pageside", "args": ["stdio"]}
    )
    await asyncio.to_thread(
        write_agent, other / ".gemini" / "settings.json", {"command": "npx", "args": ["x"]}
    )
    report = await visit(replace(settings, project=other), with_attack=False)
    assert "the companion of another project" in told(report, "agents", "problem")[0]
    assert "starts /no/pageside, which is not there" in told(report, "agents", "problem")[1]
    assert "is another server there (npx)" in told(report, "agents", "note")[0]


async def test_a_port_of_the_last_run_is_right_as_soon_as_the_companion_runs(settings: Settings) -> None:
    companion = await Companion.start(settings)
    await asyncio.to_thread(write_agent, settings.project / ".mcp.json", {"url": companion.mcp_url})
    await companion.stop()
    report = await visit(settings, with_attack=False)
    assert "right as soon as the companion runs again" in told(report, "agents", "note")[0]


async def test_a_command_is_started_for_real_and_one_that_the_project_brings_is_not(
    settings: Settings, companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("pageside.doctor.starting.SECONDS", 30.0)
    brought = settings.project / "pageside"
    await asyncio.to_thread(brought.write_text, f"#!/bin/sh\ntouch {settings.project / 'started'}\n")
    await asyncio.to_thread(brought.chmod, 0o755)
    own = {"command": sys.executable, "args": ["-P", "-m", "pageside", "stdio"]}
    await asyncio.to_thread(write_agent, settings.project / ".mcp.json", own)
    theirs = {"command": "./pageside", "args": ["stdio"]}
    await asyncio.to_thread(write_agent, settings.project / ".cursor" / "mcp.json", theirs)
    report = await visit(settings, with_attack=False)
    found = told(report, "agents", "ok")
    assert re.search(r"`python\S* -P -m pageside stdio` lists 17 tools after \d+\.\d s", found[-1]), found
    assert len(found) == 3
    assert not (settings.project / "started").exists()
    assert companion.world.sessions.all() == []


@pytest.mark.parametrize(
    ("script", "level", "says"),
    [
        ("exit 3", "problem", "does not speak MCP"),
        ("trap '' TERM; while :; do sleep 1; done", "note", "has not listed its tools within 0.2 s"),
    ],
)
async def test_a_command_that_ends_or_says_nothing_is_told_beside_the_other_findings(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, level: str, says: str
) -> None:
    program = tmp_path / "bin" / "pageside"
    await asyncio.to_thread(program.parent.mkdir)
    await asyncio.to_thread(program.write_text, f"#!/bin/sh\n{script}\n")
    await asyncio.to_thread(program.chmod, 0o755)
    entry = {"command": str(program), "args": ["stdio"]}
    await asyncio.to_thread(write_agent, settings.project / ".mcp.json", entry)
    monkeypatch.setattr("pageside.doctor.starting.SECONDS", 0.2 if level == "note" else 20.0)
    others = psutil.Process().children()
    report = await visit(settings, with_attack=False)
    assert says in told(report, "agents", level)[-1]
    assert [child for child in psutil.Process().children() if child not in others] == []
    assert told(report, "agents", "ok") == ["Claude Code, .mcp.json starts pageside stdio -> "]


async def test_who_is_connected_is_seen_through_the_companion(
    settings: Settings, companion: Companion
) -> None:
    async with agent(companion.mcp_url, "Claude Code") as client:
        await call(client, "list_inspections")
        report = await visit(settings, with_attack=False)
    assert "1 agent: Claude Code -> " in told(report, "connected", "ok")
    assert told(report, "connected", "note")[0].startswith("no page")


# The command


def shape(text: str) -> list[str]:
    """Titles and the attack's table, without the space that lines it up."""
    titles = [title for title, _ in run.CHECKS] + ["attack"]
    lines = [re.sub(r" {2,}", "  ", line.strip()) for line in text.splitlines()]
    return [line for line in lines if line in titles or line.startswith("refused ")]


async def test_the_command_prints_the_report_or_the_same_as_data(settings: Settings) -> None:
    dead = {"url": "http://127.0.0.1:1/__mcp__"}
    await asyncio.to_thread(write_agent, settings.project / ".mcp.json", dead)
    doctor = ("doctor", "--project", str(settings.project), "--state-dir", str(settings.state))
    as_text, as_data = await asyncio.gather(
        run_command(*doctor, "--no-attack"), run_command(*doctor, "--json")
    )
    assert [(code, errors) for code, _, errors in (as_text, as_data)] == [(1, ""), (1, "")]
    wrong = "Claude Code, .mcp.json names http://127.0.0.1:1/__mcp__, where nobody listens."
    assert f"  problem  {wrong}\n" in as_text[1]
    data = json.loads(as_data[1])
    assert data["version"] == __version__
    assert [each["title"] for each in data["groups"]] == [*(title for title, _ in run.CHECKS), "attack"]
    assert wrong in [found["text"] for each in data["groups"] for found in each["findings"]]
