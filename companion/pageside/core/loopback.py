"""This machine by the names and addresses that never leave it."""

from __future__ import annotations

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
NAMES = ("localhost", "127.0.0.1", "::1")


def is_loopback(address: Address) -> bool:
    """127.0.0.0/8 or ::1, also where IPv6 carries IPv4."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def bracketed(host: str) -> str:
    """As a URL and a Host header have it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
