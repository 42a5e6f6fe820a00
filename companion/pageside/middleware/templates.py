"""The templates that this process has marked, for whoever is asked about a place in one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from pageside.core.template_marks import Scan
from pageside.middleware.options import is_on, project_of

Reader = Callable[[str, str | None], Scan | None]
"""Scans the source of a template, by its name if it has one; None for one that has errors."""

_LOCK = threading.Lock()
_PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Seen:
    """A template that was marked."""

    name: str
    read: Reader


@dataclass(frozen=True, slots=True)
class Use:
    """One template that names another: `{% include %}`, `{% extends %}`, `{% import %}`, `{% from %}`."""

    name: str
    file: Path
    line: int


Users = Callable[[str], Sequence[Use] | None]
"""The uses of the template of that name; None where the templates cannot be listed."""


class Templates:
    """What the Jinja2 extension and the middleware of a process know together."""

    def __init__(self) -> None:
        self._project: Path | None = None
        self._seen: dict[Path, Seen] = {}
        self._reader: Reader | None = None
        self._users: list[Users] = []
        self._prepare: list[Callable[[], None]] = []

    def turn_on(self, project: Path) -> None:
        """A middleware is on: templates are marked from now on."""
        self._project = project

    def project(self) -> Path | None:
        """The project whose templates are marked; None while nothing is marked."""
        if self._project is None and is_on(None):
            self._project = project_of()
        return self._project

    def prepare(self) -> None:
        """A page is asked for: templates are about to be read."""
        for each in list(self._prepare):
            each()

    def add_environment(self, read: Reader, users: Users, prepare: Callable[[], None]) -> None:
        """There is one more place where templates come from; `prepare` is called before each page."""
        with _LOCK:
            self._reader = self._reader or read
            self._users.append(users)
            self._prepare.append(prepare)

    def saw(self, file: Path, name: str, read: Reader) -> None:
        """A template was marked."""
        with _LOCK:
            self._seen[file] = Seen(name, read)

    def seen(self, file: Path) -> Seen | None:
        return self._seen.get(file)

    def reader_of(self, file: Path) -> Reader | None:
        """How the file is read; another process may have marked it."""
        seen = self._seen.get(file)
        return seen.read if seen else self._reader

    def users_of(self, name: str) -> list[Use] | None:
        """Where the template is used, in all environments that can list theirs."""
        found = [users(name) for users in self._users]
        known = [uses for uses in found if uses is not None]
        return list(dict.fromkeys(use for uses in known for use in uses)) if known else None


TEMPLATES = Templates()
"""One for each process: an extension is made by Jinja2, which passes nothing on."""


def shown(file: PurePath, project: PurePath) -> str:
    """Relative to the project where it lies in it, with `/` between the parts."""
    return (file.relative_to(project) if file.is_relative_to(project) else file).as_posix()


def package_of(file: PurePath) -> str | None:
    """The installed package that a file belongs to, or None for the developer's own."""
    parts = file.parts
    for index in range(len(parts) - 2, -1, -1):
        if parts[index] in _PACKAGES:
            return parts[index + 1].removesuffix(".py")
    return None
