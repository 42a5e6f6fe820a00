"""What can be configured: defaults < environment < flags.

`VARIABLES` is the one table of environment variables; the help text and the docs are made from it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_state_path

from pageside.contract import CHANNEL

VARIABLES: dict[str, str] = {
    "PAGESIDE_PROJECT": "Project root; by default found from the current folder (.git, package.json).",
    "PAGESIDE_PORT": "First port to try; the next free one is taken when it is in use. Default 6137.",
    "PAGESIDE_STATE_DIR": "Where the queue, the registry and the agent token are kept.",
    "PAGESIDE_TOOLSETS": "Toolsets of agents that name none, separated by commas. Default inspector.",
    "PAGESIDE_LOG": "debug, info, warning or error. Default info.",
}


DEFAULT_TOOLSETS = ("inspector",)


@dataclass(frozen=True, slots=True)
class Settings:
    """One companion's configuration; `exit_when_idle` in seconds, None: stay until stopped."""

    project: Path
    port: int
    state: Path
    exit_when_idle: float | None = None
    log: str = "info"
    port_is_asked: bool = False
    """The port was chosen by flag or environment, so the one of the last run is not tried first."""
    toolsets: tuple[str, ...] = DEFAULT_TOOLSETS
    """What agents get that ask for nothing else."""


def from_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that are set, by name."""
    return {name: environment[name] for name in VARIABLES if environment.get(name)}


def default_state_dir() -> Path:
    """The user's state folder for Pageside, as the platform has it."""
    return user_state_path("pageside", appauthor=False)


DEFAULT_PORT: int = CHANNEL["port"]
