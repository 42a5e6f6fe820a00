"""The bakery as a Django app with Jinja2 templates, under Django's own server."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from django.conf import settings  # type: ignore[import-untyped]
from django.core.management import execute_from_command_line  # type: ignore[import-untyped]
from django.core.wsgi import get_wsgi_application  # type: ignore[import-untyped]
from django.http import HttpRequest, HttpResponse  # type: ignore[import-untyped]
from django.shortcuts import render  # type: ignore[import-untyped]
from django.urls import path  # type: ignore[import-untyped]

from pageside.middleware.wsgi import PagesideMiddleware

PROJECT = Path.cwd()
sys.path.insert(0, str(PROJECT))

from app import LOAVES, ORDERS  # noqa: E402

if not settings.configured:
    settings.configure(
        DEBUG=True,
        SECRET_KEY="for a test",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF="django_app",
        WSGI_APPLICATION="django_app.application",
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.jinja2.Jinja2",
                "DIRS": [PROJECT / "templates"],
                "OPTIONS": {"extensions": ["pageside.middleware.jinja.PagesideExtension"]},
            }
        ],
    )


def shop(request: HttpRequest) -> HttpResponse:
    return render(request, "shop.html", {"here": "shop", "loaves": LOAVES, "closed": False})


def orders(request: HttpRequest) -> HttpResponse:
    return render(request, "orders.html", {"here": "orders", "orders": ORDERS})


urlpatterns = [path("", shop), path("orders", orders)]
application = PagesideMiddleware(get_wsgi_application(), enabled=settings.DEBUG)

if __name__ == "__main__":
    execute_from_command_line(["django", "runserver", "--noreload", os.environ["PORT"]])
