"""Who an MCP request comes from."""

from __future__ import annotations

from typing import Any

from mcp.server import ServerRequestContext

from pageside.hubs.sessions import PUPPET, Sessions, Watcher

MAX_NAME = 60


def session_key(context: ServerRequestContext[Any, Any]) -> str:
    """The session on handshake wires; without sessions (2026-07-28) the client's id or name."""
    request = context.request
    session = request.headers.get("mcp-session-id") if request is not None else None
    return f"session:{session}" if session else f"client:{_client_id(context) or _name(context)}"


def watcher_of(context: ServerRequestContext[Any, Any], sessions: Sessions) -> Watcher:
    """The watcher that this request belongs to."""
    query = context.request.query_params if context.request is not None else {}
    puppet = str(query.get("puppetId", PUPPET))
    return sessions.watcher(session_key(context), _name(context), puppet)


def _client_id(context: ServerRequestContext[Any, Any]) -> str:
    query = context.request.query_params if context.request is not None else {}
    return str(query.get("clientId", ""))[:MAX_NAME]


def _name(context: ServerRequestContext[Any, Any]) -> str:
    params = context.session.client_params
    info = params.client_info if params is not None else None
    name = (info.title or info.name) if info is not None else _client_id(context)
    return name[:MAX_NAME] or "agent"
