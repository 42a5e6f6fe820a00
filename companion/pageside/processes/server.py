"""One server: started by an agent, or attached because it carries the Vite plugin or the middleware."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

from pageside.processes.server_log import ServerLog
from pageside.processes.server_process import ServerProcess

By = Literal["agent", "vite plugin", "middleware"]
Status = Literal["starting", "ready", "running", "exited", "stopped"]
MAX_URLS = 5


class Server:
    """What is known of it; `status` is `ready` once it told its address, `running` if it tells none."""

    def __init__(self, name: str, command: str, cwd: str, by: By, log_lines: int) -> None:
        self.id, self.command, self.cwd, self.by = name, command, cwd, by
        self.log = ServerLog(log_lines, self.tell_url)
        self.pid: int | None = None
        self.urls: list[str] = []
        self.code: int | None = None
        self.why = ""
        """Why it is over, as far as that is known."""
        self.settled = False
        """Nobody waits for its start any more."""
        self.process: ServerProcess | None = None
        self.carries_plugin: list[Attached] = []
        self.on_change: Callable[[], None] = _nobody
        self._ended: Literal["exited", "stopped"] | None = None
        self._began = time.monotonic()
        self._lasted: float | None = None

    @property
    def alive(self) -> bool:
        return self._ended is None

    @property
    def status(self) -> Status:
        if self._ended is not None:
            return self._ended
        if self.urls:
            return "ready"
        return "running" if self.settled else "starting"

    @property
    def uptime(self) -> float:
        """Seconds from its start to its end, or to now."""
        return self._lasted if self._lasted is not None else time.monotonic() - self._began

    def tell_url(self, url: str) -> None:
        """It says that it is reached there."""
        if url not in self.urls and len(self.urls) < MAX_URLS:
            self.urls.append(url)
            self.on_change()

    def end(self, how: Literal["exited", "stopped"], why: str, code: int | None = None) -> None:
        """It is over; that can happen once."""
        if self.alive:
            self.log.finish()
            self.log.note(why)
            self._lasted = self.uptime
            self._ended, self.why, self.code = how, why, code
            self.on_change()

    def to_json(self) -> dict[str, Any]:
        """As agents see it; without what is not known."""
        told: dict[str, Any] = {
            "id": self.id,
            "command": self.command,
            "cwd": self.cwd,
            "status": self.status,
        }
        known = {
            "exitCode": self.code,
            "pid": self.pid if self.alive else None,
            "url": next(iter(self.urls), None),
        }
        told |= {key: each for key, each in known.items() if each is not None}
        if len(self.urls) > 1:
            told["otherUrls"] = self.urls[1:]
        return {**told, "uptimeSeconds": round(self.uptime, 1), "lines": self.log.count, "by": self.by}


def _nobody() -> None:
    """Nobody wants to know."""


class Attached:
    """The hold on an attached server: whoever has it tells what the server writes, and when it is gone."""

    def __init__(self, server: Server, pid: int | None) -> None:
        self.server, self.pid = server, pid
        self._is_own = False

    @property
    def urls(self) -> tuple[str, ...]:
        """Where it is reached."""
        return tuple(self.server.urls)

    @urls.setter
    def urls(self, urls: Sequence[str]) -> None:
        if self._is_own:
            for url in urls:
                self.server.tell_url(url)
        elif list(urls[:MAX_URLS]) != self.server.urls:
            self.server.urls[:] = urls[:MAX_URLS]
            self.server.on_change()

    def write(self, stream: str, text: str) -> None:
        """What it wrote to `stdout` or `stderr`, cut anywhere; ignored where its output is read anyway."""
        if not self._is_own:
            self.server.log.write(stream, text.encode("utf-8", "replace"))

    def detach(self, reason: str) -> None:
        """It is gone, or the connection to it is; its log stays. Twice is harmless."""
        if self._is_own:
            if self in self.server.carries_plugin:
                self.server.carries_plugin.remove(self)
        else:
            self.server.end("stopped", reason)

    def join(self, started: Server) -> None:
        """It is (in) a server that was started here: they are one from now on."""
        if not self._is_own and started.alive:
            urls = self.urls
            self.server, self._is_own = started, True
            started.carries_plugin.append(self)
            for url in urls:
                started.tell_url(url)
