"""Dev servers that hold this companion: while one does, it stays, and its URLs are what people are told to open."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

MAX_LEASES = 32


@dataclass(frozen=True, slots=True)
class Lease:
    """One dev server: its root folder, the URLs it serves, the version of Vite."""

    id: str
    root: str
    urls: tuple[str, ...]
    vite: str


class Leases:
    """The leases that are held now."""

    def __init__(self) -> None:
        self._leases: dict[str, Lease] = {}

    def take(self, root: str, urls: tuple[str, ...], vite: str) -> Lease | None:
        """A new lease, or None when 32 are held."""
        if len(self._leases) >= MAX_LEASES:
            return None
        lease = Lease(secrets.token_urlsafe(9), root, urls, vite)
        self._leases[lease.id] = lease
        return lease

    def release(self, lease: Lease) -> None:
        self._leases.pop(lease.id, None)

    def __len__(self) -> int:
        return len(self._leases)

    def urls(self) -> list[str]:
        """What the dev servers serve, each URL once."""
        return list(dict.fromkeys(url for lease in self._leases.values() for url in lease.urls))
