"""Points in time as agents read them."""

from __future__ import annotations

from datetime import UTC, datetime


def iso_time(at: float) -> str:
    """`at`, in milliseconds since 1970, as ISO 8601 in UTC, to the millisecond."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
