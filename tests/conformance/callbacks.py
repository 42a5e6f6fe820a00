"""Tools that talk to the client while they run: log messages, progress, and requests of the handshake wires."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as t
from mcp.server import ServerRequestContext

from conformance.rounds import Result, done

Request = ServerRequestContext[Any, Any]

PAUSE_SECONDS = 0.05
"""The suite wants to see that messages arrive while the tool runs."""


async def logging(context: Request, _params: t.CallToolRequestParams) -> Result:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", words, related_request_id=context.request_id)
        await asyncio.sleep(PAUSE_SECONDS)
    return done("Three messages were logged.")


async def progress(context: Request, _params: t.CallToolRequestParams) -> Result:
    for percent in (0, 50, 100):
        await context.session.report_progress(percent, 100)
        await asyncio.sleep(PAUSE_SECONDS)
    return done("Progress was reported.")


async def reconnection(context: Request, _params: t.CallToolRequestParams) -> Result:
    """Closes its own stream; the client finds the result when it comes back. (Older clients could not come back.)"""
    if context.close_sse_stream is not None:
        await context.close_sse_stream()
    await asyncio.sleep(2 * PAUSE_SECONDS)
    return done("You are back.")


async def sampling(context: Request, params: t.CallToolRequestParams) -> Result:
    words = t.TextContent(type="text", text=str((params.arguments or {})["prompt"]))
    answer = await context.session.create_message(
        [t.SamplingMessage(role="user", content=words)],
        max_tokens=100,
        related_request_id=context.request_id,
    )
    assert isinstance(answer.content, t.TextContent)
    return done(f"LLM response: {answer.content.text}")


async def _elicit(context: Request, message: str, **properties: dict[str, Any]) -> Result:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": list(properties)}
    answer = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
    return done(f"Elicitation completed: action={answer.action}, content={answer.content}")


async def elicitation(context: Request, params: t.CallToolRequestParams) -> Result:
    message = str((params.arguments or {})["message"])
    return await _elicit(
        context,
        message,
        username={"type": "string", "description": "User's response"},
        email={"type": "string", "description": "User's email address"},
    )


async def elicitation_defaults(context: Request, _params: t.CallToolRequestParams) -> Result:
    return await _elicit(
        context,
        "Look through these defaults.",
        name={"type": "string", "default": "John Doe"},
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        verified={"type": "boolean", "default": True},
    )


async def elicitation_enums(context: Request, _params: t.CallToolRequestParams) -> Result:
    options = ["option1", "option2", "option3"]
    titled = [{"const": f"value{n}", "title": f"{word} Option"} for n, word in enumerate(_ORDINALS, 1)]
    return await _elicit(
        context,
        "Choose.",
        untitledSingle={"type": "string", "enum": options},
        titledSingle={"type": "string", "oneOf": titled},
        legacyEnum={
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti={"type": "array", "items": {"type": "string", "enum": options}},
        titledMulti={"type": "array", "items": {"anyOf": titled}},
    )


_ORDINALS = ("First", "Second", "Third")
