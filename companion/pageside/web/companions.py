"""The companion of a project, wherever it runs: found by the registry, else started in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp

from pageside.contract import CHANNEL
from pageside.errors import PagesideError
from pageside.processes import registry, start_lock
from pageside.processes.loading import loaded_for_good
from pageside.processes.state import project_state
from pageside.settings import Settings
from pageside.web.stdio_remote import Place, Remote

if TYPE_CHECKING:
    from pageside.web.app import Companion
    from pageside.web.mcp_local import Local

HEALTH: str = CHANNEL["routes"]["health"]
HEALTH_SECONDS = 2.0
START_SECONDS = 20.0
POLL_SECONDS = 0.1


class Companions:
    """`await ensure()` as often as needed, `await stop()` once."""

    def __init__(self, settings: Settings, http: aiohttp.ClientSession) -> None:
        self._settings, self._http = settings, http
        self._own: Companion | None = None
        self._local: Local | None = None
        self._is_prepared = False

    async def registered(self) -> Place | None:
        """The companion that the registry names, if its process lives."""
        return _place(await asyncio.to_thread(registry.living, await self._folder()))

    async def find(self) -> Place | None:
        """The companion that is registered and answers."""
        place = await self.registered()
        return place if place is not None and await self._answers(place) else None

    async def ensure(self) -> Place:
        """The companion that runs, or one that is started here; raises `PagesideError`."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + START_SECONDS
        while (place := await self.find() or await self._try_start()) is None:
            if loop.time() > deadline:
                raise PagesideError(
                    "Another process has been starting this project's companion for too long.",
                    fix=f"Wait and try again; what holds it up may be seen in {await self._folder()}.",
                )
            await asyncio.sleep(POLL_SECONDS)
        if self._own is not None and place.port != self._own.port:
            await self.stop()
        return place

    def session(self, place: Place, query: Mapping[str, str]) -> Remote:
        """A new one with the companion there; raises `PagesideError` for a query that makes no sense."""
        if self._own is None or place.port != self._own.port:
            return Remote(self._http, place, query)
        self._local = _load()[1](self._own.agents, self._http, place, query)
        return self._local

    async def prepare(self) -> None:
        """Load what it takes to run one, so that the end of the one there is now costs its agent no time."""
        if not self._is_prepared:
            await asyncio.to_thread(_load)
            self._is_prepared = True

    async def stop(self) -> None:
        """Stop the companion of this process, if there is one."""
        own, self._own = self._own, None
        if self._local is not None:
            await self._local.end()
        if own is not None:
            await own.stop()

    async def _try_start(self) -> Place | None:
        """None while another process starts one, or has one that does not answer yet."""
        file = await self._folder() / start_lock.FILE
        release = await asyncio.to_thread(start_lock.take, file)
        if release is None:
            return None
        try:
            return await self.find() or await self._start()
        except PagesideError as error:
            if error.error_code != "ALREADY_RUNNING":
                raise
            return None
        finally:
            await asyncio.to_thread(release)

    async def _start(self) -> Place | None:
        await self.stop()
        companion, _ = await asyncio.to_thread(_load)
        self._own = await companion.start(self._settings)
        return await self.registered()

    async def _folder(self) -> Path:
        return await asyncio.to_thread(project_state, self._settings.state, self._settings.project)

    async def _answers(self, place: Place) -> bool:
        url = f"http://127.0.0.1:{place.port}{HEALTH}"
        try:
            async with asyncio.timeout(HEALTH_SECONDS), self._http.get(url) as response:
                told = await response.json()
        except (aiohttp.ClientError, TimeoutError, ValueError):
            return False
        return isinstance(told, dict) and (told.get("service"), told.get("pid")) == (
            CHANNEL["service"],
            place.pid,
        )


def _place(entry: dict[str, Any] | None) -> Place | None:
    if entry is None or not isinstance(entry.get("agentToken"), str):
        return None
    return Place(entry["pid"], entry["port"], entry["agentToken"])


def _load() -> tuple[type[Companion], type[Local]]:
    """What only the one that runs a companion needs: loading it takes most of the time in which it starts."""
    with loaded_for_good():
        from pageside.web.app import Companion  # noqa: PLC0415
        from pageside.web.mcp_local import Local  # noqa: PLC0415

    return Companion, Local
