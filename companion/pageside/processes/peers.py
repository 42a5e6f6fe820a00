"""Whose process is at the other end of a loopback socket (Linux: /proc/net/tcp, about 1 ms)."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pageside.core.loopback import Address, is_loopback


class Peer(NamedTuple):
    """One TCP connection seen from the server: the client's address and port, then the server's."""

    address: str
    port: int
    own_address: str
    own_port: int


def same_user(peer: Peer) -> bool:
    """True only if the system says that the client's socket belongs to the user of this process."""
    if sys.platform != "linux":
        return False
    try:
        client, server = ipaddress.ip_address(peer.address), ipaddress.ip_address(peer.own_address)
    except ValueError:
        return False
    if not is_loopback(client) or not is_loopback(server):
        return False
    wanted = {
        _row(client, peer.port, server, peer.own_port),
        _row(_mapped(client), peer.port, _mapped(server), peer.own_port),
    }
    return any(_owner(table, wanted) == os.getuid() for table in ("tcp", "tcp6"))


def same_user_listens(port: int) -> bool:
    """False only if the system says that another user listens on that loopback port; root may use anyone's."""
    if sys.platform != "linux" or os.getuid() == 0:
        return True
    owners = {owner for table in ("tcp", "tcp6") for owner in _listeners(table, port)}
    return not owners or os.getuid() in owners


def _listeners(table: str, port: int) -> Iterator[int]:
    ending = f":{port:04X}"
    for fields in _rows(table):
        if fields[3] == _LISTEN and fields[1].endswith(ending):
            yield int(fields[7])


_ESTABLISHED = "01"
_LISTEN = "0A"


def _mapped(address: Address) -> Address:
    """The other spelling of an IPv4 address: as IPv4-mapped IPv6, or back."""
    if isinstance(address, ipaddress.IPv4Address):
        return ipaddress.IPv6Address(b"\0" * 10 + b"\xff\xff" + address.packed)
    return address.ipv4_mapped or address


def _row(client: Address, port: int, server: Address, own_port: int) -> str:
    return f"{_hex(client)}:{port:04X} {_hex(server)}:{own_port:04X}"


def _hex(address: Address) -> str:
    """As the kernel prints it: 32-bit words in the machine's byte order."""
    packed = address.packed
    words = [packed[i : i + 4] for i in range(0, len(packed), 4)]
    return "".join(int.from_bytes(word, sys.byteorder).to_bytes(4, "big").hex() for word in words).upper()


def _owner(table: str, wanted: set[str]) -> int | None:
    for fields in _rows(table):
        # Other states than these two list user 0, whoever it was.
        if fields[3] == _ESTABLISHED and f"{fields[1]} {fields[2]}" in wanted:
            return int(fields[7])
    return None


def _rows(table: str) -> list[list[str]]:
    try:
        lines = Path(f"/proc/net/{table}").read_text("ascii").splitlines()[1:]
    except OSError:
        return []
    return [line.split() for line in lines]
