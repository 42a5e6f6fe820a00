"""Which command an agent's file gets, so that it starts `pageside stdio` from wherever the agent does."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pageside import __version__
from pageside.core.agent_files import Agent

Argv = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Starters:
    """The ways to start it, best first: those that work for everybody, and those with paths of this machine."""

    shared: tuple[Argv, ...]
    own: tuple[Argv, ...]

    def of(self, agent: Agent) -> tuple[Argv, ...]:
        """Those that fit the agent's file: one that a team has in common names no path of one machine if it can."""
        return self.shared or self.own if agent.is_shared else self.own or self.shared


def find_starters() -> Starters:
    """Those of this machine. An installation in an environment of the project counts for its own paths only."""
    installed = _outside_environments("pageside")
    shared: list[Argv] = [("pageside", "stdio")] if installed else []
    runners: list[Argv] = []
    for program, argv in (
        ("uvx", ("uvx", f"pageside@{__version__}", "stdio")),
        ("pipx", ("pipx", "run", "--spec", f"pageside=={__version__}", "pageside", "stdio")),
    ):
        if found := _outside_environments(program):
            shared.append(argv)
            runners.append((found, *argv[1:]))
    own = [(installed, "stdio")] if installed else [] if _is_passing(sys.prefix) else [_this_one()]
    return Starters(tuple(shared), tuple(own or runners or [_this_one()]))


def _this_one() -> Argv:
    script = Path(sys.executable).with_name("pageside.exe" if os.name == "nt" else "pageside")
    return (str(script), "stdio") if script.is_file() else (sys.executable, "-P", "-m", "pageside", "stdio")


def _outside_environments(program: str) -> str | None:
    """Its path, unless only a virtual environment that happens to be active has it."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    lasting = [each for each in folders if each and not (Path(each).parent / "pyvenv.cfg").is_file()]
    return shutil.which(program, path=os.pathsep.join(lasting))


def _is_passing(prefix: str) -> bool:
    """Whether uvx or pipx made this environment for one run."""
    parts = Path(prefix).parts
    return "archive-v0" in parts or "environments-v2" in parts or _has(parts, "pipx", ".cache", "cache")


def _has(parts: Sequence[str], name: str, *around: str) -> bool:
    return name in parts and any(each in parts for each in around)
