"""How large an answer may be: that depends on the wire that takes it."""

from __future__ import annotations

from typing import Any, Protocol

from mcp.server import ServerRequestContext

from pageside.core.pictures import MAX_PICTURE_BYTES, WHOLE_PICTURE_BYTES

MAX_EVENT_BYTES = 1_000_000
"""Of one event on the wire: clients of MCP end a stream at an event above 1 MiB."""

FRAMES = "pageside.frames"
"""Where a transport puts, in the state of a request, how its answer goes out."""


class Frames(Protocol):
    """Of one request over HTTP."""

    def keep_whole(self) -> bool:
        """Whether the answer will be one JSON body; if so, what comes before it is not told."""

    async def let_go(self) -> None:
        """The answer is none of those that need a body: it may be told of, and resumed, from now on."""


def room(context: ServerRequestContext[Any, Any]) -> int:
    """How many bytes of pictures the answer may hold; where it can be so, nothing is told before it from now on."""
    if context.request is None:
        # A line of stdio.
        return WHOLE_PICTURE_BYTES
    frames = _frames(context)
    return WHOLE_PICTURE_BYTES if frames is not None and frames.keep_whole() else MAX_PICTURE_BYTES


async def tell_at_once(context: ServerRequestContext[Any, Any]) -> None:
    """Do not hold the stream back for an answer that will fit into an event."""
    frames = _frames(context)
    if frames is not None:
        await frames.let_go()


def _frames(context: ServerRequestContext[Any, Any]) -> Frames | None:
    scope = context.request.scope if context.request is not None else {}
    found: Frames | None = scope.get("state", {}).get(FRAMES)
    return found
