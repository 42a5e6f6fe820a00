"""Lists for agents, where every token counts: what all lines have in common is said once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

SAME = "^"
"""Stands for the value of the line above."""


def without_origin(addresses: Sequence[str]) -> tuple[str, list[str]]:
    """The origin that most of these URLs have, and all of them, those without it; '' when it is not worth it.

    What is left of an address begins with "/"; those that did before, as paths of files do, make it not worth it.
    """
    if any(each.startswith("/") for each in addresses):
        return "", list(addresses)
    counted = Counter(filter(None, map(_origin, addresses)))
    origin, times = counted.most_common(1)[0] if counted else ("", 0)
    if times < 2:
        return "", list(addresses)
    return origin, [each.removeprefix(origin) if _origin(each) == origin else each for each in addresses]


def _origin(address: str) -> str:
    """Of an http(s) URL with a path, without a name and password; else ''."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    origin = f"{parts.scheme}://{parts.netloc}"
    is_plain = (
        parts.scheme in ("http", "https") and "@" not in parts.netloc and address.startswith(f"{origin}/")
    )
    return origin if is_plain else ""


def dittos(values: Sequence[str]) -> list[str]:
    """The same values, those that repeat the one before as `SAME`."""
    before = ["", *values]
    return [SAME if each and each == last else each for each, last in zip(values, before, strict=False)]
