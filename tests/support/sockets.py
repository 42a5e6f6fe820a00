"""Connections within this process, to be somebody's peer."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from pageside.processes.peers import Peer


@contextmanager
def connection(family: socket.AddressFamily = socket.AF_INET, address: str = "127.0.0.1") -> Iterator[Peer]:
    """An open connection of this process with itself, as the server sees it."""
    with socket.socket(family) as server:
        server.bind((address, 0))
        server.listen()
        with socket.socket(family) as client:
            client.connect(server.getsockname())
            accepted, _ = server.accept()
            with accepted:
                peer, own = accepted.getpeername(), accepted.getsockname()
                yield Peer(peer[0], peer[1], own[0], own[1])


def free_ports(count: int) -> tuple[int, ...]:
    """So many ports that nobody listens on now."""
    with ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return tuple(probe.getsockname()[1] for probe in probes)


@contextmanager
def deaf_server() -> Iterator[int]:
    """The port of one that takes connections and never says a word."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]
