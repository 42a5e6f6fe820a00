"""What callers give, read one value at a time: what is wrong with it names it."""

from __future__ import annotations

import math

from pageside.errors import InvalidArguments


def bad(name: str, why: str) -> InvalidArguments:
    """The error that says what is wrong with the value called `name`."""
    return InvalidArguments(f"'{name}' {why}.", data={"argument": name})


def milliseconds(raw: object, now_ms: int) -> int:
    """A time in ms since 1970; `now_ms` for what is none."""
    # A page's clock may be wrong, but it cannot have noted something in the future.
    if isinstance(raw, int | float) and not isinstance(raw, bool) and 0 < raw < math.inf:
        return min(int(raw), now_ms)
    return now_ms
