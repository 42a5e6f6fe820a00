"""How often something may happen, and how much of the time it may take. Times in seconds, passed in."""

from __future__ import annotations


class Bucket:
    """`burst` at once, `per_second` from then on."""

    def __init__(self, burst: int, per_second: float) -> None:
        self._burst, self._per_second = burst, per_second
        self._left = float(burst)
        self._seen: float | None = None

    def take(self, now: float) -> bool:
        """True if it may happen now; it then counts."""
        if self._seen is not None:
            self._left = min(self._burst, self._left + max(0.0, now - self._seen) * self._per_second)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Share:
    """Work that takes `share` of the time at most, in bursts of at most `burst` seconds before it has to rest."""

    def __init__(self, share: float, burst: float) -> None:
        self._share, self._burst = share, burst
        self._paid = 0.0
        """When all that was done is made up for."""

    def rest(self, began: float, ended: float) -> float:
        """It worked from `began` to `ended`: so long it has to rest now, 0 if not at all."""
        self._paid = max(self._paid, began) + max(0.0, ended - began) / self._share
        ahead = self._paid - ended
        return ahead if ahead * self._share > self._burst else 0.0
