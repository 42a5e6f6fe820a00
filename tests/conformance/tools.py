"""The tools that the suite calls, by name."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import mcp_types as t
from mcp.server import ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError

from conformance import callbacks, rounds
from conformance.contents import audio, embedded, image, text
from conformance.rounds import Result, done

Request = ServerRequestContext[Any, Any]
Handler = Callable[[Request, t.CallToolRequestParams], Awaitable[Result]]


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


NOTHING = _object()
SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Tool:
    """A handler with the schema of its arguments."""

    handler: Handler
    schema: dict[str, Any]


def _says(*blocks: t.ContentBlock, is_error: bool = False) -> Handler:
    async def handler(_context: Request, _params: t.CallToolRequestParams) -> Result:
        return t.CallToolResult(content=list(blocks), is_error=is_error)

    return handler


def _publishes(bus: InMemorySubscriptionBus, event: ServerEvent) -> Handler:
    async def handler(_context: Request, _params: t.CallToolRequestParams) -> Result:
        await bus.publish(event)
        return done("The list changed.")

    return handler


_MIXED = (
    text("Multiple content types test:"),
    image(),
    embedded("test://mixed-content-resource", "application/json", json.dumps({"test": "data", "value": 123})),
)
_HANDLERS: dict[str, Handler] = {
    "test_simple_text": _says(text("This is a simple text response for testing.")),
    "test_image_content": _says(image()),
    "test_audio_content": _says(audio()),
    "test_embedded_resource": _says(
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ),
    "test_multiple_content_types": _says(*_MIXED),
    "test_error_handling": _says(text("This tool intentionally returns an error for testing"), is_error=True),
    "test_tool_with_logging": callbacks.logging,
    "test_logging_tool": callbacks.logging,
    "test_tool_with_progress": callbacks.progress,
    "test_reconnection": callbacks.reconnection,
    "test_sampling": callbacks.sampling,
    "test_elicitation": callbacks.elicitation,
    "test_elicitation_sep1034_defaults": callbacks.elicitation_defaults,
    "test_elicitation_sep1330_enums": callbacks.elicitation_enums,
    "json_schema_2020_12_tool": _says(text("The schema is what matters.")),
    "test_x_mcp_header": _says(text("The header agrees with the argument.")),
    "test_missing_capability": rounds.missing_capability,
    "test_streaming_elicitation": rounds.streaming_elicitation,
    "test_input_required_result_elicitation": rounds.elicitation,
    "test_input_required_result_sampling": rounds.sampling,
    "test_input_required_result_list_roots": rounds.list_roots,
    "test_input_required_result_request_state": rounds.confirmed_state,
    "test_input_required_result_tampered_state": rounds.confirmed_state,
    "test_input_required_result_multiple_inputs": rounds.multiple_inputs,
    "test_input_required_result_multi_round": rounds.multi_round,
    "test_input_required_result_capabilities": rounds.capabilities,
}
_SCHEMAS = {
    "test_sampling": _object(prompt={"type": "string"}),
    "test_elicitation": _object(message={"type": "string"}),
    "test_x_mcp_header": _object(value={"type": "string", "x-mcp-header": "Value"}),
    "json_schema_2020_12_tool": SCHEMA_2020_12,
}


class Tools:
    """Lists and calls them, as the SDK's server wants it."""

    def __init__(self, bus: InMemorySubscriptionBus) -> None:
        handlers = _HANDLERS | {
            "test_trigger_tool_change": _publishes(bus, ToolsListChanged()),
            "test_trigger_prompt_change": _publishes(bus, PromptsListChanged()),
        }
        self._tools = {name: Tool(each, _SCHEMAS.get(name, NOTHING)) for name, each in handlers.items()}

    def input_schema(self, name: str) -> dict[str, Any] | None:
        tool = self._tools.get(name)
        return None if tool is None else tool.schema

    async def list(self, _context: Request, _params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
        return t.ListToolsResult(
            tools=[
                t.Tool(name=name, description=f"{name} of the suite.", input_schema=tool.schema)
                for name, tool in self._tools.items()
            ]
        )

    async def call(self, context: Request, params: t.CallToolRequestParams) -> Result:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(t.INVALID_PARAMS, f"Unknown tool: {params.name}")
        return await tool.handler(context, params)
