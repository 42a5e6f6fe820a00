"""What the revisions of the protocol want in the headers of a message that came without any."""

from __future__ import annotations

import json

from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp_types import PROTOCOL_VERSION_META_KEY
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from pageside.core.jsonrpc import Message

SESSION = "mcp-session-id"


def modern_version(message: Message) -> str | None:
    """The version that a message of 2026-07-28 or later carries; None for messages of a session."""
    meta = message.params.get("_meta")
    version = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
    return version if isinstance(version, str) and version not in HANDSHAKE_PROTOCOL_VERSIONS else None


def modern_headers(message: Message, version: str) -> dict[str, str]:
    """From 2026-07-28 on headers repeat what the message says."""
    headers = {MCP_PROTOCOL_VERSION_HEADER: version, MCP_METHOD_HEADER: message.method}
    name = message.params.get(NAME_BEARING_METHODS.get(message.method, ""))
    return headers | ({MCP_NAME_HEADER: encode_header_value(name)} if isinstance(name, str) else {})


def session_headers(session: str, version: str) -> dict[str, str]:
    """Before that, a session and the version that was agreed on; empty ones are left out."""
    headers = {SESSION: session, MCP_PROTOCOL_VERSION_HEADER: version}
    return {name: value for name, value in headers.items() if value}


def negotiated_version(answer: Message) -> str:
    """The version in an answer to `initialize`, empty if it is an error."""
    result = json.loads(answer.line).get("result")
    version = result.get("protocolVersion") if isinstance(result, dict) else None
    return version if isinstance(version, str) else ""
