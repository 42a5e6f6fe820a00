"""The session that needs no connection: what cannot be written is told, and ends nothing."""

from __future__ import annotations

import mcp_types as t

from pageside.core.jsonrpc import Kind
from pageside.web.mcp_local import from_sdk


def test_an_answer_that_cannot_be_written_is_an_error_with_its_id() -> None:
    failed = from_sdk(t.JSONRPCResponse(jsonrpc="2.0", id=5, result={"text": "\ud83d"}))
    assert (failed.kind, failed.id, failed.failed) == (Kind.ANSWER, 5, True)
