"""Where a dev server says that it can be reached."""

from __future__ import annotations

import re

_URL = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])"
    r":(?P<port>\d{1,5})(?P<path>/[^\s\"'<>()\[\]{}|\\^`]*)?(?!\w)",
    re.IGNORECASE,
)
_ANY_HOST = ("0.0.0.0", "[::]")
_NOT_READY = re.compile(
    r"\b(?:(?i:error|fail(?:ed|ure|s)?|refused|ECONN\w+|EADDR\w+|cannot|could not|unable|waiting|debugger"
    r"|prox(?:y|ied|ying))|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b"
)
"""Lines about other servers, about what went wrong, and about requests."""
_ECHO = re.compile(
    r"[>$] (?!.*?\b(?:ready|listening|running|started|serving|available|local:|network:).*?://)",
    re.IGNORECASE,
)
"""A script's command, which package managers repeat before they run it (`> wait-on http://localhost:8080 && vite`)."""
MAX_CHARS = 1000
"""Of a line that are looked at."""


def ready_url(line: str) -> str | None:
    """The address that the line tells, as a browser on this machine can open it; None if it tells none.

    It is http or https on this machine with a port. `0.0.0.0` and `[::]` (all interfaces) become `localhost`; pages of
    tools that live inside a server (`/__…`) are not its address.
    """
    line = line[:MAX_CHARS]
    if "://" not in line or _NOT_READY.search(line) or _ECHO.match(line):
        return None
    for found in _URL.finditer(line):
        path = (found["path"] or "/").rstrip(".,;:!?*") or "/"
        if 0 < int(found["port"]) < 65536 and not path.startswith("/__"):
            host = "localhost" if found["host"] in _ANY_HOST else found["host"].lower()
            return f"{found['scheme'].lower()}://{host}:{int(found['port'])}{path}"
    return None
