"""What to call a source file: a path in the project where it is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

_WEBPACK = re.compile(r"webpack://[^/]*/(?:\./)?")
_LOCAL = ("", "file")
_MODULES = "/node_modules/"


@dataclass(frozen=True, slots=True)
class Authored:
    """Shortens the URLs of sources; `project` is the project's root, `origin` that of the page (`https://host:port`)."""

    project: PurePath
    origin: str

    def short(self, url: str) -> str:
        """The path in the project; else the path on the page's own server; else the URL without its query."""
        if re.match(r"[A-Za-z]:[\\/]", url):
            url = "/" + url.replace("\\", "/")
        try:
            parts = urlsplit(_WEBPACK.sub("", url, count=1))
        except ValueError:
            return url
        if parts.scheme not in (*_LOCAL, "http", "https"):
            return url
        path = unquote(parts.path).removeprefix("/@fs")
        inside = self._inside(path)
        if inside is not None:
            return inside
        if _MODULES in path:
            # Of a package it says enough where it is installed, which may be far above the project.
            return path[path.rindex(_MODULES) + 1 :]
        if parts.scheme in _LOCAL:
            return path or url
        if f"{parts.scheme}://{parts.netloc}" == self.origin:
            return path.lstrip("/") or url
        return url.partition("?")[0].partition("#")[0]

    def _inside(self, path: str) -> str | None:
        root = self.project.as_posix().rstrip("/")
        root = root if root.startswith("/") else f"/{root}"
        return path[len(root) + 1 :] if path.startswith(f"{root}/") and len(root) > 1 else None
