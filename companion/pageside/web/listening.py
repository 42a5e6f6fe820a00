"""Sockets on this machine's own addresses."""

from __future__ import annotations

import errno
import logging
import os
import socket
from collections.abc import Sequence

from pageside.errors import PagesideError

log = logging.getLogger(__name__)

PORTS_TO_TRY = 50


def listen(first: int, preferred: Sequence[int]) -> list[socket.socket]:
    """Sockets on 127.0.0.1 and, where there is IPv6, [::1]: a preferred port, else the first free one from `first`."""
    for port in [*preferred, *range(first, first + PORTS_TO_TRY), 0] if first else [*preferred, 0]:
        try:
            return listen_on(port)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise PagesideError(f"No free port from {first} on.", fix="Stop what uses them, or choose with --port.")


def listen_on(port: int) -> list[socket.socket]:
    """Sockets on 127.0.0.1 and, where there is IPv6, [::1]; 0: any free port. Raises `OSError` if it is taken."""
    ipv4 = _socket(socket.AF_INET, "127.0.0.1", port)
    try:
        return [ipv4, _socket(socket.AF_INET6, "::1", ipv4.getsockname()[1])]
    except OSError as error:
        log.debug("not listening on [::1]: %s", error)
        return [ipv4]


def _socket(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address, port))
        sock.listen(128)
        sock.setblocking(False)
    except BaseException:
        sock.close()
        raise
    return sock
