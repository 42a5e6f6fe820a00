"""Starts dev servers for agents, as far as the user's policy lets them."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pageside.core.server_commands import (
    Argv,
    checked_argv,
    checked_environment,
    port_taken,
    why_not,
    why_not_batch,
)
from pageside.errors import InvalidArguments, ServerFailed, ServerNotAllowed
from pageside.operations.world import World
from pageside.processes.server import Server
from pageside.processes.server_config import find_command, permitted, server_folder, who_listens

LAST_LINES = 20
"""Of a server that failed, in the error."""
MAX_QUESTION = 1500
"""Characters of a command that a person can look through."""

Confirm = Callable[[str], Awaitable[bool | None]]
"""Asks the user by the agent's own means: yes, no, or None when the agent has none."""


@dataclass(frozen=True, slots=True)
class Order:
    """What an agent wants to have started."""

    id: str
    argv: Argv
    folder: Path
    environment: Mapping[str, str]
    asked_by: str

    @property
    def shown(self) -> str:
        """As a person reads it who has to decide."""
        variables = "".join(f"{name}={shlex.quote(value)} " for name, value in self.environment.items())
        return _visible(f"{variables}{shlex.join(self.argv)} (in {self.folder})")

    @property
    def exactly(self) -> tuple[object, ...]:
        return (self.argv, str(self.folder), tuple(sorted(self.environment.items())))


def _visible(text: str) -> str:
    """With nothing in it that a terminal would act on, or that would show it in another order."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


async def order(
    world: World,
    name: str,
    command: str,
    args: Sequence[str],
    cwd: str | None,
    env: Mapping[str, str],
    by: str,
) -> Order:
    """Check what needs no permission; raises `InvalidArguments` naming the argument."""
    argv, environment = checked_argv(command, args), checked_environment(env)
    folder = await asyncio.to_thread(server_folder, world.project, cwd)
    return Order(name, argv, folder, environment, by)


async def start_server(world: World, wanted: Order, confirm: Confirm) -> Server:
    """Start it if that is permitted. Raises `ServerNotAllowed`, or `ServerFailed` when it ends at once."""
    world.servers.check_room(wanted.id)
    await _check_permission(world, wanted, confirm)
    program = await asyncio.to_thread(find_command, wanted.argv[0], wanted.folder)
    batch = why_not_batch(program, wanted.argv)
    if batch is not None:
        raise InvalidArguments(f"'args': {batch}.", data={"argument": "args"})
    server = await world.servers.start(
        wanted.id, wanted.argv, wanted.folder, wanted.environment, program=program, asked_by=wanted.asked_by
    )
    if not server.alive:
        raise await _failed(server, wanted.argv)
    return server


async def _check_permission(world: World, wanted: Order, confirm: Confirm) -> None:
    servers = world.servers
    policy = servers.settings.policy
    if policy == "off":
        raise ServerNotAllowed(
            "The user lets agents start no servers (PAGESIDE_SERVERS=off).",
            fix="Ask the user to start it, or to set PAGESIDE_SERVERS to scripts, ask or any and restart Pageside.",
        )
    if policy == "any" or wanted.exactly in servers.agreed:
        return
    known = await asyncio.to_thread(permitted, world.project, wanted.folder)
    reason = why_not(wanted.argv, known.scripts, known.listed)
    if reason is None:
        return
    why = f"{'; '.join([reason, *known.complaints])}."
    if policy == "scripts":
        raise _not_allowed(wanted, why)
    if len(wanted.shown) > MAX_QUESTION:
        raise _not_allowed(wanted, f"{why} It is too long to be shown to the user.")
    answer = await confirm(
        f"May the agent {_visible(wanted.asked_by)} start this server? It runs: {wanted.shown}"
    )
    if answer is None:
        raise _not_allowed(wanted, f"{why} This agent has no way to ask the user.")
    if not answer:
        raise ServerNotAllowed(
            f"The user does not want this to be started: {wanted.shown}.",
            fix="Go on without it, or ask the user what to start instead.",
        )
    servers.agreed.add(wanted.exactly)


def _not_allowed(wanted: Order, why: str) -> ServerNotAllowed:
    words = "[" + ", ".join(f'"{word}"' for word in wanted.argv) + "]"
    return ServerNotAllowed(
        f"{shlex.join(wanted.argv)} may not be started: {why}",
        fix=(
            "Start a script of package.json (command npm, args run and its name). Else the user can list this command: "
            f'"pageside": {{"servers": [{words}]}} in package.json; or allow more: restart Pageside with '
            "PAGESIDE_SERVERS=ask, or =any (flag --servers)."
        ),
    )


async def _failed(server: Server, argv: Argv) -> ServerFailed:
    lines = server.log.last(LAST_LINES + 1)
    taken, port = port_taken(argv, lines)
    what = f"Server {server.id!r} ended at once: {server.why}"
    if taken:
        what += f" Port {port} is in use" if port else " Its port is in use"
        listener = await asyncio.to_thread(who_listens, port) if port else ""
        what += f", by {listener}." if listener else "."
    return ServerFailed(
        what,
        data={"lastLines": lines[:-1], "exitCode": server.code},
        fix="Start it on another port, or end what has this one." if taken else None,
    )
