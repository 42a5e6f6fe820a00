"""Real programs in the background: they start, are read, end as a whole, and never outlive the companion."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import psutil
import pytest

from pageside.errors import (
    InvalidArguments,
    PagesideError,
    ServerFailed,
    ServerNotFound,
    ServerRunning,
    TooMany,
)
from pageside.operations import dev_servers
from pageside.operations.world import World
from pageside.processes import servers as hub
from pageside.processes.server import Server
from pageside.processes.servers import MAX_RUNNING
from pageside.settings import ServerSettings, Settings
from pageside.web.app import Companion
from support.agents import agent, call
from support.serve import serving

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks")

WEB = ("-u", "-m", "http.server", "0", "--bind", "127.0.0.1")

FAMILY = """
import os, signal, subprocess, sys, time
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if sys.argv[1] == "parent":
    start = lambda *more, **given: subprocess.Popen([sys.executable, __file__, "child", *sys.argv[2:], *more], **given)
    others = [start("in the group"), start("in a session of its own", start_new_session=True)]
    command = [sys.executable, __file__, "child", *sys.argv[2:], "an orphan"]
    orphan = f"import os, subprocess; child = subprocess.Popen({command!r}); os._exit(0)"
    subprocess.run([sys.executable, "-c", orphan], start_new_session=True)
os.write(1, f"pid {os.getpid()} on http://localhost:1/\\n".encode())  # At once: all write to one pipe.
time.sleep(600)
"""
"""A program with three descendants, two of which have left its process group, one of those without a parent."""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, servers=ServerSettings("any", log_lines=100))


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A starved machine may take longer than 5 s for what these programs do at once."""
    monkeypatch.setattr(hub, "SETTLE_SECONDS", 20.0)


@pytest.fixture
def family(settings: Settings) -> Path:
    file = settings.project / "family.py"
    file.write_text(FAMILY)
    return file


async def start(world: World, name: str, *args: str, **more: Any) -> Server:
    """`python <args>` in the project."""

    async def nobody(_message: str) -> None:
        return None

    given = {"cwd": None, "env": {}, "by": "the test"} | more
    wanted = await dev_servers.order(
        world, name, sys.executable, args, given["cwd"], given["env"], given["by"]
    )
    return await dev_servers.start_server(world, wanted, nobody)


async def until(condition: Callable[[], object]) -> None:
    """Something that no event tells, within 10 s."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def all_pids(server: Server) -> list[psutil.Process]:
    """Of the whole family, once every member has told its own."""
    await until(lambda: server.log.count == 4)
    return [psutil.Process(int(line.split()[1])) for line in server.log.last(4)]


def running(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [each for each in processes if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]


def text(server: Server) -> str:
    return "\n".join(server.log.last(50))


async def test_a_server_is_ready_when_it_tells_its_address_and_gone_when_it_is_stopped(
    companion: Companion,
) -> None:
    server = await start(companion.world, "web", *WEB, env={"PORT": "1"})
    told = server.to_json()
    assert told.items() >= {"id": "web", "status": "ready", "by": "agent", "lines": 1}.items()
    assert told["cwd"] == str(companion.settings.project)
    assert told["command"].endswith("-u -m http.server 0 --bind 127.0.0.1")
    assert psutil.Process(told["pid"]).cmdline()[1:] == list(WEB)
    assert psutil.Process(told["pid"]).environ()["PORT"] == "1"
    async with aiohttp.ClientSession() as session:
        async with session.get(told["url"]) as response:
            assert response.status == 200
        await until(lambda: "GET / HTTP/1.1" in text(server))
        await companion.world.servers.stop("web")
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get(told["url"])
    assert server.to_json().items() >= {"status": "stopped", "exitCode": -signal.SIGTERM}.items()
    assert "pid" not in server.to_json()
    assert (await companion.world.servers.stop("web")) is server
    entries = [entry for entry in companion.world.timeline.read(None) if entry.kind == "server"]
    assert [entry.text.split(":")[0] for entry in entries] == [
        "Server 'web' started",
        "Server 'web' was stopped",
    ]


async def test_a_program_that_says_nothing_runs_all_the_same(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "SETTLE_SECONDS", 0.01)
    server = await start(companion.world, "quiet", "-c", "import time; time.sleep(600)")
    assert (server.status, server.urls, server.log.last(5)) == ("running", [], [])


async def test_all_of_a_program_that_ignores_the_signal_is_ended(companion: Companion, family: Path) -> None:
    server = await start(companion.world, "stubborn", str(family), "parent", "stubborn")
    processes = await all_pids(server)
    assert len(running(processes)) == 4
    assert len({os.getpgid(each.pid) for each in processes}) == 3
    await companion.world.servers.stop("stubborn")
    assert running(processes) == []
    assert server.code == -signal.SIGKILL


async def test_what_a_program_leaves_behind_ends_with_it(companion: Companion, family: Path) -> None:
    server = await start(companion.world, "family", str(family), "parent")
    processes = await all_pids(server)
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    await until(lambda: not server.alive)
    assert running(processes) == []
    assert server.to_json().items() >= {"status": "exited", "exitCode": -9}.items()
    assert "It ended by signal 9." in text(server)


async def test_no_process_outlives_a_companion_that_is_killed(settings: Settings, family: Path) -> None:
    async with serving(settings, "--servers", "any") as served:
        async with agent(served.mcp_url, query="?toolsets=relay") as client:
            await call(
                client, "start_server", id="family", command=sys.executable, args=[str(family), "parent"]
            )
            told: list[str] = []
            while len(told) < 4:
                told += (await call(client, "get_server_logs"))["lines"]
        processes = [psutil.Process(int(line.split()[2])) for line in told]
        processes += psutil.Process(served.pid).children()
        assert len(running(processes)) == 5
        served.process.kill()
        await served.process.wait()
        await until(lambda: not running(processes))


async def test_all_end_with_the_companion(settings: Settings, family: Path) -> None:
    companion = await Companion.start(settings)
    server = await start(companion.world, "family", str(family), "parent")
    processes = await all_pids(server)
    web = await start(companion.world, "web", *WEB)
    await companion.stop()
    assert running(processes) == []
    assert (server.status, web.status) == ("stopped", "stopped")
    with pytest.raises(PagesideError):
        await start(companion.world, "late", *WEB)


async def test_a_server_whose_supervisor_is_killed_ends(companion: Companion, family: Path) -> None:
    server = await start(companion.world, "family", str(family), "parent")
    processes = await all_pids(server)
    assert server.pid is not None
    supervisor = psutil.Process(server.pid).parent()
    assert supervisor is not None
    supervisor.kill()
    await until(lambda: not server.alive)
    await until(lambda: not running([each for each in processes if each.pid == server.pid]))
    for each in running(processes):
        # Without its supervisor, what was an orphan already cannot be told from others' processes.
        each.kill()


FLOOD = """
import sys
line = "0123456789" * 99 + " %07d\\n"
for number in range(100_000):
    sys.stdout.write(line % number)
print("after the flood: http://localhost:1/", flush=True)
"""


async def test_100_mb_of_log_take_no_memory_and_it_is_said_what_is_missing(companion: Companion) -> None:
    before = psutil.Process().memory_info().rss
    servers, project = companion.world.servers, companion.settings.project
    starting = asyncio.create_task(servers.start("flood", [sys.executable, "-c", FLOOD], project, {}))
    async with aiohttp.ClientSession(companion.url) as session:
        while not starting.done():
            async with session.get("/health") as response:
                assert response.status == 200
            await asyncio.sleep(0.1)
    server = await starting
    await until(lambda: not server.alive)
    assert psutil.Process().memory_info().rss - before < 30_000_000
    assert server.log.count == 100_002
    read = server.log.read("me", stream="stdout", limit=1000, max_chars=10**6, clear=True)
    assert (len(read.lines), read.omitted, read.dropped) == (99, 0, 99_902)
    assert read.lines[0].text.endswith(" 0099902")
    assert server.urls == ["http://localhost:1/"]


async def test_a_program_that_ends_at_once_is_an_error_with_its_last_lines(companion: Companion) -> None:
    code = "import sys; print('Loading'); sys.exit('No configuration found')"
    with pytest.raises(ServerFailed, match="Server 'bad' ended at once: It ended with exit code 1") as failed:
        await start(companion.world, "bad", "-c", code)
    assert sorted(failed.value.data["lastLines"]) == ["Loading", "No configuration found"]
    assert failed.value.data["exitCode"] == 1
    assert "No configuration found" in text(companion.world.servers.find("bad"))
    again = await start(companion.world, "bad", *WEB)
    assert "An earlier server of this id is over. It ended with exit code 1." in text(again)


async def test_a_port_in_use_is_told_with_who_has_it(companion: Companion) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with pytest.raises(ServerFailed, match=f"Port {port} is in use, by .*pid {os.getpid()}:") as failed:
            await start(companion.world, "web", "-m", "http.server", port, "--bind", "127.0.0.1")
    assert failed.value.fix == "Start it on another port, or end what has this one."


async def test_an_id_is_used_once_at_a_time(companion: Companion) -> None:
    both = await asyncio.gather(
        *(start(companion.world, "web", *WEB) for _ in range(2)), return_exceptions=True
    )
    assert {type(each) for each in both} == {Server, ServerRunning}
    with pytest.raises(ServerRunning, match=r"'id': a server 'web' runs already: .*http.server 0"):
        await start(companion.world, "web", "-c", "pass")
    with pytest.raises(ServerNotFound, match=r"There is no server 'api'; there are: web \(ready\)"):
        await companion.world.servers.stop("api")


async def test_more_than_eight_are_refused_and_named(companion: Companion) -> None:
    sleep = "import time; print('http://localhost:1', flush=True); time.sleep(600)"
    names = [f"s{number}" for number in range(MAX_RUNNING)]
    await asyncio.gather(*(start(companion.world, name, "-c", sleep) for name in names))
    with pytest.raises(TooMany, match=r"8 servers run: (s\d, ){7}s\d\."):
        await start(companion.world, "one more", "-c", sleep)
    await companion.world.servers.stop("s3")
    await start(companion.world, "one more", "-c", sleep)


async def test_a_start_that_is_given_up_leaves_nothing_running(companion: Companion) -> None:
    marker = f"sleep for {os.getpid()}"
    starting = asyncio.create_task(
        start(companion.world, "x", "-c", f"import time; time.sleep(600)  # {marker}")
    )

    def children() -> list[psutil.Process]:
        return running(psutil.Process().children(recursive=True))

    await until(children)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    if companion.world.servers.all():
        await companion.world.servers.stop("x")
    assert not [each for each in children() if marker in " ".join(each.cmdline())]


async def test_a_server_that_nobody_waits_for_any_more_runs(companion: Companion) -> None:
    servers = companion.world.servers
    starting = asyncio.create_task(start(companion.world, "x", "-c", "import time; time.sleep(600)"))
    await until(servers.all)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert servers.find("x").status == "running"


async def test_a_program_gets_no_token_of_ours_and_the_start_is_in_the_log(
    companion: Companion, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PAGESIDE_AGENT_TOKEN", "secret")
    monkeypatch.setenv("PAGESIDE_PORT", "7000")
    with caplog.at_level(logging.INFO, "pageside.processes.servers"):
        server = await start(companion.world, "web", *WEB)
    assert server.pid is not None
    variables = psutil.Process(server.pid).environ()
    assert "PAGESIDE_AGENT_TOKEN" not in variables
    assert variables["PAGESIDE_PORT"] == "7000"
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("start_server 'web' for the test: ")


async def test_the_server_with_the_plugin_is_in_the_list_with_its_log(companion: Companion) -> None:
    servers = companion.world.servers
    urls = ["http://localhost:5173/", "http://127.0.0.1:5173/"]
    vite = servers.attach("vite", pid=os.getpid(), cwd="/shop", command="vite", urls=urls)
    vite.write("stdout", "page rel")
    vite.write("stdout", "oad \x1b[32msrc/App.tsx\x1b[0m\n")
    vite.write("stderr", "Transform failed \ud800\n")
    (listed,) = [server.to_json() for server in servers.all()]
    assert listed.items() >= {"id": "vite", "status": "ready", "url": urls[0], "by": "vite plugin"}.items()
    read = servers.find(None).log.read("me", stream=None, limit=10, max_chars=1000, clear=True)
    assert [(line.stream, line.text) for line in read.lines] == [
        ("stdout", "page reload src/App.tsx"),
        ("stderr", "Transform failed ?"),
    ]
    with pytest.raises(InvalidArguments, match="'id': 'vite' was started by the user"):
        await servers.stop("vite")
    with pytest.raises(ServerRunning):
        await start(companion.world, "vite", *WEB)
    second = servers.attach("vite", pid=None, cwd="/shop", command="vite", urls=[])
    second.urls = ["http://localhost:5174/"]
    assert (second.server.id, second.urls) == ("vite-2", ("http://localhost:5174/",))
    vite.detach("The dev server ended.")
    vite.detach("Twice.")
    assert (vite.server.status, text(vite.server).split("\n")[-1]) == ("stopped", "The dev server ended.")
    anew = servers.attach("vite", pid=None, cwd="/shop", command="vite", urls=[])
    assert (anew.server.id, len(servers.all())) == ("vite", 2)


async def test_a_server_with_the_plugin_that_an_agent_started_is_one(companion: Companion) -> None:
    servers = companion.world.servers
    inner = "import time; print('http://localhost:5173/', flush=True); time.sleep(600)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    server = await start(companion.world, "dev", "-c", code)
    assert server.pid is not None
    (vite,) = psutil.Process(server.pid).children()
    attached = servers.attach(
        "vite", pid=vite.pid, cwd="/shop", command="vite", urls=["http://localhost:5173/"]
    )
    await until(lambda: len(servers.all()) == 1)
    attached.write("stdout", "told twice\n")
    assert (servers.held_by_own, attached.server is server) == (1, True)
    assert (
        server.to_json().items() >= {"id": "dev", "status": "ready", "url": "http://localhost:5173/"}.items()
    )
    assert "told twice" not in text(server)
    # It does not keep alive the companion on which its own life depends.
    assert companion.world.leases.take("/shop", (), "8", pid=vite.pid) is not None
    await asyncio.wait_for(companion.idle(0.01), 5)
    attached.detach("It restarts.")
    assert (servers.held_by_own, server.alive) == (0, True)
    await servers.stop("dev")
    assert running([vite]) == []


async def test_every_reader_reads_for_itself(companion: Companion) -> None:
    servers = companion.world.servers
    vite = servers.attach("vite", pid=None, cwd="/", command="vite", urls=[])

    def read(
        who: str, *, clear: bool = True, stream: str | None = None, limit: int = 10
    ) -> tuple[list[str], int]:
        found = vite.server.log.read(who, stream=stream, limit=limit, max_chars=10_000, clear=clear)
        return [line.text for line in found.lines], found.omitted

    for number in range(3):
        vite.write("stdout", f"{number}\n")
    vite.write("stderr", "wrong\nwritten")
    assert read("a", clear=False) == read("a") == read("b") == (["0", "1", "2", "wrong"], 0)
    assert read("a") == ([], 0)
    vite.write("stderr", " on\n")
    vite.write("stdout", "3\n")
    assert read("a", stream="stderr") == (["written on"], 0)
    assert read("a", stream="stderr") == ([], 0)
    assert read("a") == (["3"], 0)
    assert read("b", limit=1) == (["3"], 1)
    servers.forget_reader("a")
    assert len(read("a")[0]) == 6
