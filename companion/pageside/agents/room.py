"""How large an answer may be: that depends on the wire that takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.server import ServerRequestContext

from pageside.core.pictures import MAX_PICTURE_BYTES, WHOLE_PICTURE_BYTES

MAX_EVENT_BYTES = 1_000_000
"""Of one event on the wire: clients of MCP end a stream at an event above 1 MiB."""

KEEP_WHOLE = "pageside.keep-whole"
"""Where a transport puts, in the state of a request, what promises that its answer will be one JSON body."""


def room(context: ServerRequestContext[Any, Any]) -> int:
    """How many bytes of pictures the answer may hold; where it can be so, nothing is told before it from now on."""
    if context.request is None:
        # A line of stdio.
        return WHOLE_PICTURE_BYTES
    promise: Callable[[], bool] | None = context.request.scope.get("state", {}).get(KEEP_WHOLE)
    return WHOLE_PICTURE_BYTES if promise is not None and promise() else MAX_PICTURE_BYTES
