"""Checks of the ids that pages mint."""

from __future__ import annotations

import re

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_LOOSE_ID = re.compile(r"[A-Za-z0-9_.:-]{1,100}")


def is_channel_id(value: object) -> bool:
    """16–64 characters of base64url: channels and pages."""
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def is_item_id(value: object) -> bool:
    """1–100 plain characters: inspections and changes, whose ids may come from older stores."""
    return isinstance(value, str) and _LOOSE_ID.fullmatch(value) is not None
