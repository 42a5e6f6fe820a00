"""What a call is about, for the user: a line for the log, all of it for a question. What was typed is counted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pageside.contract import GATE, TOOLS
from pageside.core.redaction import is_secret_field, redact_text, redact_url
from pageside.core.untrusted import clean_text

MAX_ABOUT = 160
MAX_WHOLE = 200_000
"""Of a question: as much as a script may have. Who is asked is told if there is more."""
_CODE = ("code", "function", "expression")
_URLS = ("url",)
_WHERE = (
    "selector",
    "css_selector",
    "containerSelector",
    "uid",
    "ref",
    "from_selector",
    "from_uid",
    "from_text",
    "inspection_id",
)
_MORE = ("text", "query", "question", "reason", "type", "action", "key", "keys", "command", "name", "id")
"""What else says it, in this order; the first that is given counts."""

_MAX_LOOK = 4000
"""Of a script, for the line: no secret that begins in it ends further on."""
_UNUSUAL = object()

Args = Mapping[str, Any]


def about(tool: str, args: Args) -> str:
    """One line: the script's first, else the URL, else which element, else what else says it."""
    found = [_short(tool, name, args[name]) for name in (*_CODE, *_URLS, *_WHERE, *_MORE) if name in args]
    typed = [_short(tool, name, args[name]) for name in _typed(tool) if name in args]
    if "elements" in args and isinstance(args["elements"], list):
        typed.append(f"{len(args['elements'])} fields")
    line = " · ".join(dict.fromkeys([*found[:1], *typed]))
    return line if len(line) <= MAX_ABOUT else f"{line[: MAX_ABOUT - 1]}…"


def whole(tool: str, args: Args) -> str:
    """All of it: the script or the URL as it is, and by its name every argument that is not as usual."""
    lead = next((name for name in (*_CODE, *_URLS) if isinstance(args.get(name), str)), None)
    usual = TOOLS.get(tool, {}).get("inputSchema", {}).get("properties", {})
    told = [
        name for name in args if name != lead and args[name] != usual.get(name, {}).get("default", _UNUSUAL)
    ]
    rest = [f"{name}: {_value(tool, name, args[name])}" for name in told]
    shown = _value(tool, lead, args[lead]) if lead is not None else ""
    text = "\n".join([*([shown] if shown else []), *rest])
    if len(text) <= MAX_WHOLE:
        return text
    return f"{text[:MAX_WHOLE]}\n… and {len(text) - MAX_WHOLE} more characters, which are not shown."


def _typed(tool: str) -> list[str]:
    named: list[str] = GATE["typed"].get(tool, [])
    return named


def _short(tool: str, name: str, value: Any) -> str:
    # Of a long script only what can be seen of it is looked at for secrets.
    seen = value.lstrip()[:_MAX_LOOK] if name in _CODE and isinstance(value, str) else value
    text = _value(tool, name, seen)
    return next((line.strip() for line in text.split("\n") if line.strip()), "")


def _value(tool: str, name: str, value: Any) -> str:
    if name in _typed(tool) or is_secret_field(name):
        return f"{len(value)} characters" if isinstance(value, str) else "not shown"
    if name == "elements" and isinstance(value, list):
        return "\n".join(_field(each) for each in value)
    if name in ("key", "keys") and isinstance(value, str) and len(value) == 1:
        return "1 character"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return clean_text(redact_url(text) if name in _URLS else redact_text(text))


def _field(given: Any) -> str:
    """One of a form: which, and how much is typed there."""
    if not isinstance(given, dict):
        return "not shown"
    where = next((str(given[name]) for name in ("selector", "uid", "text") if given.get(name)), "a field")
    return f"{clean_text(redact_text(where))} · {len(str(given.get('value', '')))} characters"
