"""Launches a Chrome of Pageside's own: a profile for itself, gone with the companion whichever way that ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import psutil

from pageside.chrome.endpoint import Endpoint, active_port_endpoints, scan
from pageside.chrome.orphans import Launched, end, end_orphan, remember
from pageside.chrome.programs import find_program
from pageside.errors import ChromeUnreachable
from pageside.settings import ChromeSettings

log = logging.getLogger(__name__)

T = TypeVar("T")

START_SECONDS = 20.0
POLL_SECONDS = 0.03
CLOSE_SECONDS = 1.5
SILENT_SECONDS = 3.0
"""After which a launched Chrome that says nothing is looked for at its port."""
LOG = "chrome.log"
MAX_LOG = 65_536

_WITH_PIPE = (
    "import os, sys; r, w = int(sys.argv[1]), int(sys.argv[2]); "
    "r, w = os.dup(r) if r == 4 else r, os.dup(w) if w == 3 else w; "
    "os.dup2(r, 3); os.dup2(w, 4); os.execv(sys.argv[3], sys.argv[3:])"
)
"""Puts a pipe where `--remote-debugging-pipe` expects it (descriptors 3 and 4), then becomes Chrome."""


class Launcher:
    """At most one Chrome; `folder` keeps its profile and the record of it."""

    def __init__(self, settings: ChromeSettings, folder: Path) -> None:
        self._settings, self._folder = settings, folder
        self._process: asyncio.subprocess.Process | None = None
        self._launched: Launched | None = None
        self._profile: Path | None = None
        self._endpoint: Endpoint | None = None
        self._pipe: list[int] = []

    @property
    def pid(self) -> int | None:
        """Of the Chrome that runs, if one does."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running and self._process is not None else None

    @property
    def endpoint(self) -> Endpoint | None:
        """Of the Chrome that runs, if one does."""
        return self._endpoint if self.pid is not None else None

    @property
    def downloads(self) -> Path | None:
        """Where it shall put downloads: in its profile, which is removed with it."""
        return Path(self._launched.profile) / "downloads" if self._launched is not None else None

    async def start(self) -> Endpoint:
        """Launch one and wait until it answers; raises `ChromeUnreachable` with what Chrome said."""
        try:
            await self.stop()
            port = await asyncio.to_thread(free_port, self._settings.ports)
            try:
                endpoint = await self._start(port)
            except _PortTaken:
                log.info("port %d was taken meanwhile; Chrome chooses one", port)
                await self.stop()
                endpoint = await self._start(0)
        except OSError as error:
            await self.stop()
            raise ChromeUnreachable(f"Chrome cannot be launched: {error}.") from error
        except BaseException:
            await self.stop()
            raise
        self._endpoint = endpoint
        return endpoint

    async def _start(self, port: int) -> Endpoint:
        program = await asyncio.to_thread(find_program, self._settings.program)
        profile = await _to_its_end(self._prepare)
        arguments = [*self._flags(profile, port), *self._settings.arguments]
        output = await asyncio.to_thread(os.open, profile / LOG, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            self._process = await self._spawn(program, [*arguments, "about:blank"], output)
        finally:
            os.close(output)
        await _to_its_end(self._record, self._process.pid, profile)
        endpoint = await self._answer(self._process, port, profile)
        if endpoint is None:
            said = (await asyncio.to_thread(_said, profile))[-600:].strip()
            raise ChromeUnreachable(f"Chrome did not start ({program}): {said or 'it said nothing'}.")
        log.info("launched %s at %s", program, endpoint.address)
        return endpoint

    async def stop(self) -> None:
        """End it and remove its profile; also what an earlier run left behind."""
        process, launched, profile = self._process, self._launched, self._profile
        self._process = self._launched = self._profile = self._endpoint = None
        self._close_pipe()
        if process is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), CLOSE_SECONDS)
            if launched is not None:
                await asyncio.to_thread(end, self._folder, launched)
            # Our own child that nobody has waited for yet: its number cannot be another's.
            if process.returncode is None:
                process.kill()
            await process.wait()
        elif await asyncio.to_thread(end_orphan, self._folder):
            log.info("ended a Chrome that an earlier run had left behind")
        if profile is not None and launched is None:
            # A launch that came to its end before there was a record of it.
            await asyncio.to_thread(shutil.rmtree, profile, ignore_errors=True)

    # Starting

    def _prepare(self) -> Path:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        for old in self._folder.glob("profile-*"):
            shutil.rmtree(old, ignore_errors=True)
        self._profile = Path(tempfile.mkdtemp(prefix="profile-", dir=self._folder))
        return self._profile

    def _record(self, pid: int, profile: Path) -> None:
        try:
            started = psutil.Process(pid).create_time()
        except psutil.Error:
            started = 0.0
        self._launched = Launched(pid, started, str(profile))
        remember(self._folder, self._launched)

    def _flags(self, profile: Path, port: int) -> list[str]:
        headless = self._settings.headless
        if headless is None:
            headless = sys.platform == "linux" and not (
                os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
            )
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        if root:
            log.warning("Chrome runs without its sandbox, because Pageside runs as root")
        return [
            f"--remote-debugging-port={port}",
            f"--user-data-dir={profile}",
            "--window-size=1280,1024",
            "--disable-gpu",
            "--no-first-run",
            "--no-default-browser-check",
            "--hide-crash-restore-bubble",
            *(["--headless=new", "--hide-scrollbars"] if headless else []),
            *(["--no-sandbox"] if root else []),
        ]

    async def _spawn(self, program: str, arguments: list[str], output: int) -> asyncio.subprocess.Process:
        if sys.platform == "win32":
            return await asyncio.create_subprocess_exec(
                program, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output
            )
        # Chrome ends when this pipe is closed, so also when the companion is killed.
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        self._pipe = [ours_out, ours_in]
        try:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", "-c", _WITH_PIPE, str(theirs_in), str(theirs_out)),
                *(program, "--remote-debugging-pipe", *arguments),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(theirs_in, theirs_out),
                start_new_session=True,
            )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    def _close_pipe(self) -> None:
        for descriptor in self._pipe:
            os.close(descriptor)
        self._pipe = []

    async def _answer(self, process: asyncio.subprocess.Process, port: int, profile: Path) -> Endpoint | None:
        """Its endpoint as soon as it listens; None when it ended or took too long."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while loop.time() < begun + START_SECONDS and process.returncode is None:
            said = await asyncio.to_thread(_said, profile)
            told = _LISTENS.search(said)
            if told is not None:
                return Endpoint(told[1])
            if _CANNOT_LISTEN in said:
                raise _PortTaken
            # A wrapper may swallow what Chrome says; the file is there only if it chose the port itself.
            found = await asyncio.to_thread(active_port_endpoints, [profile])
            if not found and port and loop.time() > begun + SILENT_SECONDS:
                found = (await scan([port])).found
            if found:
                return found[0]
            await asyncio.sleep(POLL_SECONDS)
        return None


async def _to_its_end(work: Callable[..., T], *given: object) -> T:
    """In a thread, which nobody can stop: when this is cancelled, what it leaves is there before that is told."""
    task = asyncio.ensure_future(asyncio.to_thread(work, *given))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


class _PortTaken(Exception):
    """Somebody listens there since it was looked at."""


_LISTENS = re.compile(r"^DevTools listening on (ws://\S+)", re.MULTILINE)
_CANNOT_LISTEN = "Cannot start http server for devtools"


def _said(profile: Path) -> str:
    """The end of what Chrome wrote to stdout and stderr."""
    with (profile / LOG).open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - MAX_LOG))
        return file.read().decode("utf-8", "replace")


def free_port(ports: Iterable[int]) -> int:
    """The first port that nobody listens on, on 127.0.0.1 and ::1 both; 0 (Chrome chooses) if there is none."""
    return next((port for port in ports if _is_free(port)), 0)


def _is_free(port: int) -> bool:
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                if os.name != "nt":
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((address, port))
        except OSError:
            # A machine without IPv6 cannot have a listener there.
            if family == socket.AF_INET:
                return False
            if _has_ipv6():
                return False
    return True


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True
