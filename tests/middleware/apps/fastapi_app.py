"""The bakery as a FastAPI app, for uvicorn."""

from __future__ import annotations

import sys
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, FileSystemLoader

from pageside.middleware.asgi import PagesideMiddleware
from pageside.middleware.jinja import PagesideExtension

PROJECT = Path.cwd()
sys.path.insert(0, str(PROJECT))

from app import LOAVES, ORDERS  # noqa: E402

environment = Environment(
    loader=FileSystemLoader(PROJECT / "templates"), autoescape=True, extensions=[PagesideExtension]
)
templates = Jinja2Templates(env=environment)
app = FastAPI()
app.add_middleware(PagesideMiddleware, enabled=True)
app.mount("/static", StaticFiles(directory=PROJECT / "static"))


@app.get("/")
def shop(request: Request) -> HTMLResponse:
    values = {"here": "shop", "loaves": LOAVES, "closed": False}
    return templates.TemplateResponse(request, "shop.html", values)


@app.get("/orders")
def orders(request: Request) -> HTMLResponse:
    return templates.TemplateResponse(request, "orders.html", {"here": "orders", "orders": ORDERS})
