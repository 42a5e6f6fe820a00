"""The companion of the app's project: found by the registry, else started as a process of its own."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import psutil

from pageside.contract import CHANNEL
from pageside.errors import PagesideError
from pageside.middleware.options import Options
from pageside.processes import registry, start_lock
from pageside.processes.project import project_id
from pageside.processes.state import project_state, read_json

HEALTH: str = CHANNEL["routes"]["health"]
HEALTH_SECONDS = 1.5
START_SECONDS = 60.0
POLL_SECONDS = 0.06
"""The registry is a file of another process, so it is polled while a companion comes up."""
END_SECONDS = 2.0
LOG = "start.log"
MAX_LINE = 300


@dataclass(frozen=True, slots=True)
class Found:
    """A companion that answers, and what is needed to talk to it."""

    url: str
    page_token: str
    plugin_token: str
    agent_token: str


class NotStarted(PagesideError):
    """No companion could be had; the message is meant for the developer."""

    code = "PAGE_NOT_CONNECTED"


class WrongProject(NotStarted):
    """The companion that was named is another project's."""

    code = "WRONG_PROJECT"


class Companions:
    """`find` the one that runs, or `ensure` that one does."""

    def __init__(self, options: Options, http: aiohttp.ClientSession) -> None:
        self._options, self._http = options, http
        self.project_id = project_id(options.project)
        self._started: int | None = None

    async def find(self) -> Found | None:
        """The companion that is registered, or was named, and answers."""
        if self._options.url:
            return await self._named()
        entry = await asyncio.to_thread(registry.living, await self._folder())
        if entry is None:
            return None
        url = f"http://127.0.0.1:{entry['port']}"
        told = await self._health(url)
        return _found(url, entry) if told is not None and told.get("pid") == entry["pid"] else None

    async def ensure(self) -> Found:
        """The companion that runs, started if need be; raises `NotStarted`."""
        await asyncio.to_thread(self._collect)
        found = await self.find()
        if found is None and self._options.url:
            raise NotStarted(
                f"No companion answers at {self._options.url}. The app works as before.",
                fix="Start it with `pageside serve`, or remove the option url (PAGESIDE_URL) to have one started.",
            )
        while found is None:
            found = await self._try_start()
            if found is None:
                await asyncio.sleep(POLL_SECONDS)
                found = await self.find()
        return found

    async def _named(self) -> Found | None:
        url = self._options.url.rstrip("/")
        if urlsplit(url).scheme != "http":
            raise NotStarted(f"'url' (PAGESIDE_URL): {url!r} must look like http://127.0.0.1:6137.")
        told = await self._health(url)
        if told is None:
            return None
        if told.get("projectId", self.project_id) != self.project_id:
            raise WrongProject(
                f"The companion at {url} serves another project than this app, {self._options.project}."
            )
        entry = await asyncio.to_thread(read_json, await self._folder() / registry.FILE) or {}
        page = self._options.page_token or entry.get("pageToken")
        plugin = self._options.plugin_token or entry.get("pluginToken")
        if not page or not plugin:
            raise NotStarted(
                f"The companion at {url} runs, but its tokens are unknown.",
                fix="Set PAGESIDE_PAGE_TOKEN and PAGESIDE_PLUGIN_TOKEN, or share its state folder.",
            )
        return Found(url, str(page), str(plugin), str(entry.get("agentToken", "")))

    async def _try_start(self) -> Found | None:
        """None while another process starts one."""
        release = await asyncio.to_thread(start_lock.take, await self._folder() / start_lock.FILE)
        if release is None:
            return None
        try:
            return await self.find() or await self._start()
        finally:
            await asyncio.to_thread(release)

    async def _start(self) -> Found:
        folder, log = await self._folder(), await self._folder() / LOG
        command = self._command()
        await asyncio.to_thread(_remove_dead, folder)
        try:
            process = await asyncio.to_thread(_spawn, command, self._options.project, log)
        except OSError as error:
            raise _failed(command, str(error)) from None
        try:
            return await self._answering(process, command, log)
        except BaseException:
            await asyncio.shield(asyncio.to_thread(_end, process))
            raise

    async def _answering(self, process: subprocess.Popen[bytes], command: list[str], log: Path) -> Found:
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                while await asyncio.to_thread(process.poll) is None:
                    found = await self.find()
                    if found is not None:
                        self._started = process.pid
                        # It shall outlive this process: there is nothing to warn of.
                        process.returncode = 0
                        return found
                    await asyncio.sleep(POLL_SECONDS)
        ended = process.returncode is not None
        why = await asyncio.to_thread(_last_line, log) if ended else ""
        raise _failed(command, why or f"did not answer within {START_SECONDS:g} s and was ended")

    def _command(self) -> list[str]:
        options = self._options
        # -P: a module of the app must not take the place of one of ours.
        start = list(options.command) or [sys.executable, "-P", "-m", "pageside"]
        idle = f"{options.idle_seconds:g}"
        folders = ["--project", str(options.project), "--state-dir", str(options.state)]
        return [*start, "serve", *folders, "--exit-when-idle", idle]

    def _collect(self) -> None:
        """A companion that was started here and has ended is no zombie for long."""
        pid, self._started = self._started, None
        if pid is not None and os.name != "nt":
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)

    async def _folder(self) -> Path:
        return await asyncio.to_thread(project_state, self._options.state, self._options.project)

    async def _health(self, url: str) -> dict[str, Any] | None:
        try:
            async with asyncio.timeout(HEALTH_SECONDS), self._http.get(url + HEALTH) as response:
                told = await response.json()
        except (aiohttp.ClientError, TimeoutError, ValueError, OSError):
            return None
        is_one = isinstance(told, dict) and told.get("service") == CHANNEL["service"]
        return told if is_one else None


def _found(url: str, entry: Mapping[str, Any]) -> Found:
    return Found(
        url, str(entry.get("pageToken")), str(entry.get("pluginToken")), str(entry.get("agentToken"))
    )


def _remove_dead(folder: Path) -> None:
    """What one that was killed leaves behind."""
    if registry.living(folder) is None:
        (folder / registry.FILE).unlink(missing_ok=True)


def _spawn(command: list[str], project: Path, log: Path) -> subprocess.Popen[bytes]:
    """In a session of its own, so that Ctrl-C and the app's end leave it alone."""
    descriptor = os.open(log, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as output:
        return subprocess.Popen(
            command,
            cwd=project,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it, and what it started."""
    if process.poll() is not None:
        return
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    for each in family:
        with suppress(psutil.Error):
            each.terminate()
    _, alive = psutil.wait_procs(family, END_SECONDS)
    for each in alive:
        with suppress(psutil.Error):
            each.kill()
    process.wait()


def _last_line(log: Path) -> str:
    with suppress(OSError):
        lines = log.read_text("utf-8", "replace").strip().splitlines()
        return lines[-1][:MAX_LINE] if lines else ""
    return ""


def _failed(command: list[str], why: str) -> NotStarted:
    return NotStarted(
        f"Its companion could not be started: {' '.join(command[:4])} … {why}. The app works as before.",
        fix="Mend that, or run `pageside serve` yourself, and load the page again.",
    )
