"""Secrets are taken out of what pages tell, before anything is stored or shown."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote

REDACTED = "<redacted>"
_SECRET = r"token|secret|pass(?:word|wd)|api[_-]?key|authorization|cookie"
_SECRET_WORDS = ("token", "secret", "pass", "key", "authorization", "cookie")
"""One of them is in whatever `_SECRET` finds."""
_SECRET_FIELD = re.compile(rf"(?i)(?:{_SECRET})$")
_SECRET_PARAMETER = re.compile(
    rf"(?i)(?:{_SECRET}|(?:^|[._\[-])(?:auth|code|key|otp|pass|session(?:_?id)?|sig(?:nature)?))\]?$"
)
"""Words like `code` and `key` are secrets in a query (OAuth), but seldom as names of fields."""
_USER_INFO = re.compile(r"^((?:[a-z][a-z0-9+.-]*:)?//)[^/?#\\]*@", re.IGNORECASE)
_JWT = re.compile(r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*")
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}")
_CONSOLE_CODE = re.compile(r"(/console#)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])")
"""What opens Pageside's own console, as the terminals of dev servers print it."""
_QUERY_PAIR = re.compile(r"([?&#;])([^=&#;?\s\"'<>]+)=([^&#;\s\"'<>]*)")
_TEXT_PAIR = re.compile(
    rf"""(?ix) (?<![?&\#;]) ((?:{_SECRET})\]?=)
    (?: (?P<quote>\\*["']) (?P<quoted>[^\s"'<>\\]{{4,}}) (?=\\*["'])
      | (?P<bare> (?: [^\s"'<>\\&;,)}}\]] | \\\\(?!["']) | \\[^\s"'\\nrtbfu] ){{4,}} ) )"""
)
"""In running text there are words and code behind such names too, so its values have to look like some."""
_NO_SECRET = re.compile(
    r"""(?ix) = | (?:null|undefined|true|false|none|nan|required|missing|invalid|expired|empty|unset)$
    | (?:this|self|window|document|props|state|process|import|[a-z])\. | [a-z_$][\w$.]*[(\[`] | `? \$?\{"""
)
"""Words about a secret, and code that gets one from elsewhere."""
_JSON_HINT = re.compile(rf"(?i)(?:{_SECRET})\\*\"|\\u00", re.ASCII)
"""Most texts hold no secret key of JSON; only the others are read pair by pair."""
_JSON_KEY = re.compile(r'(\\{0,15})"((?:[^"\\]|\\u[0-9a-fA-F]{4})*)\1"\s*:\s*')
"""Also within strings that hold JSON: the quotes of a key then have a backslash, or several."""
_JSON_NUMBER = re.compile(r"-?\d[\d.eE+-]*")
_BRACKET = re.compile(r"[\[{\]}]")
_DECODER = json.JSONDecoder(strict=False)
_MULTIPART = re.compile(r'(?is)(\bname="([^"\r\n]*)"[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\n)(.*?)(?=\r?\n--|\Z)')


def redact_text(text: str) -> str:
    """`text` without JWTs, Authorization credentials, and the values of secret parameters and JSON keys."""
    # Most texts hold none of these words, and looking for them is much cheaper than the patterns are.
    if "eyJ" in text:
        text = _JWT.sub(REDACTED, text)
    text = redact_console_code(text)
    folded = text.casefold()
    if "bearer" in folded or "basic" in folded:
        text = _BEARER.sub(lambda m: f"{m.group(1)} {REDACTED}", text)
    if "=" in text:
        text = _QUERY_PAIR.sub(_query_pair, text)
        if any(word in folded for word in _SECRET_WORDS):
            text = _TEXT_PAIR.sub(_text_pair, text)
    return _redact_json_text(text) if '"' in text and _JSON_HINT.search(text) else text


def redact_console_code(text: str) -> str:
    """`text` without codes that open the web console."""
    return _CONSOLE_CODE.sub(rf"\g<1>{REDACTED}", text) if "/console#" in text else text


def _query_pair(match: re.Match[str]) -> str:
    mark, name, value = match.groups()
    secret = value and _SECRET_PARAMETER.search(unquote(name))
    return f"{mark}{name}={REDACTED if secret else value}"


def _text_pair(match: re.Match[str]) -> str:
    value = match["quoted"] or match["bare"]
    return match[0] if _NO_SECRET.match(value) else f"{match[1]}{match['quote'] or ''}{REDACTED}"


def redact_url(url: str) -> str:
    """The URL without user info and without the values of secret-looking query parameters."""
    return redact_text(_USER_INFO.sub(r"\1", url))


# JSON as text: perhaps cut, perhaps one of several values in a line, so it is not parsed as a whole.


def _redact_json_text(text: str) -> str:
    kept, at = [], 0
    while (key := _JSON_KEY.search(text, at)) is not None:
        end = _end_of_secret(text, key) if is_secret_field(_unescape(key.group(2))) else None
        if end is None:
            kept.append(text[at : key.end()])
            at = key.end()
        else:
            quote = f'{key.group(1)}"'
            kept.append(f"{text[at : key.end()]}{quote}{REDACTED}{quote}")
            at = end
    return "".join([*kept, text[at:]])


def _unescape(name: str) -> str:
    try:
        return str(json.loads(f'"{name}"', strict=False))
    except ValueError:
        return name


def _end_of_secret(text: str, key: re.Match[str]) -> int | None:
    """Where the value of a secret key ends; None if it has none worth hiding (null, true, '')."""
    at, escape = key.end(), key.group(1)
    first = text[at : at + 1]
    if text.startswith(f'{escape}"', at):
        end = _end_of_string(text, at + len(escape) + 1, escape)
        return end if end > at + 2 * len(escape) + 2 else None
    if first in ("{", "["):
        return _end_of_nested(text, at, escape)
    number = _JSON_NUMBER.match(text, at)
    return number.end() if number else None


def _end_of_string(text: str, at: int, escape: str) -> int:
    """After the closing quote: one with as many backslashes as the opening one had."""
    closing = re.compile(rf'(?<!\\){re.escape(escape)}"' if escape else r'(?<!\\)(?:\\\\)*"')
    found = closing.search(text, at)
    return found.end() if found else len(text)


def _end_of_nested(text: str, at: int, escape: str) -> int:
    if not escape:
        try:
            return _DECODER.raw_decode(text, at)[1]
        except (ValueError, RecursionError):
            # It was cut somewhere: what is left of it may all be secret.
            return len(text)
    depth = 0
    for bracket in _BRACKET.finditer(text, at):
        depth += 1 if bracket.group() in "[{" else -1
        if depth == 0:
            return bracket.end()
    return len(text)


# Values


def is_secret_field(name: str) -> bool:
    """True if what a field of that name holds is nobody's business."""
    return _SECRET_FIELD.search(name) is not None


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
    return _blank(value) if is_secret_field(name) else redact(value)


def _blank(value: Any) -> Any:
    if isinstance(value, str):
        return REDACTED if value else value
    if isinstance(value, list):
        return [_blank(item) for item in value]
    if isinstance(value, dict):
        return {key: _blank(item) for key, item in value.items()}
    return value


# What goes over the network


def redact_body(text: str) -> str:
    """The text of a request's or a response's body: JSON, a form, multipart or anything else."""
    text = _MULTIPART.sub(_multipart_field, text)
    # The first field of a form has no mark before it.
    return redact_text(f"&{text}")[1:]


def _multipart_field(match: re.Match[str]) -> str:
    head, name, value = match.groups()
    secret = value and _SECRET_PARAMETER.search(name)
    return f"{head}{REDACTED if secret else value}"
