"""The one place where answers and errors become MCP results."""

from __future__ import annotations

import json
import secrets
from typing import Any

import mcp_types as t

from pageside.contract import LIMITS
from pageside.core.redaction import redact
from pageside.core.untrusted import clean, fence
from pageside.errors import PagesideError, ReportedByPage
from pageside.toolsets.base import Answer


def to_result(answer: Answer) -> t.CallToolResult:
    """Structured content with a text form; what came from a page is redacted, marked and fenced."""
    if answer.from_page:
        data: dict[str, Any] = {"untrusted": True, **clean(redact(answer.data))}
        text = fence(data, secrets.token_hex(6))
    else:
        data = answer.data
        text = json.dumps(data, ensure_ascii=False)
    if len(text) > 2 * LIMITS["resultBytes"]:
        raise PagesideError(
            f"The result has {len(text)} characters; {2 * LIMITS['resultBytes']} is the limit.",
            code="RESULT_TOO_LARGE",
        )
    return t.CallToolResult(content=[t.TextContent(type="text", text=text)], structured_content=data)


def to_error_result(error: PagesideError) -> t.CallToolResult:
    """An error for the model: code, what and why, what to do, and the data it needs to go on.

    What came from a page is fenced. Without structured content: clients check that against the tool's output schema,
    errors too.
    """
    told = clean(redact(error.to_json()))
    from_page = {"message": told["message"]} if isinstance(error, ReportedByPage) else {}
    if error.data:
        from_page["data"] = told["data"]
    ours = "The page answered with an error." if isinstance(error, ReportedByPage) else told["message"]
    lines = [f"{error.error_code}: {ours}", f"What to do: {error.fix}"]
    if from_page:
        lines.append(fence(from_page, secrets.token_hex(6)))
    return t.CallToolResult(
        content=[t.TextContent(type="text", text="\n".join(lines))],
        is_error=True,
        _meta={"pageside/error": told},
    )
