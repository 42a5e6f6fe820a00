"""A Chrome of Pageside's own: private, gone with the companion, ended on proof only, never one beside a stuck one."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from chrome.conftest import chrome_settings
from pageside.chrome import launch, orphans
from pageside.chrome.browser import Browser
from pageside.chrome.launch import Launcher, free_port
from pageside.chrome.orphans import RECORD, Launched
from pageside.chrome.programs import MAC_APPS, candidates, debugged_program, find_program
from pageside.errors import ChromeLost, ChromeNotAnswering, ChromeUnreachable, PagesideError
from support import chromium
from support.sockets import free_ports

if sys.platform == "win32":
    pytest.skip("processes end otherwise there", allow_module_level=True)


@pytest.fixture
async def own(tmp_path: Path) -> AsyncIterator[Browser]:
    """One that this test may end."""
    browser = Browser(chrome_settings(2), tmp_path)
    yield browser
    await browser.close()


def record(folder: Path) -> Launched:
    found = orphans.recall(folder)
    assert found is not None
    return found


def left(folder: Path) -> list[str]:
    """What is in there; nothing if it is gone."""
    return [each.name for each in folder.iterdir()] if folder.exists() else []


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def ended(pid: int, seconds: float = 10) -> bool:
    """Whether that process is gone in time (one that nobody has waited for counts)."""

    def gone() -> bool:
        try:
            return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    async with asyncio.timeout(seconds):
        while not await asyncio.to_thread(gone):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return True


# Launching


async def test_its_profile_is_private_and_goes_with_it(own: Browser, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        connection = await own.ensure()
    finally:
        os.umask(before)
    assert own.is_launched
    launched = record(tmp_path)
    profile = Path(launched.profile)
    assert mode(tmp_path) == 0o700
    assert mode(profile) == 0o700
    assert mode(tmp_path / RECORD) == 0o600
    assert mode(profile / launch.LOG) == 0o600
    listed = (await connection.root("SystemInfo.getProcessInfo"))["processInfo"]
    assert launched.pid in [each["id"] for each in listed]
    assert own.endpoint is not None
    assert own.endpoint.url.startswith("ws://127.0.0.1:")
    begun = time.monotonic()
    await own.close()
    assert time.monotonic() - begun < 8
    assert not psutil.pid_exists(launched.pid)
    assert left(tmp_path) == []


CHILD = """
import asyncio, sys
from pathlib import Path
from pageside.chrome.browser import Browser
from pageside.settings import ChromeSettings

async def main():
    settings = ChromeSettings(
        ports=(int(sys.argv[2]),), program=sys.argv[3], headless=True, arguments=tuple(sys.argv[4:])
    )
    await Browser(settings, Path(sys.argv[1])).ensure()
    print("up", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def companion(folder: Path) -> subprocess.Popen[bytes]:
    """Another process that has launched a Chrome."""
    port, program = str(free_ports(1)[0]), chromium.find() or ""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder), port, program, *chromium.QUIET_FLAGS],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"up\n"
    return child


async def test_it_ends_with_a_companion_that_is_killed_and_the_next_one_clears_up(tmp_path: Path) -> None:
    child = await asyncio.to_thread(companion, tmp_path)
    launched = record(tmp_path)
    assert psutil.pid_exists(launched.pid)
    child.kill()
    await asyncio.to_thread(child.communicate)
    assert await ended(launched.pid)
    assert left(Path(launched.profile))
    await Launcher(chrome_settings(), tmp_path).stop()
    assert not left(Path(launched.profile))
    assert left(tmp_path) == []


async def test_one_that_outlives_a_killed_companion_is_ended_by_the_next(tmp_path: Path) -> None:
    child = await asyncio.to_thread(companion, tmp_path)
    launched = record(tmp_path)
    # A suspended one does not notice that its pipe was closed.
    os.kill(launched.pid, signal.SIGSTOP)
    child.kill()
    await asyncio.to_thread(child.communicate)
    assert orphans.is_alive(launched)
    assert await asyncio.to_thread(orphans.end_orphan, tmp_path)
    assert await ended(launched.pid)
    assert left(tmp_path) == []


async def test_one_that_was_killed_is_launched_again(own: Browser, tmp_path: Path) -> None:
    tab = await own.new_tab("about:blank")
    first = record(tmp_path)
    waiting = [asyncio.ensure_future(tab.evaluate("new Promise(() => {})")) for _ in range(10)]
    await tab.evaluate("1")
    os.kill(first.pid, signal.SIGKILL)
    ends = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 5)
    assert {type(each) for each in ends} == {ChromeLost}
    begun = time.monotonic()
    assert len(await own.tabs()) == 1
    assert time.monotonic() - begun < 10
    second = record(tmp_path)
    assert second.pid != first.pid
    assert not left(Path(first.profile))
    assert own.attached == []


async def test_a_stuck_one_is_reported_and_works_again_when_it_goes_on(own: Browser, tmp_path: Path) -> None:
    tab = await own.new_tab("about:blank")
    pid = record(tmp_path).pid
    waiting = [asyncio.ensure_future(tab.evaluate("new Promise(() => {})")) for _ in range(5)]
    await tab.evaluate("1")
    os.kill(pid, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        for ask in (own.tabs, own.tabs, lambda: tab.evaluate("1")):
            with pytest.raises(ChromeNotAnswering):
                await ask()
        ends = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 5)
        assert {type(each) for each in ends} == {ChromeNotAnswering}
        assert time.monotonic() - begun < 8
        assert record(tmp_path).pid == pid
    finally:
        os.kill(pid, signal.SIGCONT)
    async with asyncio.timeout(5):
        while True:
            try:
                assert await tab.evaluate("1 + 1") == 2
                break
            except ChromeNotAnswering:
                await asyncio.sleep(0.02)
    assert await own.tabs()


async def test_closing_ends_even_one_that_is_stuck(own: Browser, tmp_path: Path) -> None:
    await own.ensure()
    pid = record(tmp_path).pid
    os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    await own.close()
    assert time.monotonic() - begun < 8
    assert not psutil.pid_exists(pid)
    assert left(tmp_path) == []


async def test_a_launch_that_is_cancelled_leaves_nothing(own: Browser, tmp_path: Path) -> None:
    asked = asyncio.ensure_future(own.ensure())
    async with asyncio.timeout(10):
        while not (tmp_path / RECORD).exists():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    pid = record(tmp_path).pid
    asked.cancel()
    await asyncio.wait([asked])
    assert await ended(pid)
    assert left(tmp_path) == []
    assert await own.tabs()


@pytest.mark.parametrize("step", ["_prepare", "_record"])
async def test_one_that_is_cancelled_in_a_slow_step_leaves_nothing(
    own: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    done = threading.Event()
    work = getattr(Launcher, step)

    def slow(*given: object) -> object:
        result = work(*given)
        done.set()
        time.sleep(0.2)
        return result

    with monkeypatch.context() as patched:
        patched.setattr(Launcher, step, slow)
        asked = asyncio.ensure_future(own.ensure())
        assert await asyncio.to_thread(done.wait, 10)
        assert left(tmp_path)
        asked.cancel()
        await asyncio.wait([asked])
    assert asked.cancelled()
    assert left(tmp_path) == []
    assert await own.tabs()


@pytest.fixture
def taken() -> Iterator[tuple[int, list[socket.socket]]]:
    """A port where somebody listens, on IPv4 and IPv6."""
    port = free_ports(1)[0]
    listeners = [socket.create_server(("127.0.0.1", port))]
    if socket.has_ipv6:
        listeners.append(socket.create_server(("::1", port), family=socket.AF_INET6))
    yield port, listeners
    for listener in listeners:
        listener.close()


async def test_a_port_that_is_taken_meanwhile_is_given_up(
    own: Browser, taken: tuple[int, list[socket.socket]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "free_port", lambda _ports: taken[0])
    connection = await own.ensure()
    assert own.endpoint is not None
    assert not own.endpoint.address.endswith(f":{taken[0]}")
    assert await connection.root("Browser.getVersion")


async def test_a_port_that_is_half_taken_leads_to_our_own_chrome(
    own: Browser, tmp_path: Path, taken: tuple[int, list[socket.socket]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for listener in taken[1][1:]:
        listener.close()
    monkeypatch.setattr(launch, "free_port", lambda _ports: taken[0])
    connection = await own.ensure()
    listed = (await connection.root("SystemInfo.getProcessInfo"))["processInfo"]
    assert record(tmp_path).pid in [each["id"] for each in listed]


def test_free_ports_are_free_on_both_stacks(taken: tuple[int, list[socket.socket]]) -> None:
    other = free_ports(1)[0]
    assert free_port((taken[0], other)) == other
    assert free_port((taken[0],)) == 0
    taken[1][0].close()
    assert free_port((taken[0],)) == (0 if socket.has_ipv6 else taken[0])


# Programs


def program(folder: Path, text: str, mode: int = 0o700) -> str:
    path = folder / "browser"
    path.write_text(text)
    path.chmod(mode)
    return str(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/bin/sh\nexit 1\n", "it said nothing"),
        ("#!/bin/sh\necho no display >&2; exit 1\n", "no display"),
        ("#!/bin/sh\nyes loud | head -c 300000; echo last words\n", "last words"),
        ("#!/no/such/interpreter\n", "No such file"),
        ("neither a script nor a program", "Exec format error"),
    ],
)
async def test_one_that_cannot_start_tells_what_it_said(tmp_path: Path, text: str, said: str) -> None:
    state = tmp_path / "state"
    settings = dataclasses.replace(chrome_settings(), program=program(tmp_path, text))
    begun = time.monotonic()
    with pytest.raises(ChromeUnreachable, match="Chrome did not start") as caught:
        await Browser(settings, state).ensure()
    assert said in caught.value.message
    assert len(caught.value.message) < 1_000
    assert time.monotonic() - begun < 8
    assert left(state) == []


@pytest.mark.parametrize("named", ["/no/such/program", "/etc/passwd", "/"])
async def test_a_path_that_is_no_program_is_named(tmp_path: Path, named: str) -> None:
    settings = dataclasses.replace(chrome_settings(), program=named)
    with pytest.raises(ChromeUnreachable, match=f"CHROME_PATH names {named}, which is not a program"):
        await Browser(settings, tmp_path).ensure()


async def test_one_that_never_listens_is_given_up_and_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "START_SECONDS", 0.5)
    monkeypatch.setattr(launch, "CLOSE_SECONDS", 0.1)
    text = "#!/bin/sh\necho $$ > $(dirname $0)/pid; echo waiting; exec sleep 60\n"
    settings = dataclasses.replace(chrome_settings(), program=program(tmp_path, text))
    with pytest.raises(ChromeUnreachable, match="waiting"):
        await Browser(settings, tmp_path / "state").ensure()
    assert await ended(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize(
    ("platform", "environment", "first"),
    [
        ("darwin", {"HOME": "/Users/a"}, f"/Applications/{MAC_APPS[0]}.app/Contents/MacOS/{MAC_APPS[0]}"),
        ("win32", {"PROGRAMFILES": r"C:\Programs"}, r"C:\Programs\Google\Chrome\Application\chrome.exe"),
        (
            "win32",
            {"LOCALAPPDATA": r"C:\Users\a\Local"},
            r"C:\Users\a\Local\Google\Chrome\Application\chrome.exe",
        ),
    ],
)
def test_the_usual_places_of_other_platforms(platform: str, environment: dict[str, str], first: str) -> None:
    found = list(candidates(platform, {"PATH": "", **environment}))
    assert found[0] == first
    assert len(found) == len(set(found))


def test_commands_are_found_on_the_path_best_first(tmp_path: Path) -> None:
    for name in ("chromium", "google-chrome"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o700)
    found = list(candidates("linux", {"PATH": str(tmp_path)}))
    assert found == [str(tmp_path / "google-chrome"), str(tmp_path / "chromium")]


def test_no_program_anywhere_says_where_it_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pageside.chrome.programs.candidates", lambda: iter(()))
    with pytest.raises(ChromeUnreachable, match="google-chrome-stable") as caught:
        find_program(None)
    assert "CHROME_PATH" in caught.value.fix


def test_who_debugs_at_a_port_is_told_by_the_command_line() -> None:
    port = free_ports(1)[0]
    assert debugged_program(port) is None
    process = subprocess.Popen(
        [sys.executable, "-c", "input()", f"--remote-debugging-port={port}"], stdin=subprocess.PIPE
    )
    try:
        assert debugged_program(port) == process.pid
    finally:
        process.communicate(b"\n")


async def test_errors_of_a_launch_have_names(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where a folder should be")
    with pytest.raises(PagesideError):
        await Browser(chrome_settings(), tmp_path / "state").ensure()
