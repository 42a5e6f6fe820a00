"""What handlers find in the application."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from aiohttp import web

from pageside.operations.world import World
from pageside.web.console_keys import ConsoleKeys


@dataclass(frozen=True, slots=True)
class Secrets:
    """The tokens of one run (`docs/protocol.md`, Who may call what); the agent's outlives it."""

    agent: str
    page: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    plugin: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    console: ConsoleKeys = field(default_factory=ConsoleKeys)


@dataclass(frozen=True, slots=True)
class Run:
    """This run of the companion: an id that pages compare, the project's id, the bound port."""

    id: str
    project_id: str
    port: int
    start_time: float


WORLD = web.AppKey("WORLD", World)
SECRETS = web.AppKey("SECRETS", Secrets)
RUN = web.AppKey("RUN", Run)
