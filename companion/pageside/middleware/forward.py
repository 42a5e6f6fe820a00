"""Passing a request on to the companion, and its answer back as it comes."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncGenerator, Mapping

import aiohttp

from pageside.contract import CHANNEL
from pageside.errors import Refused
from pageside.middleware.exchange import Answer, Asked, Headers

NAMES: dict[str, str] = CHANNEL["headers"]
CONNECT_SECONDS = 5.0
_HOP_BY_HOP = frozenset(
    """
    connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade
    """.split()
)
_KEPT_BACK = _HOP_BY_HOP | frozenset("host cookie origin referer authorization expect content-length".split())
_PRIVATE = re.compile(r":.*|sec-fetch-.*|x-pageside-.*|x-forwarded-.*|forwarded")
_OWN = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")
"""What aiohttp would add by itself."""


def new_session() -> aiohttp.ClientSession:
    """A client that keeps nothing, follows nothing and changes nothing."""
    return aiohttp.ClientSession(
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        connector=aiohttp.TCPConnector(limit=0, force_close=True),
        skip_auto_headers=_OWN,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
    )


def absent() -> Refused:
    """There is no companion to ask."""
    return Refused(
        503,
        "PAGE_NOT_CONNECTED",
        "The companion of this project is not running, or is starting just now.",
        "Try again in a second; if it stays away, read the app's terminal or run `pageside serve`.",
    )


def passed_on(headers: Headers) -> dict[str, str]:
    """The headers of a page that the companion may see."""
    return {name: value for name, value in headers if name not in _KEPT_BACK and not _PRIVATE.fullmatch(name)}


async def forward(session: aiohttp.ClientSession, url: str, asked: Asked, more: Mapping[str, str]) -> Answer:
    """Ask the companion; raises `Refused` 503 where nobody answers."""
    body = await asked.read()
    response = None
    try:
        response = await session.request(
            asked.method,
            f"{url}{asked.path}" + (f"?{asked.query}" if asked.query else ""),
            headers=passed_on(asked.headers) | dict(more),
            data=io.BytesIO(body) if body else None,
            allow_redirects=False,
        )
        headers = [(name.lower(), value) for name, value in response.headers.items()]
    except (aiohttp.ClientError, TimeoutError, OSError):
        raise absent() from None
    kept = [(name, value) for name, value in headers if name not in _HOP_BY_HOP]
    return Answer(response.status, kept, stream=_chunks(response))


async def _chunks(response: aiohttp.ClientResponse) -> AsyncGenerator[bytes]:
    """One that breaks off ends here, and its reader comes back."""
    try:
        async for chunk in response.content.iter_any():
            yield chunk
    except (aiohttp.ClientError, OSError):
        return
    finally:
        response.close()
