"""MCP over HTTP, by both transports: Streamable HTTP, and the SSE of earlier clients."""

from __future__ import annotations

from pageside.agents.server import AgentServer
from pageside.web.mcp_http import McpHttp
from pageside.web.mcp_requests import McpRequests
from pageside.web.mcp_sse import McpSse
from pageside.web.routes import Route


class Mcp:
    """Both HTTP transports over one server."""

    def __init__(self, server: AgentServer) -> None:
        self.server = server
        self.requests = McpRequests(server)
        self._http = McpHttp(server, self.requests)
        self._sse = McpSse(server, self.requests)
        self._host = ""
        server.close_session = self._close_session

    def routes(self) -> list[Route]:
        return [*self._http.routes(), *self._sse.routes()]

    async def start(self, port: int) -> None:
        self._host = f"127.0.0.1:{port}"
        await self._http.start(port)
        await self._sse.start(port)

    async def stop(self) -> None:
        await self.requests.answer()
        await self._sse.stop()
        await self._http.stop()
        await self.requests.stop()

    async def _close_session(self, session: str) -> None:
        self._sse.close_session(session)
        await self._http.close_session(session, self._host)
