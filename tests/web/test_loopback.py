"""Where it listens: on this machine, and nowhere else."""

from __future__ import annotations

import asyncio
import socket

import psutil

from pageside.web.app import Companion


def listening() -> dict[int, set[str]]:
    """The addresses on which this process listens, by their ports."""
    found: dict[int, set[str]] = {}
    for each in psutil.Process().net_connections("inet"):
        if each.status == psutil.CONN_LISTEN:
            found.setdefault(each.laddr.port, set()).add(each.laddr.ip)
    return found


async def test_every_socket_that_listens_is_of_this_machine(companion: Companion) -> None:
    sockets = await asyncio.to_thread(listening)
    assert "127.0.0.1" in sockets[companion.port]
    assert companion.tab_port is None or companion.tab_port in sockets
    assert set().union(*sockets.values()) <= {"127.0.0.1", "::1"}


async def test_no_other_address_of_the_machine_answers(companion: Companion) -> None:
    addresses = await asyncio.to_thread(psutil.net_if_addrs)
    for each in (one for family in addresses.values() for one in family if one.family is socket.AF_INET):
        if not each.address.startswith("127."):
            with socket.socket() as client:
                client.settimeout(2)
                code = await asyncio.to_thread(client.connect_ex, (each.address, companion.port))
            assert code != 0, f"{each.address} answers"
