"""Who may knock: pure checks of Host, Origin and Sec-Fetch-Site header values."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pageside.core.loopback import NAMES, bracketed

LOOPBACK_NAMES = tuple(map(bracketed, NAMES))


def own_hosts(port: int) -> frozenset[str]:
    """The Host values that name this companion."""
    return frozenset(f"{name}:{port}" for name in LOOPBACK_NAMES)


def own_origins(port: int) -> frozenset[str]:
    """The Origin values of the companion's own pages."""
    return frozenset(f"http://{host}" for host in own_hosts(port))


def host_ok(values: Sequence[str], allowed: Collection[str]) -> bool:
    """Exactly one Host header, equal to an allowed one in ASCII lower case."""
    return len(values) == 1 and values[0].isascii() and values[0].lower() in allowed


def origin_ok(values: Sequence[str], allowed: Collection[str]) -> bool:
    """No Origin header, or exactly one that is an allowed origin to the letter."""
    return not values or (len(values) == 1 and values[0] in allowed)


def sec_fetch_ok(values: Sequence[str]) -> bool:
    """For requests without Origin: not sent by a browser, or by the address bar or the own origin."""
    return not values or (len(values) == 1 and values[0] in ("none", "same-origin"))


def is_own_page(origins: Sequence[str], sites: Sequence[str], host: str) -> bool:
    """A browser says that the request comes from a page at `host` itself: a Host that `host_ok` lets pass.

    Only GET and HEAD come without an Origin from there, with `Sec-Fetch-Site` in its place.
    """
    if origins:
        return list(origins) == [f"http://{host.lower()}"]
    return list(sites) == ["same-origin"]


def json_content_type(values: Sequence[str]) -> bool:
    """Exactly one content type, `application/json`, parameters allowed."""
    return len(values) == 1 and values[0].split(";", 1)[0].strip().lower() == "application/json"
