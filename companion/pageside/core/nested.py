"""Values deep in data of others, which may be anything."""

from __future__ import annotations

from typing import Any


def below(data: Any, *keys: str) -> Any:
    """What stands under these keys, each in the object before; None where one is missing or is no object."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data
