"""Who an MCP request comes from, on every transport.

A session has a key: its id on Streamable HTTP and on the deprecated SSE transport, `stdio` in-process. On the wire of
2026-07-28, which has no sessions, an agent is known by its `clientId`, else by its name, and by the Chrome it names.
"""

from __future__ import annotations

from typing import Any

from mcp.server import ServerRequestContext

from pageside.agents.connections import MAX_NAME, Query
from pageside.core.untrusted import clean_text

Request = ServerRequestContext[Any, Any]

IN_PROCESS = "stdio"
"""The id of the session whose client speaks on this process's own stdin and stdout."""


def session_id(request: Request) -> str | None:
    """The id of the session that the request belongs to, or None on a wire without sessions."""
    http = request.request
    if http is None:
        return IN_PROCESS
    found = http.headers.get("mcp-session-id") or http.query_params.get("session_id")
    return str(found) if found else None


def agent_key(request: Request, query: Query) -> str:
    """What tells this agent from the others."""
    session = session_id(request)
    if session:
        return f"session:{session}"
    own_chrome = f"@{query.chrome}" if query.chrome is not None else ""
    return f"client:{query.client_id or agent_name(request, query)}{own_chrome}"


def agent_name(request: Request, query: Query) -> str:
    """What people read: the client's title or name, else its `clientId`."""
    params = request.session.client_params
    info = params.client_info if params is not None else None
    name = (info.title or info.name) if info is not None else query.client_id
    return clean_text(name)[:MAX_NAME] or "agent"
