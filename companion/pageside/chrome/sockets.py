"""WebSockets among a tab's requests: their handshake, how many frames went each way, their end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pageside.chrome.requests import Request
from pageside.chrome.session import Params, Session
from pageside.core.headers import redact_headers
from pageside.core.redaction import redact_text

Current = Callable[[Params], Request | None]


def watch(session: Session, begin: Callable[[Session, Params], None], current: Current) -> None:
    """Call `begin` for each new one, and write what happens to it into `current(params)`."""
    session.on("Network.webSocketCreated", partial(begin, session))
    for event, update in _UPDATES.items():
        session.on(f"Network.{event}", partial(_update, current, update))


def _update(current: Current, update: Callable[[Request, Params], None], params: Params) -> None:
    if (request := current(params)) is not None:
        update(request, params)


def _asks(request: Request, params: Params) -> None:
    request.started, request.at = params["timestamp"], round(params["wallTime"] * 1000, 2)
    request.sent = redact_headers(params["request"].get("headers") or {})


def _answered(request: Request, params: Params) -> None:
    response = params["response"]
    request.status, request.status_text = response.get("status"), str(response.get("statusText", ""))[:200]
    request.received = redact_headers(response.get("headers") or {})


def _sent(request: Request, _params: Params) -> None:
    request.frames_sent += 1


def _received(request: Request, _params: Params) -> None:
    request.frames_received += 1


def _failed(request: Request, params: Params) -> None:
    request.failure = redact_text(str(params.get("errorMessage", "failed")))[:500]


def _closed(request: Request, params: Params) -> None:
    request.ended = params["timestamp"]
    # One that was refused never came to its handshake.
    request.started = request.started or request.ended


_UPDATES: dict[str, Callable[[Request, Params], None]] = {
    "webSocketWillSendHandshakeRequest": _asks,
    "webSocketHandshakeResponseReceived": _answered,
    "webSocketFrameSent": _sent,
    "webSocketFrameReceived": _received,
    "webSocketFrameError": _failed,
    "webSocketClosed": _closed,
}
