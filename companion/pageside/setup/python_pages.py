"""Pages that Python serves: how they are found, and the lines that connect them (as in `docs/python-pages.md`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pageside.core.nested import below

_JINJA = "from pageside.middleware.jinja import PagesideExtension\n"
LINES = {
    "Flask": _JINJA
    + """from pageside.middleware.wsgi import PagesideMiddleware

app.jinja_env.add_extension(PagesideExtension)
app.wsgi_app = PagesideMiddleware(app.wsgi_app, enabled=app.debug)
""",
    "FastAPI or Starlette": """from pageside.middleware.asgi import PagesideMiddleware
"""
    + _JINJA
    + """
templates.env.add_extension(PagesideExtension)  # templates = Jinja2Templates("templates")
app.add_middleware(PagesideMiddleware, enabled=app.debug)
""",
    "Django": """from django.conf import settings
from pageside.middleware.wsgi import PagesideMiddleware

application = PagesideMiddleware(get_wsgi_application(), enabled=settings.DEBUG)

# settings.py
JINJA2 = "django.template.backends.jinja2.Jinja2"
EXTENSIONS = ["pageside.middleware.jinja.PagesideExtension"]
TEMPLATES = [{"BACKEND": JINJA2, "DIRS": ["templates"], "OPTIONS": {"extensions": EXTENSIONS}}]
""",
    "aiohttp": """from pageside.middleware.aiohttp import setup
"""
    + _JINJA
    + """
pages = Environment(loader=FileSystemLoader("templates"), extensions=[PagesideExtension])
setup(app, enabled=True)  # where the app is started for development
""",
}
_PACKAGES = {
    "flask": "Flask",
    "fastapi": "FastAPI or Starlette",
    "starlette": "FastAPI or Starlette",
    "django": "Django",
    "aiohttp": "aiohttp",
}
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


def find_python_pages(folder: Path) -> list[str]:
    """The frameworks that the project says it needs, by the keys of `LINES`."""
    names = {name.lower().replace("_", "-") for name in _requirements(folder)}
    return list(dict.fromkeys(title for package, title in _PACKAGES.items() if package in names))


def to_paste(title: str) -> str:
    """The lines for that framework, below a line that says where they go."""
    lines = "".join(f"\n    {line}".rstrip(" ") for line in LINES[title].rstrip().splitlines())
    return f"If {title} serves pages here, connect it where the app is made:{lines}"


def _requirements(folder: Path) -> Iterator[str]:
    for file in sorted(folder.glob("requirements*.txt")):
        yield from _names(_read(file).splitlines())
    try:
        project = tomllib.loads(_read(folder / "pyproject.toml"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    yield from _names(below(project, "project", "dependencies"))
    for group in (below(project, "project", "optional-dependencies"), below(project, "dependency-groups")):
        for listed in group.values() if isinstance(group, dict) else ():
            yield from _names(listed)
    poetry = below(project, "tool", "poetry", "dependencies")
    yield from poetry if isinstance(poetry, dict) else ()


def _names(listed: Any) -> Iterator[str]:
    for each in listed if isinstance(listed, list) else ():
        found = _NAME.match(each) if isinstance(each, str) else None
        if found is not None:
            yield found[1]


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        # What is not there, or may not be read, says nothing about the project.
        return ""
