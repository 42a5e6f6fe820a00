"""A small bakery's pages: aiohttp, Jinja2, Pageside, and no Node.

.venv/bin/python examples/aiohttp-jinja/app.py
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web
from jinja2 import Environment, FileSystemLoader

from pageside.middleware.aiohttp import setup
from pageside.middleware.jinja import PagesideExtension

HERE = Path(__file__).resolve().parent
PORT = 8080

pages = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, extensions=[PagesideExtension]
)


@dataclass(frozen=True)
class Loaf:
    """Something to buy; prices in cents."""

    name: str
    about: str
    price: int
    left: int
    tags: tuple[str, ...] = ()


LOAVES = [
    Loaf("Harbour sourdough", "Rye and wheat, 36 hours, a crust that sings.", 640, 7, ("vegan",)),
    Loaf("Seeded tin", "Sunflower, linseed and a little honey.", 520, 2),
    Loaf("Cardamom knot", "Folded by hand, still warm at nine.", 310, 0, ("sweet", "new")),
    Loaf("Oat porridge loaf", "Soft, pale, good for a week.", 580, 11, ("vegan",)),
]
ORDERS = [("Ines", "Harbour sourdough", 2, "ready"), ("Tove", "Cardamom knot", 6, "baking")]


def page(name: str, **values: object) -> web.Response:
    """One of the templates as an answer."""
    return web.Response(text=pages.get_template(name).render(**values), content_type="text/html")


async def shop(_request: web.Request) -> web.Response:
    """What there is today."""
    return page("shop.html", here="shop", loaves=LOAVES, closed=False)


async def orders(_request: web.Request) -> web.Response:
    """What was ordered."""
    return page("orders.html", here="orders", orders=ORDERS)


async def missing(_request: web.Request) -> web.Response:
    """Any other path."""
    raise web.HTTPNotFound(text=pages.get_template("missing.html").render(here=""), content_type="text/html")


def create_app() -> web.Application:
    """The bakery, with Pageside, for this is for development only."""
    app = web.Application()
    app.router.add_get("/", shop)
    app.router.add_get("/orders", orders)
    app.router.add_static("/static", HERE / "static")
    app.router.add_get("/{path:.*}", missing)
    setup(app, enabled=True)
    return app


def listen(port: int) -> socket.socket:
    """A socket on that port of this machine, or on any free one."""
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError:
        return socket.create_server(("127.0.0.1", 0))


def main() -> None:
    """Serve until Ctrl-C."""
    place = listen(int(os.environ.get("PORT", PORT)))
    print(f"  Local:    http://127.0.0.1:{place.getsockname()[1]}/", flush=True)
    web.run_app(create_app(), sock=place, print=None)


if __name__ == "__main__":
    main()
