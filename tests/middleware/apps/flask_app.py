"""The bakery as a Flask app under its own server, with its reloader."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from flask import Flask, render_template

from pageside.middleware.jinja import PagesideExtension
from pageside.middleware.wsgi import PagesideMiddleware

PROJECT = Path.cwd()
sys.path.insert(0, str(PROJECT))

from app import LOAVES, ORDERS  # noqa: E402

app = Flask(__name__, root_path=str(PROJECT))
app.jinja_env.add_extension(PagesideExtension)
app.wsgi_app = PagesideMiddleware(app.wsgi_app, enabled=True)  # type: ignore[method-assign]


@app.get("/")
def shop() -> str:
    return render_template("shop.html", here="shop", loaves=LOAVES, closed=False)


@app.get("/orders")
def orders() -> str:
    return render_template("orders.html", here="orders", orders=ORDERS)


if __name__ == "__main__":
    app.run(port=int(os.environ["PORT"]), debug=True)
