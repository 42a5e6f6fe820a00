"""Fixtures of the tests on real sockets."""

from __future__ import annotations

import pytest
from aiohttp import web

from pageside.web import app as composition
from pageside.web.routes import Route, register
from support.door import Door


@pytest.fixture(autouse=True)
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    """Set up before the companion, which registers its routes through it."""
    found = Door()

    def watch(app: web.Application, routes: list[Route]) -> None:
        found.routes.extend(routes)
        register(app, [found.watched(route) for route in routes])

    monkeypatch.setattr(composition, "register", watch)
    return found
