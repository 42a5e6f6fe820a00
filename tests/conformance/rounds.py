"""Tools of 2026-07-28 that need input: they return what they ask for, and are called again with the answers."""

from __future__ import annotations

from typing import Any

import mcp_types as t
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError

Request = ServerRequestContext[Any, Any]
Result = t.CallToolResult | t.InputRequiredResult


def ask_user(message: str, **properties: str) -> t.ElicitRequest:
    """A form whose fields are all required: their names and types."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return t.ElicitRequest(params=t.ElicitRequestFormParams(message=message, requested_schema=schema))


def ask_model(words: str, max_tokens: int = 100) -> t.CreateMessageRequest:
    message = t.SamplingMessage(role="user", content=t.TextContent(type="text", text=words))
    return t.CreateMessageRequest(
        params=t.CreateMessageRequestParams(messages=[message], max_tokens=max_tokens)
    )


def ask_roots() -> t.ListRootsRequest:
    return t.ListRootsRequest(params=t.RequestParams())


def content_of(params: t.InputResponseRequestParams, key: str) -> dict[str, Any] | None:
    """What the user filled in, if they accepted."""
    answer = (params.input_responses or {}).get(key)
    if not isinstance(answer, t.ElicitResult) or answer.action != "accept":
        return None
    return answer.content


def done(words: str) -> t.CallToolResult:
    return t.CallToolResult(content=[t.TextContent(type="text", text=words)])


NAME = "What is your name?"


async def elicitation(_context: Request, params: t.CallToolRequestParams) -> Result:
    given = content_of(params, "user_name")
    if given is None or not isinstance(given.get("name"), str):
        return t.InputRequiredResult(input_requests={"user_name": ask_user(NAME, name="string")})
    return done(f"Hello, {given['name']}!")


async def sampling(_context: Request, params: t.CallToolRequestParams) -> Result:
    answer = (params.input_responses or {}).get("capital_question")
    if not isinstance(answer, t.CreateMessageResult):
        question = ask_model("What is the capital of France?")
        return t.InputRequiredResult(input_requests={"capital_question": question})
    assert isinstance(answer.content, t.TextContent)
    return done(f"The model says: {answer.content.text}")


async def list_roots(_context: Request, params: t.CallToolRequestParams) -> Result:
    answer = (params.input_responses or {}).get("client_roots")
    if not isinstance(answer, t.ListRootsResult):
        return t.InputRequiredResult(input_requests={"client_roots": ask_roots()})
    return done("Roots: " + ", ".join(str(root.uri) for root in answer.roots))


async def confirmed_state(_context: Request, params: t.CallToolRequestParams) -> Result:
    """The server's middleware seals the state, and refuses one that was tampered with before this is called."""
    if content_of(params, "confirm") is None:
        form = ask_user("Please confirm", ok="boolean")
        return t.InputRequiredResult(input_requests={"confirm": form}, request_state="to confirm")
    _expect_state(params, "to confirm")
    return done("state-ok")


async def multiple_inputs(_context: Request, params: t.CallToolRequestParams) -> Result:
    asked: t.InputRequests = {
        "user_name": ask_user(NAME, name="string"),
        "greeting": ask_model("Generate a greeting", max_tokens=50),
        "client_roots": ask_roots(),
    }
    if not asked.keys() <= (params.input_responses or {}).keys():
        return t.InputRequiredResult(input_requests=asked, request_state="three asked")
    _expect_state(params, "three asked")
    return done("All three were answered.")


async def multi_round(_context: Request, params: t.CallToolRequestParams) -> Result:
    if params.request_state is None:
        form = ask_user("Step 1: What is your name?", name="string")
        return t.InputRequiredResult(input_requests={"step1": form}, request_state="1")
    if params.request_state == "1":
        form = ask_user("Step 2: What is your favorite color?", color="string")
        return t.InputRequiredResult(input_requests={"step2": form}, request_state="2")
    _expect_state(params, "2")
    return done("Both steps were answered.")


async def capabilities(context: Request, _params: t.CallToolRequestParams) -> Result:
    """Asks only for what the client says that it can answer."""
    client = context.session.client_capabilities or t.ClientCapabilities()
    asked: t.InputRequests = {}
    if client.elicitation is not None:
        asked["user_name"] = ask_user(NAME, name="string")
    if client.sampling is not None:
        asked["greeting"] = ask_model("Generate a greeting")
    if client.roots is not None:
        asked["client_roots"] = ask_roots()
    return t.InputRequiredResult(input_requests=asked, request_state="asked what is possible")


async def streaming_elicitation(context: Request, _params: t.CallToolRequestParams) -> Result:
    """The progress makes the answer a stream; the question must not be a request on it."""
    await context.session.report_progress(0, 1)
    return t.InputRequiredResult(input_requests={"user_name": ask_user(NAME, name="string")})


async def missing_capability(context: Request, _params: t.CallToolRequestParams) -> Result:
    client = context.session.client_capabilities
    if client is None or client.sampling is None:
        needed: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(t.MISSING_REQUIRED_CLIENT_CAPABILITY, "This tool needs sampling.", needed)
    return done("The client can sample.")


def _expect_state(params: t.CallToolRequestParams, expected: str) -> None:
    if params.request_state != expected:
        raise MCPError(t.INVALID_PARAMS, "This is not the state that the tool gave.")
