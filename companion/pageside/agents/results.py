"""The one place where answers and errors become MCP results."""

from __future__ import annotations

import json
import secrets
from typing import Any

import mcp_types as t
from mcp.shared.exceptions import MCPError

from pageside.contract import LIMITS
from pageside.core.redaction import redact, redact_text
from pageside.core.untrusted import clean, clean_text, fence, fence_text, is_bare
from pageside.errors import ElementNotReady, PagesideError, ReportedByPage, ResultTooLarge, ScriptFailed
from pageside.toolsets.base import Answer


def to_result(answer: Answer) -> t.CallToolResult:
    """Structured content with a text form, or text alone; what came from a page is redacted, marked and fenced."""
    data, text = _told(answer)
    if len(text) > 2 * LIMITS["resultBytes"]:
        raise ResultTooLarge(
            f"The result has {len(text)} characters; {2 * LIMITS['resultBytes']} is the limit."
        )
    images = [t.ImageContent(type="image", data=each.data, mime_type=each.mime) for each in answer.pictures]
    return t.CallToolResult(
        content=[*([t.TextContent(type="text", text=text)] if text else []), *images], structured_content=data
    )


def _told(answer: Answer) -> tuple[dict[str, Any] | None, str]:
    if answer.data is None:
        shown = clean_text(redact_text(answer.shown))
        fenced = [shown if is_bare(shown) else fence_text(shown, secrets.token_hex(6))] if shown else []
        return None, "\n".join([*([clean_text(answer.said)] if answer.said else []), *fenced])
    if not answer.from_page:
        return answer.data, json.dumps(answer.data, ensure_ascii=False)
    data: dict[str, Any] = {"untrusted": True, **clean(redact(answer.data))}
    # Whatever the page calls its own fields.
    data["untrusted"] = True
    return data, fence(data, secrets.token_hex(6))


_OURS = frozenset({"allowed", "argument", "call", "current", "method", "uid", "wanted"})
"""What errors of Pageside's own say to programs; to the model their message says it."""


def to_error_result(error: PagesideError) -> t.CallToolResult:
    """An error for the model: code, what and why, what to do, and the data it needs to go on; for programs in `_meta`.

    What came from a page is fenced, and its pictures follow. Without structured content: clients check that against
    the tool's output schema, errors too.
    """
    told = clean(redact(error.to_json()))
    # What stands in an element's way is named as the page has it.
    is_reported = isinstance(error, ReportedByPage | ScriptFailed | ElementNotReady)
    data = {key: each for key, each in told.get("data", {}).items() if is_reported or key not in _OURS}
    from_page = {"message": told["message"]} if is_reported else {}
    if data:
        from_page["data"] = data
    ours = "The page answered with an error." if is_reported else told["message"]
    lines = [f"{error.error_code}: {ours}", *_allowed(told, is_reported), f"What to do: {error.fix}"]
    if from_page:
        lines.append(fence(from_page, secrets.token_hex(6)))
    if error.shown:
        lines.append(fence_text(clean_text(redact_text(error.shown)), secrets.token_hex(6)))
    images = [t.ImageContent(type="image", data=data, mime_type=mime) for mime, data in error.pictures]
    return t.CallToolResult(
        content=[t.TextContent(type="text", text="\n".join(lines)), *images],
        is_error=True,
        _meta={"pageside/error": told},
    )


def _allowed(told: dict[str, Any], is_reported: bool) -> list[str]:
    """What is allowed, where the message leaves some of it out."""
    allowed = {} if is_reported else told.get("data", {}).get("allowed")
    choices = allowed.get("enum", ()) if isinstance(allowed, dict) else allowed
    if not isinstance(choices, list) or all(str(each) in told["message"] for each in choices):
        return []
    return [f"Allowed: {', '.join(map(str, choices))}."]


def to_protocol_error(error: PagesideError) -> MCPError:
    """The same as an error of JSON-RPC: its data beside the code and what to do."""
    told = clean(redact(error.to_json()))
    data = {**told.get("data", {}), "code": told["code"], "fix": told["fix"]}
    return MCPError(t.INTERNAL_ERROR, told["message"], data)
