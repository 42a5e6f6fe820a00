"""Yes-or-no questions to the user, asked by the agent's client in whichever way its protocol has."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import Any

import mcp_types as t
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from pageside.core.untrusted import clean_text
from pageside.operations.dev_servers import Confirm

Request = ServerRequestContext[Any, Any]

KEY = "confirm"
MAX_OPEN = 256
_FORM: dict[str, Any] = {"type": "object", "properties": {}}
"""Nothing to fill in: the user accepts or declines."""


class AnswerNeeded(Exception):
    """Ends a call on a wire where the client asks and calls again; `result` is what the call answers meanwhile."""

    def __init__(self, result: t.InputRequiredResult) -> None:
        super().__init__("The user has to be asked first.")
        self.result = result


class Questions:
    """Those that are open on wires where the call ends with the question."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, str] = OrderedDict()

    def confirm(self, context: Request, params: t.CallToolRequestParams) -> Confirm:
        """For one call: `await confirm(message)` is the user's yes or no; None when the client cannot ask.

        A handler asks before it does anything: the call may end with the question, and begin anew with the answer.
        """

        async def ask(message: str) -> bool | None:
            capabilities = context.session.client_capabilities
            asks = capabilities.elicitation if capabilities is not None else None
            if asks is None or (asks.form is None and asks.url is not None):
                return None
            message = clean_text(message)
            if context.session.protocol_version in MODERN_PROTOCOL_VERSIONS:
                return self._answered(message, params)
            return await _ask_now(context, message)

        return ask

    def _answered(self, message: str, params: t.CallToolRequestParams) -> bool:
        """What the client brings with the call that it repeats; raises `AnswerNeeded` with the question else."""
        asked = self._open.pop(params.request_state or "", None)
        answer = (params.input_responses or {}).get(KEY)
        if asked == message and isinstance(answer, t.ElicitResult):
            return answer.action == "accept"
        state = secrets.token_urlsafe(16)
        self._open[state] = message
        while len(self._open) > MAX_OPEN:
            self._open.popitem(last=False)
        question = t.ElicitRequest(params=t.ElicitRequestFormParams(message=message, requested_schema=_FORM))
        raise AnswerNeeded(t.InputRequiredResult(input_requests={KEY: question}, request_state=state))


async def _ask_now(context: Request, message: str) -> bool | None:
    try:
        answer = await context.session.elicit_form(message, _FORM, related_request_id=context.request_id)
    except MCPError:
        # The client says that it can ask, and answers with an error.
        return None
    return answer.action == "accept"
