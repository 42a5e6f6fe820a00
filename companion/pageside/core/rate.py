"""How often something may happen: a bucket of allowances that fills up again. Times in seconds, passed in."""

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
