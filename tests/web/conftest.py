"""Fixtures of the tests on real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

import pytest
from aiohttp import web

from pageside.hubs.pages import Pages
from pageside.settings import Settings
from pageside.web import app as companion_app
from pageside.web import composition
from pageside.web.app import Companion
from pageside.web.routes import Route, register
from support.door import Door


@pytest.fixture(autouse=True)
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    """Set up before the companion, which registers its routes through it."""
    found = Door()

    def watch(app: web.Application, routes: list[Route]) -> None:
        found.routes.extend(routes)
        register(app, [found.watched(route) for route in routes])

    monkeypatch.setattr(companion_app, "register", watch)
    return found


@pytest.fixture
async def impatient_companion(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Companion]:
    """A companion that waits only 0.1 s for pages that left."""
    monkeypatch.setattr(composition, "Pages", partial(Pages, grace=0.1))
    running = await Companion.start(settings)
    yield running
    await running.stop()
