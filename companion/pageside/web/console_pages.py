"""The web console as browsers get it: a page without anything that lives, its script and its style sheet, and its door.

Public, as they tell nothing that is worth hiding: who comes without a code sees how to get one.
"""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from pageside import __version__
from pageside.contract import CHANNEL
from pageside.errors import Refused
from pageside.web.bodies import read_object
from pageside.web.console_keys import CODE_SECONDS
from pageside.web.guard import FRESH_LINK, from_own_page
from pageside.web.keys import RUN, SECRETS, WORLD, Secrets
from pageside.web.routes import MCP, PREFIX, Route, Scope, channel_route, console_route
from pageside.web.tab_port import settled, told

if TYPE_CHECKING:
    from jinja2 import Environment

PATHS: dict[str, str] = {name: PREFIX + path for name, path in CHANNEL["console"].items()}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
}
_HERE = Path(__file__).parent
EXTENSION = _HERE / "static" / "extension"
"""The built browser extension, to be loaded unpacked."""
_TYPES = {".js": "text/javascript", ".css": "text/css"}


def routes() -> list[Route]:
    return [
        console_route("page", "GET", page, Scope.PUBLIC),
        console_route("script", "GET", _static, Scope.PUBLIC),
        console_route("style", "GET", _static, Scope.PUBLIC),
        console_route("enter", "POST", enter, Scope.PUBLIC),
        console_route("link", "POST", link, Scope.AGENT),
        channel_route("consoleLink", "POST", link, Scope.PLUGIN),
    ]


async def page(request: web.Request) -> web.Response:
    """What is the same for everybody: the frame that the script fills, and what to do without a code."""
    html = await asyncio.to_thread(_rendered, request.app[WORLD].project.name, request.app[RUN].port)
    return web.Response(text=html, content_type="text/html", charset="utf-8", headers=HEADERS)


async def _static(request: web.Request) -> web.Response:
    name = request.path.rpartition("/")[2]
    try:
        body = await asyncio.to_thread((_HERE / "static" / name).read_bytes)
    except FileNotFoundError:
        raise Refused(404, "NOT_FOUND", f"{name} is not built.", "Run `npm run build`.") from None
    return web.Response(body=body, content_type=_TYPES[Path(name).suffix], charset="utf-8")


async def enter(request: web.Request) -> web.Response:
    """The token of a console, for a code that is spent with this; only a page of the companion's own may ask."""
    if not from_own_page(request):
        raise Refused(403, "FORBIDDEN", "Only the console's own page may enter.", FRESH_LINK)
    code = (await read_object(request)).get("code")
    token = request.app[SECRETS].console.enter(code) if isinstance(code, str) else None
    if token is None:
        what = f"The link was used already, or is older than {CODE_SECONDS / 60:g} minutes."
        raise Refused(404, "NOT_FOUND", what, FRESH_LINK)
    return web.json_response({"token": token})


async def link(request: web.Request) -> web.Response:
    """A fresh link, good once and for ten minutes, and why no tab can connect: for those who print it to the user."""
    tabs = await settled(request.app[WORLD].extension_tabs)
    trouble = {"tabs": told(tabs)} if tabs.kind == "off" and told(tabs) else {}
    return web.json_response({"url": console_link(request.app[SECRETS], request.app[RUN].port)} | trouble)


def console_link(keys: Secrets, port: int) -> str:
    """The address of the console with a fresh code; in the fragment, which no browser sends anywhere."""
    return f"http://127.0.0.1:{port}{PATHS['page']}#{keys.console.new_code()}"


@cache
def _templates() -> Environment:
    # Most companions end without anybody having opened their console.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    return Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _rendered(project: str, port: int) -> str:
    return (
        _templates()
        .get_template("console.html")
        .render(version=__version__, project=project, port=port, paths=PATHS, mcp=MCP)
    )
