"""Pageside's paths on an app's own origin: one for each event loop that serves the app."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

from pageside.contract import CHANNEL, SCRIPTS
from pageside.core.page_guard import Access, check, check_peer, may_be_agent
from pageside.errors import PagesideError, Refused
from pageside.middleware.companions import Companions
from pageside.middleware.exchange import MCP, PREFIX, Answer, Asked, refusal
from pageside.middleware.forward import NAMES, forward, new_session
from pageside.middleware.link import Link
from pageside.middleware.options import Options
from pageside.middleware.places import Places

log = logging.getLogger("pageside")

ROUTES: dict[str, str] = CHANNEL["routes"]
SCRIPT_PATHS = {PREFIX + ROUTES[name]: file for name, file in SCRIPTS.items()}
STATIC = Path(__file__).parents[1] / "web" / "static"
HEALTH = PREFIX + ROUTES["health"]
WAIT_SECONDS = 5.0
"""A request that comes while the companion starts waits for it so long."""
_PAGE = re.compile(re.escape(PREFIX) + r"/page/[a-z]+")
_AGENT = re.compile(re.escape(MCP) + r"(?:/[a-z]+)?")
"""To the letter: what is passed on carries a token."""


class Door:
    """Answers what is asked on those paths, and holds the link to the companion; made inside its event loop."""

    def __init__(self, options: Options) -> None:
        self._access = Access(options.allowed_hosts, options.lan)
        self._http = new_session()
        companions = Companions(options, self._http)
        self._project_id = companions.project_id
        self.link = Link(options.project, companions, self._http)
        places = Places(options)
        own: dict[str, Callable[[Asked], Awaitable[Answer]]] = {
            "resolve": places.resolve,
            "usage": places.usage,
            "open": places.open,
        }
        self._own = {PREFIX + ROUTES[name]: handler for name, handler in own.items()}
        self._closing = asyncio.Event()

    async def answer(self, asked: Asked) -> Answer:
        """The answer, or why there is none."""
        try:
            return await self._answer(asked)
        except PagesideError as error:
            return refusal(error)
        except Exception:
            log.exception("Pageside failed to answer %s %s", asked.method, asked.path)
            return refusal(
                PagesideError("Pageside's middleware failed to answer.", fix="The app's log has more.")
            )

    def end_streams(self) -> None:
        """Let all that is still being answered end: the app's server wants to stop."""
        self._closing.set()

    async def close(self) -> None:
        """Let go of the companion."""
        self.end_streams()
        await self.link.stop()
        await self._http.close()

    async def _answer(self, asked: Asked) -> Answer:
        knock = asked.knock()
        check(knock, self._access)
        if not self._is_open(asked.path):
            check_peer(knock, self._access)
        if asked.path in SCRIPT_PATHS:
            return await _script(asked, SCRIPT_PATHS[asked.path])
        own = self._own.get(asked.path)
        if own is not None:
            return await own(asked)
        if _AGENT.fullmatch(asked.path):
            return await self._forward(asked, self._agent_headers(asked))
        if asked.path == HEALTH or _PAGE.fullmatch(asked.path):
            return await self._forward(asked, None)
        raise Refused(404, "NOT_FOUND", f"There is nothing at {asked.path[:200]}.", "Check the path.")

    def _is_open(self, path: str) -> bool:
        """What every peer may ask for: what holds nothing private, and MCP, where an agent shows its token."""
        return path in SCRIPT_PATHS or path == HEALTH or path == MCP or path.startswith(f"{MCP}/")

    async def _forward(self, asked: Asked, headers: dict[str, str] | None) -> Answer:
        self.link.start()
        found = await self.link.companion(WAIT_SECONDS)
        more = {NAMES["pageToken"]: found.page_token, NAMES["project"]: self._project_id}
        if headers is not None:
            more = {NAMES["pluginToken"]: found.plugin_token} | headers
        answer = await forward(self._http, found.url, asked, more)
        if answer.stream is not None:
            answer.stream = self._until_closing(answer.stream)
        return answer

    def _agent_headers(self, asked: Asked) -> dict[str, str]:
        headers = {name: value for name, value in asked.headers if name == "authorization"}
        socket = asked.socket
        if socket is not None and may_be_agent(asked.knock()):
            peer = (socket.address, str(socket.port), socket.own_address, str(socket.own_port))
            headers[NAMES["agentPeer"]] = "|".join(peer)
        return headers

    async def _until_closing(self, stream: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        """The same chunks; none after `end_streams`."""
        closing = asyncio.create_task(self._closing.wait())
        chunk: asyncio.Future[bytes | None] | None = None
        try:
            while not closing.done():
                chunk = asyncio.ensure_future(anext(stream, None))
                await asyncio.wait((chunk, closing), return_when=asyncio.FIRST_COMPLETED)
                part = chunk.result() if chunk.done() else None
                if part is None:
                    return
                yield part
        finally:
            closing.cancel()
            if chunk is not None and not chunk.done():
                chunk.cancel()
                await asyncio.wait((chunk,))
            await stream.aclose()


async def _script(asked: Asked, name: str) -> Answer:
    if asked.method not in ("GET", "HEAD"):
        raise Refused(405, "BAD_REQUEST", f"{name} is only read.", "Use GET.")
    try:
        content = await asyncio.to_thread((STATIC / name).read_bytes)
    except FileNotFoundError:
        raise Refused(404, "NOT_FOUND", f"{name} is not built.", "Install pageside again.") from None
    etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = [
        ("content-type", "text/javascript; charset=utf-8"),
        ("cache-control", "no-cache"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("etag", etag),
    ]
    if ("if-none-match", etag) in asked.headers:
        return Answer(304, headers)
    headers.append(("content-length", str(len(content))))
    return Answer(200, headers, b"" if asked.method == "HEAD" else content)
