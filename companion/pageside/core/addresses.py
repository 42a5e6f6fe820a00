"""Where a Chrome listens, as an agent names it: `9223`, `127.0.0.1:9223` or `[::1]:9223`."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from pageside.errors import InvalidArguments

LOCAL = "127.0.0.1"
MAX_HOST = 253


@dataclass(frozen=True, slots=True)
class ChromeAddress:
    """A host, as an address where it is one, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"{shown}:{self.port}"


def parse_address(text: str) -> ChromeAddress:
    """Raises `InvalidArguments` for what is neither a port nor a host with one; `localhost` is 127.0.0.1."""
    host, _, port = text.strip().rpartition(":")
    if port.isascii() and port.isdecimal() and len(port) <= 5 and 0 < int(port) < 65_536:
        named = _host(host) if host else LOCAL
        if named is not None and not text.startswith(":"):
            return ChromeAddress(named, int(port))
    raise InvalidArguments(
        f"'chrome': {text[:60]!r} is neither a port nor a host with one.",
        data={"argument": "chrome"},
        fix="Name Chrome's debugging port, such as 9223, or 127.0.0.1:9223.",
    )


def _host(host: str) -> str | None:
    if host == "localhost":
        return LOCAL
    is_bracketed = host.startswith("[") and host.endswith("]")
    try:
        address = ipaddress.ip_address(host[1:-1] if is_bracketed else host)
    except ValueError:
        return None if not host.isascii() or any(sign in host for sign in "/:@?#[]\\ %") else host[:MAX_HOST]
    return str(address) if is_bracketed == (address.version == 6) else None
