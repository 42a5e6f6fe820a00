"""Secrets are taken out of what pages tell, before anything is stored or shown."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

REDACTED = "<redacted>"
_SECRET_NAME = re.compile(
    r"(?i)(?:^|[._-])(?:access_?token|auth|api_?key|client_?secret|code|key|otp|pass(?:word|wd)?|"
    r"secret|session(?:_?id)?|sig(?:nature)?|token)$"
)
_JWT = re.compile(r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*")
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}")
_QUERY_PAIR = re.compile(r"([?&#;])([^=&#;?\s\"'<>]+)=([^&#;\s\"'<>]*)")


def redact_text(text: str) -> str:
    """`text` without JWTs, Authorization credentials and secret query values."""
    text = _JWT.sub(REDACTED, text)
    text = _BEARER.sub(lambda m: f"{m.group(1)} {REDACTED}", text)
    return _QUERY_PAIR.sub(_query_pair, text)


def _query_pair(match: re.Match[str]) -> str:
    mark, name, value = match.groups()
    return f"{mark}{name}={REDACTED if value and _SECRET_NAME.search(name) else value}"


def redact_url(url: str) -> str:
    """The URL without user info and without the values of secret-looking query parameters."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return redact_text(url)
    host = parts.netloc.rpartition("@")[2]
    return redact_text(urlunsplit(parts._replace(netloc=host)))


def redact(value: Any) -> Any:
    """The same JSON value with every string passed through `redact_text`."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, dict):
        return {key: redact(item) for key, item in value.items()}
    return value
