"""Secrets are taken out of what pages tell, before anything is stored or shown."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

REDACTED = "<redacted>"
_SECRET = r"token|secret|pass(?:word|wd)|api[_-]?key|authorization|cookie"
_SECRET_FIELD = re.compile(rf"(?i)(?:{_SECRET})$")
_SECRET_PARAMETER = re.compile(
    rf"(?i)(?:{_SECRET}|(?:^|[._\[-])(?:auth|code|key|otp|pass|session(?:_?id)?|sig(?:nature)?))\]?$"
)
"""Words like `code` and `key` are secrets in a query (OAuth), but seldom as names of fields."""
_USER_INFO = re.compile(r"^((?:[a-z][a-z0-9+.-]*:)?//)[^/?#\\]*@", re.IGNORECASE)
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
    secret = value and _SECRET_PARAMETER.search(unquote(name))
    return f"{mark}{name}={REDACTED if secret else value}"


def redact_url(url: str) -> str:
    """The URL without user info and without the values of secret-looking query parameters."""
    return redact_text(_USER_INFO.sub(r"\1", url))


def redact(value: Any) -> Any:
    """The same JSON value with every string passed through `redact_text`, those of secret fields left out."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, dict):
        return {key: _redact_field(key, item) for key, item in value.items()}
    return value


def _redact_field(name: str, value: Any) -> Any:
    if isinstance(value, str) and value and _SECRET_FIELD.search(name):
        return REDACTED
    return redact(value)
