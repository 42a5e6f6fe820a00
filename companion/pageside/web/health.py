"""Whether a companion is there, and which: public, and nothing that is worth hiding."""

from __future__ import annotations

import os

from aiohttp import web

from pageside import __version__
from pageside.contract import CHANNEL
from pageside.web.keys import RUN
from pageside.web.routes import PREFIX, Route, Scope

PATH: str = CHANNEL["routes"]["health"]


def routes() -> list[Route]:
    return [Route(path, ("GET",), _health, Scope.PUBLIC) for path in (PATH, PREFIX + PATH)]


async def _health(request: web.Request) -> web.Response:
    run = request.app[RUN]
    return web.json_response(
        {
            "service": CHANNEL["service"],
            "protocol": CHANNEL["protocol"],
            "version": __version__,
            "pid": os.getpid(),
            "startTime": run.start_time,
            "port": run.port,
            "projectId": run.project_id,
        }
    )
