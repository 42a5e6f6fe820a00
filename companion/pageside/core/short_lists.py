"""Lists for agents, where every token counts: what all lines have in common is said once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

SAME = "^"
"""Stands for the value of the line above."""
_ORIGIN = re.compile(r"https?://[^/?#@\\\s]+(?=/)")
"""Of an http(s) URL with a path, without a name and password."""


def without_origin(addresses: Sequence[str]) -> tuple[str, list[str]]:
    """The origin that most of these URLs have, and all of them, those without it; '' when it is not worth it.

    What is left of an address begins with "/"; those that did before, as paths of files do, make it not worth it.
    """
    if any(each.startswith("/") for each in addresses):
        return "", list(addresses)
    origins = [_origin(each) for each in addresses]
    counted = Counter(filter(None, origins))
    most, times = counted.most_common(1)[0] if counted else ("", 0)
    if times < 2:
        return "", list(addresses)
    return most, [
        each[len(most) :] if origin == most else each for each, origin in zip(addresses, origins, strict=True)
    ]


def _origin(address: str) -> str:
    found = _ORIGIN.match(address)
    return found[0] if found is not None else ""


def dittos(values: Sequence[str]) -> list[str]:
    """The same values, those that repeat the one before as `SAME`."""
    before = ["", *values]
    return [SAME if each and each == last else each for each, last in zip(values, before, strict=False)]
