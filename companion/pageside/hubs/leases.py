"""Dev servers that hold this companion: while one does, it stays, and its URLs are what people are told to open."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from pageside.core.signals import Signal

MAX_LEASES = 32


@dataclass(frozen=True, slots=True)
class Lease:
    """One dev server: its root folder, its URLs, its command, what it is (`vite` or `python`), its process."""

    id: str
    root: str
    urls: tuple[str, ...]
    command: str
    server: str = "vite"
    pid: int | None = None


class Leases:
    """The leases that are held now."""

    def __init__(self) -> None:
        self._leases: dict[str, Lease] = {}
        self.changes: Signal[()] = Signal()

    def take(
        self,
        root: str,
        urls: tuple[str, ...],
        command: str,
        *,
        server: str = "vite",
        pid: int | None = None,
        renews: str | None = None,
    ) -> Lease | None:
        """A new lease, or None when 32 are held; one that `renews` another goes on under its id."""
        if renews not in self._leases and len(self._leases) >= MAX_LEASES:
            return None
        lease = Lease(renews or secrets.token_urlsafe(12), root, urls, command, server, pid)
        self._leases[lease.id] = lease
        self.changes.tell()
        return lease

    def get(self, lease: str) -> Lease | None:
        return self._leases.get(lease)

    def release(self, lease: Lease) -> bool:
        """Whether the dev server is gone; it is not if another lease went on under this id."""
        if self._leases.get(lease.id) is not lease:
            return False
        del self._leases[lease.id]
        self.changes.tell()
        return True

    def __len__(self) -> int:
        return len(self._leases)

    def all(self) -> list[Lease]:
        return list(self._leases.values())

    def urls(self) -> list[str]:
        """What the dev servers serve, each URL once."""
        return list(dict.fromkeys(url for lease in self._leases.values() for url in lease.urls))
