"""What the suite expects to read, byte for byte: pieces of content, resources, prompts."""

from __future__ import annotations

import json
import re
from typing import Any

import mcp_types as t
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError

from conformance.rounds import ask_user, content_of

Request = ServerRequestContext[Any, Any]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="


def text(words: str) -> t.TextContent:
    return t.TextContent(type="text", text=words)


def image() -> t.ImageContent:
    return t.ImageContent(type="image", data=PNG, mime_type="image/png")


def audio() -> t.AudioContent:
    return t.AudioContent(type="audio", data=WAV, mime_type="audio/wav")


def embedded(uri: str, mime_type: str, words: str) -> t.EmbeddedResource:
    contents = t.TextResourceContents(uri=uri, mime_type=mime_type, text=words)
    return t.EmbeddedResource(type="resource", resource=contents)


# Resources

TEMPLATE = "test://template/{id}/data"
_RESOURCES = [
    t.Resource(
        uri="test://static-text", name="static-text", description="A static text.", mime_type="text/plain"
    ),
    t.Resource(
        uri="test://static-binary", name="static-binary", description="An image.", mime_type="image/png"
    ),
    t.Resource(
        uri="test://watched-resource", name="watched-resource", description="One to subscribe to.",
        mime_type="text/plain",
    ),
]  # fmt: skip


async def list_resources(
    _context: Request, _params: t.PaginatedRequestParams | None
) -> t.ListResourcesResult:
    return t.ListResourcesResult(resources=_RESOURCES)


async def list_templates(
    _context: Request, _params: t.PaginatedRequestParams | None
) -> t.ListResourceTemplatesResult:
    template = t.ResourceTemplate(
        uri_template=TEMPLATE, name="template", description="Data for an id.", mime_type="application/json"
    )
    return t.ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(_context: Request, params: t.ReadResourceRequestParams) -> t.ReadResourceResult:
    return t.ReadResourceResult(contents=[_contents(params.uri)])


def _contents(uri: str) -> t.TextResourceContents | t.BlobResourceContents:
    if uri == "test://static-binary":
        return t.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
    filled = re.fullmatch(r"test://template/([^/]+)/data", uri)
    if filled is not None:
        data = {"id": filled[1], "templateTest": True, "data": f"Data for ID: {filled[1]}"}
        return t.TextResourceContents(uri=uri, mime_type="application/json", text=json.dumps(data))
    texts = {
        "test://static-text": "This is the content of the static text resource.",
        "test://watched-resource": "Watched resource content.",
    }
    if uri not in texts:
        raise MCPError(t.INVALID_PARAMS, "Resource not found", {"uri": uri})
    return t.TextResourceContents(uri=uri, mime_type="text/plain", text=texts[uri])


async def subscribe(_context: Request, _params: t.SubscribeRequestParams) -> t.EmptyResult:
    return t.EmptyResult()


async def unsubscribe(_context: Request, _params: t.UnsubscribeRequestParams) -> t.EmptyResult:
    return t.EmptyResult()


# Prompts


def _prompt(name: str, description: str, *arguments: str) -> t.Prompt:
    needed = [t.PromptArgument(name=each, description=each, required=True) for each in arguments]
    return t.Prompt(name=name, description=description, arguments=needed)


_PROMPTS = [
    _prompt("test_simple_prompt", "A prompt without arguments."),
    _prompt("test_prompt_with_arguments", "A prompt with two arguments.", "arg1", "arg2"),
    _prompt("test_prompt_with_embedded_resource", "A prompt that embeds a resource.", "resourceUri"),
    _prompt("test_prompt_with_image", "A prompt with an image."),
    _prompt("test_input_required_result_prompt", "A prompt that asks the user first."),
]


async def list_prompts(_context: Request, _params: t.PaginatedRequestParams | None) -> t.ListPromptsResult:
    return t.ListPromptsResult(prompts=_PROMPTS)


async def get_prompt(
    _context: Request, params: t.GetPromptRequestParams
) -> t.GetPromptResult | t.InputRequiredResult:
    if params.name == "test_input_required_result_prompt":
        given = content_of(params, "user_context")
        if given is None:
            return t.InputRequiredResult(
                input_requests={
                    "user_context": ask_user("What context should the prompt use?", context="string")
                }
            )
        return _messages(text(f"Prompt with context: {given['context']}"))
    return _messages(*_blocks(params.name, params.arguments or {}))


def _blocks(name: str, given: dict[str, str]) -> list[t.ContentBlock]:
    match name:
        case "test_simple_prompt":
            return [text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            return [text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")]
        case "test_prompt_with_embedded_resource":
            resource = embedded(given["resourceUri"], "text/plain", "Embedded resource content for testing.")
            return [resource, text("Please process the embedded resource above.")]
        case "test_prompt_with_image":
            return [image(), text("Please analyze the image above.")]
        case _:
            raise MCPError(t.INVALID_PARAMS, f"Unknown prompt: {name}")


def _messages(*blocks: t.ContentBlock) -> t.GetPromptResult:
    return t.GetPromptResult(messages=[t.PromptMessage(role="user", content=block) for block in blocks])


async def complete(_context: Request, params: t.CompleteRequestParams) -> t.CompleteResult:
    found = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return t.CompleteResult(completion=t.Completion(values=found, total=len(found), has_more=False))
