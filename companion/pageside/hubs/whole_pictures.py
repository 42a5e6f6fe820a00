"""Pictures that were too large for an answer, whole: in memory, the newest few, for ten minutes."""

from __future__ import annotations

import asyncio
import secrets

from pageside.core.pictures import Picture

KEEP_SECONDS = 600.0
MAX_PICTURES = 8
MAX_BYTES = 64 * 1024 * 1024


class WholePictures:
    """By a name that nobody can guess."""

    def __init__(self, seconds: float = KEEP_SECONDS, max_bytes: int = MAX_BYTES) -> None:
        self._seconds, self._max_bytes = seconds, max_bytes
        self._kept: dict[str, Picture] = {}

    def keep(self, picture: Picture) -> str:
        """Its name; the oldest may have to go for it."""
        name = f"whole-{secrets.token_hex(8)}"
        self._kept[name] = picture
        while len(self._kept) > 1 and (len(self._kept) > MAX_PICTURES or self._bytes() > self._max_bytes):
            del self._kept[next(iter(self._kept))]
        asyncio.get_running_loop().call_later(self._seconds, self._kept.pop, name, None)
        return name

    def get(self, name: str) -> Picture | None:
        return self._kept.get(name)

    def _bytes(self) -> int:
        return sum(len(picture.data) for picture in self._kept.values())
