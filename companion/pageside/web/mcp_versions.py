"""What the revisions of the protocol want in the headers of a message that came without any."""

from __future__ import annotations

import json

from pageside.core.jsonrpc import Message

SESSION = "mcp-session-id"
VERSION = "mcp-protocol-version"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
"""In `_meta` of a message that belongs to no session."""


def modern_version(message: Message) -> str | None:
    """The version that a message of 2026-07-28 or later carries; None for messages of a session."""
    meta = message.params.get("_meta")
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if not isinstance(version, str):
        return None
    # The SDK takes as long to load as all else together: who only attaches, in a session, does without.
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS  # noqa: PLC0415

    return version if version not in HANDSHAKE_PROTOCOL_VERSIONS else None


def modern_headers(message: Message, version: str) -> dict[str, str]:
    """From 2026-07-28 on headers repeat what the message says."""
    from mcp.shared import inbound as sdk  # noqa: PLC0415

    headers = {VERSION: version, sdk.MCP_METHOD_HEADER: message.method}
    name = message.params.get(sdk.NAME_BEARING_METHODS.get(message.method, ""))
    return headers | ({sdk.MCP_NAME_HEADER: sdk.encode_header_value(name)} if isinstance(name, str) else {})


def session_headers(session: str, version: str) -> dict[str, str]:
    """Before that, a session and the version that was agreed on; empty ones are left out."""
    headers = {SESSION: session, VERSION: version}
    return {name: value for name, value in headers.items() if value}


def negotiated_version(answer: Message) -> str:
    """The version in an answer to `initialize`, empty if it is an error."""
    result = json.loads(answer.line).get("result")
    version = result.get("protocolVersion") if isinstance(result, dict) else None
    return version if isinstance(version, str) else ""
