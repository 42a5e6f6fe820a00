"""Versions as packages and programs say theirs, for comparing."""

from __future__ import annotations

import re

_NUMBERS = re.compile(r"v?(\d+(?:\.\d+)*)")
_PLAIN_RANGE = re.compile(r"\s*[\^~=]?\s*v?(\d+)((?:\.(?:\d+|[x*]))*)(?:-[\w.-]+)?\s*", re.IGNORECASE)


def numbers(version: str) -> tuple[int, ...]:
    """`20.19.5` → (20, 19, 5), for comparing; what is no number ends it."""
    found = _NUMBERS.match(version)
    return tuple(map(int, found[1].split("."))) if found else ()


def major_of_range(wanted: object) -> int | None:
    """The only major version that a plain range allows: `^6.2`, `~6.2.1`, `6.x`, `6`; None for every other one."""
    found = _PLAIN_RANGE.fullmatch(wanted) if isinstance(wanted, str) else None
    return int(found[1]) if found else None
