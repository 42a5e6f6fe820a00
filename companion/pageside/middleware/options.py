"""What can be set: defaults < the middleware's arguments < environment."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from pageside.errors import InvalidArguments
from pageside.middleware.overlay import OverlayOptions, checked_overlay
from pageside.processes.project import project_root
from pageside.settings import default_state_dir, switch

DEFAULT_IDLE_SECONDS = 30.0


class PagesideOptions(TypedDict, total=False):
    """The keyword arguments of every middleware; docs/reference/options.md has them in a table."""

    enabled: bool
    """Whether Pageside takes part at all: say in it how your app knows that it is in development.

    Environment: `PAGESIDE_ENABLED`. Default: `False`.
    """
    project: str | Path
    """Folder that the companion and its queue belong to.

    Environment: `PAGESIDE_PROJECT`. Default: nearest folder upwards with `.git`, else with `package.json`.
    """
    state_dir: str | Path
    """Folder for registry and queue. Environment: `PAGESIDE_STATE_DIR`. Default: the user's state folder."""
    url: str
    """Address of a companion that runs already; none is ever started then. Environment: `PAGESIDE_URL`."""
    command: Sequence[str]
    """Starts a companion; `serve --project …` is added. Default: this very Python, `-P -m pageside`."""
    idle_seconds: float
    """The companion ends after so long without app and agent. Environment: `PAGESIDE_IDLE_SECONDS`. Default: 30."""
    allowed_hosts: Sequence[str]
    """Names by which the app is reached, besides `localhost`; `.example.test` allows all below. Default: none."""
    lan: bool
    """Whether pages on other machines, in containers and behind proxies may use Pageside too: who reaches the app then
    reads and writes the inspections. Environment: `PAGESIDE_LAN`. Default: `False`.
    """
    editor: str
    """Opens a place: `code -g {file}:{line}:{column}`. Environment: `PAGESIDE_EDITOR`."""
    overlay: OverlayOptions
    """How the overlay looks and behaves, until a user has it otherwise in its settings."""


@dataclass(frozen=True, slots=True)
class Options:
    """Every option decided."""

    enabled: bool = False
    project: Path = Path()
    state: Path = Path()
    url: str = ""
    command: tuple[str, ...] = ()
    idle_seconds: float = DEFAULT_IDLE_SECONDS
    allowed_hosts: frozenset[str] = frozenset()
    lan: bool = False
    editor: str = ""
    overlay: str = ""
    """JSON, for the client."""
    page_token: str = ""
    plugin_token: str = ""


def read_options(given: PagesideOptions, environment: Mapping[str, str] = os.environ) -> Options:
    """Raises `InvalidArguments`, which names the option. Of one that is off nothing else is read."""
    for name in given:
        if name not in PagesideOptions.__annotations__:
            known = ", ".join(PagesideOptions.__annotations__)
            raise InvalidArguments(f"There is no option {name!r}; there are {known}.")
    if not is_on(given.get("enabled"), environment):
        return Options()
    state = environment.get("PAGESIDE_STATE_DIR") or given.get("state_dir")
    lan = switch(environment, "PAGESIDE_LAN")
    return Options(
        enabled=True,
        project=project_of(environment, given.get("project")),
        state=Path(state).absolute() if state else default_state_dir(),
        url=environment.get("PAGESIDE_URL") or given.get("url", ""),
        command=tuple(given.get("command", ())),
        idle_seconds=_seconds(environment.get("PAGESIDE_IDLE_SECONDS") or given.get("idle_seconds")),
        allowed_hosts=_names(given.get("allowed_hosts", ())),
        lan=given.get("lan", False) if lan is None else lan,
        editor=_editor(environment.get("PAGESIDE_EDITOR") or given.get("editor", "")),
        overlay=_overlay(given.get("overlay")),
        page_token=environment.get("PAGESIDE_PAGE_TOKEN", ""),
        plugin_token=environment.get("PAGESIDE_PLUGIN_TOKEN", ""),
    )


def is_on(enabled: bool | None, environment: Mapping[str, str] = os.environ) -> bool:
    """The environment decides (`PAGESIDE_ENABLED`), else the app; nobody: off, for this may be production."""
    flag = switch(environment, "PAGESIDE_ENABLED")
    return bool(enabled) if flag is None else flag


def project_of(environment: Mapping[str, str] = os.environ, given: str | Path | None = None) -> Path:
    """The environment decides (`PAGESIDE_PROJECT`), else the app; nobody: found from the current folder."""
    project = environment.get("PAGESIDE_PROJECT") or given
    return _folder(Path(project)) if project else project_root(Path.cwd())


def _folder(folder: Path) -> Path:
    if not folder.is_dir():
        raise InvalidArguments(
            f"'project': the folder {folder} does not exist.", fix="Correct PAGESIDE_PROJECT or the option."
        )
    return folder.resolve()


def _seconds(given: str | float | None) -> float:
    try:
        seconds = DEFAULT_IDLE_SECONDS if given is None else float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e9:
        raise InvalidArguments(f"'idle_seconds': {given!r} is no number of seconds above 0.")
    return seconds


def _names(names: Sequence[str]) -> frozenset[str]:
    if isinstance(names, str):
        raise InvalidArguments("'allowed_hosts' must be a list of names.")
    return frozenset(name.lower() for name in names)


def _overlay(given: OverlayOptions | None) -> str:
    return json.dumps(checked_overlay(given), separators=(",", ":")) if given else ""


def _editor(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidArguments(f"'editor': {command!r} cannot be split as in a shell ({error}).") from None
    if words and not any("{file}" in word for word in words):
        raise InvalidArguments("'editor' must have {file} in it, such as code -g {file}:{line}:{column}.")
    return command
