"""The door: one middleware in front of every route, unknown ones included.

In this order: target form → Host → Origin → preflight → Sec-Fetch → token and scope → content type → size. The first
check that fails answers, the handler never runs.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import time
from weakref import WeakKeyDictionary

from aiohttp import HttpVersion11, hdrs, web

from pageside.contract import CHANNEL, LIMITS
from pageside.core.origins import (
    host_ok,
    is_own_page,
    json_content_type,
    origin_ok,
    own_hosts,
    own_origins,
    sec_fetch_ok,
)
from pageside.errors import PagesideError, Refused
from pageside.processes.peers import Peer, same_user
from pageside.web.keys import RUN, SECRETS
from pageside.web.routes import ROUTES, Handler, Scope

log = logging.getLogger(__name__)

HEADERS: dict[str, str] = CHANNEL["headers"]
_STATUS = {
    "INVALID_ARGUMENTS": 400,
    "BAD_REQUEST": 400,
    "BAD_TRANSITION": 409,
    "INSPECTION_NOT_FOUND": 404,
    "STORE_FAILED": 507,
    "SHUTTING_DOWN": 503,
}
FRESH_LINK = "Run `pageside console` in the project's folder: it prints a fresh link."
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Admit the request or answer with the error JSON; turn every error of a handler into one."""
    try:
        _check_address(request)
        await _check_credentials(request)
        _check_body(request)
        return await handler(request)
    except Refused as error:
        _tell(request, error)
        return error_response(error, error.status)
    except PagesideError as error:
        return error_response(error, _STATUS.get(error.error_code, 500))
    except web.HTTPException as error:
        return _http_error(request, error)
    except (asyncio.CancelledError, ConnectionError):
        raise
    except Exception:
        log.exception("%s %s failed", request.method, request.path)
        return error_response(PagesideError("The companion failed to answer."), 500)


def error_response(error: PagesideError, status: int) -> web.Response:
    """`{"error": {"code", "message", "fix", "data"?}}`."""
    return web.json_response({"error": error.to_json()}, status=status)


def _http_error(request: web.Request, error: web.HTTPException) -> web.Response:
    if error.status == 413:
        limit = f"The body is larger than {LIMITS['bodyBytes']} bytes."
        return error_response(Refused(413, "TOO_LARGE", limit), 413)
    answer = Refused(error.status, "NOT_FOUND", f"{request.method} {request.path}: {error.reason}.")
    response = error_response(answer, error.status)
    if "Allow" in error.headers:
        response.headers["Allow"] = error.headers["Allow"]
    return response


def _check_address(request: web.Request) -> None:
    _check_target(request)
    port = request.app[RUN].port
    if not host_ok(request.headers.getall(hdrs.HOST, []), own_hosts(port)):
        raise Refused(421, "FORBIDDEN", f"This Host is not served; use localhost:{port} or 127.0.0.1:{port}.")
    origins = request.headers.getall(hdrs.ORIGIN, [])
    if not origin_ok(origins, own_origins(port)):
        raise Refused(403, "FORBIDDEN", "This Origin may not call the companion.")
    if request.method == hdrs.METH_OPTIONS:
        raise Refused(403, "FORBIDDEN", "No cross-origin access is granted.")
    if not origins and not sec_fetch_ok(request.headers.getall("Sec-Fetch-Site", [])):
        raise Refused(403, "FORBIDDEN", "A page of another site may not call the companion.")


def _check_target(request: web.Request) -> None:
    raw = request.raw_path
    if not raw.startswith("/") or raw.startswith("//") or "#" in raw or "\\" in raw:
        raise Refused(400, "BAD_REQUEST", "The request target must be a plain path.")
    if request.version != HttpVersion11 or request.method in ("TRACE", "CONNECT"):
        raise Refused(400, "BAD_REQUEST", "HTTP/1.1 and its usual methods are spoken here.")


async def _check_credentials(request: web.Request) -> None:
    route = request.app[ROUTES].get(request.path)
    if route is None:
        raise Refused(404, "NOT_FOUND", f"There is nothing at {request.raw_path.partition('?')[0]}.")
    project = request.headers.get(HEADERS["project"])
    if route.scope is Scope.PAGE and project not in (None, request.app[RUN].project_id):
        raise Refused(
            409, "WRONG_PROJECT", "This companion serves another project than the page's dev server."
        )
    if not await _holds(request, route.scope):
        fix = FRESH_LINK if route.scope is Scope.CONSOLE else None
        raise Refused(401, "UNAUTHORIZED", f"{route.path} needs the {route.scope.value} token.", fix)


async def _holds(request: web.Request, scope: Scope) -> bool:
    keys = request.app[SECRETS]
    match scope:
        case Scope.PUBLIC:
            return True
        case Scope.PAGE:
            return _equal(request.headers.get(HEADERS["pageToken"]), keys.page)
        case Scope.PLUGIN:
            return _equal(request.headers.get(HEADERS["pluginToken"]), keys.plugin)
        case Scope.AGENT:
            return is_console(request) or await _is_agent(request, keys.agent, keys.plugin)
        case Scope.CONSOLE:
            return is_console(request)


def from_own_page(request: web.Request) -> bool:
    """A page of the companion's own sends it: of the very origin that the request goes to."""
    return is_own_page(
        request.headers.getall(hdrs.ORIGIN, []),
        request.headers.getall("Sec-Fetch-Site", []),
        request.headers[hdrs.HOST],
    )


def is_console(request: web.Request) -> bool:
    """The web console sends it: one of its tokens, from a page of the companion's own and from nowhere else."""
    kind, _, token = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
    held = kind == "Bearer" and request.app[SECRETS].console.holds(token)
    return held and from_own_page(request)


async def _is_agent(request: web.Request, token: str, plugin_token: str) -> bool:
    authorization = request.headers.get(hdrs.AUTHORIZATION)
    if authorization is not None:
        return _equal(authorization, f"Bearer {token}")
    # Not Sec-Fetch-Mode: Node's fetch sends that too.
    if hdrs.ORIGIN in request.headers or "Sec-Fetch-Site" in request.headers:
        return False
    forwarded = request.headers.get(HEADERS["pluginToken"])
    if forwarded is not None:
        peer = _stated_peer(request.headers.get(HEADERS["agentPeer"], ""))
        return (
            _equal(forwarded, plugin_token) and peer is not None and await asyncio.to_thread(same_user, peer)
        )
    return await _same_user_connection(request)


_same_user_connections: WeakKeyDictionary[asyncio.BaseTransport, bool] = WeakKeyDictionary()


async def _same_user_connection(request: web.Request) -> bool:
    transport = request.transport
    if transport is None:
        return False
    known = _same_user_connections.get(transport)
    if known is None:
        client, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        if not client or not own:
            return False
        peer = Peer(client[0], client[1], own[0], own[1])
        known = _same_user_connections[transport] = await asyncio.to_thread(same_user, peer)
    return known


_PEER = re.compile(r"([^|]{1,60})\|([0-9]{1,5})\|([^|]{1,60})\|([0-9]{1,5})")


def _stated_peer(text: str) -> Peer | None:
    stated = _PEER.fullmatch(text)
    return Peer(stated[1], int(stated[2]), stated[3], int(stated[4])) if stated else None


def _equal(given: str | None, expected: str) -> bool:
    # Bytes that are no UTF-8 arrive as surrogates.
    return given is not None and hmac.compare_digest(
        given.encode(errors="surrogateescape"), expected.encode()
    )


def _check_body(request: web.Request) -> None:
    if hdrs.CONTENT_ENCODING in request.headers:
        raise Refused(415, "BAD_REQUEST", "Bodies must not be compressed.")
    if request.method in _WITH_BODY and not json_content_type(request.headers.getall(hdrs.CONTENT_TYPE, [])):
        raise Refused(415, "BAD_REQUEST", "The content type must be application/json.")
    if (request.content_length or 0) > LIMITS["bodyBytes"]:
        raise Refused(413, "TOO_LARGE", f"The body is larger than {LIMITS['bodyBytes']} bytes.")


_TELL_SECONDS = 10.0
_last_told: dict[tuple[int, str], float] = {}


def _tell(request: web.Request, error: Refused) -> None:
    """One line for each kind of refusal in ten seconds: enough to see it, too little to flood."""
    kind, now = (error.status, error.error_code), time.monotonic()
    if now - _last_told.get(kind, -_TELL_SECONDS) >= _TELL_SECONDS:
        _last_told[kind] = now
        # The raw path is printable; the query may hold what is nobody's business.
        path = request.raw_path.partition("?")[0][:100]
        log.warning("refused %s %s: %s", request.method, path, error.message)


async def private_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Nobody sniffs, stores, embeds or learns the address from what the companion sends."""
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
