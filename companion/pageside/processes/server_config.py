"""What a project says about its dev servers, and where on this machine they are. Everything here blocks."""

from __future__ import annotations

import os
import shutil
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from pageside.core.server_commands import Argv, commands_in
from pageside.errors import InvalidArguments
from pageside.processes.state import read_json


@dataclass(frozen=True, slots=True)
class Permitted:
    """Scripts and commands of the project, and what is wrong with its lists."""

    scripts: frozenset[str]
    listed: tuple[Argv, ...]
    complaints: tuple[str, ...]


def server_folder(project: Path, named: str | None) -> Path:
    """Where a server shall run; raises `InvalidArguments` for a place outside the project, or that is no folder."""
    root = project.resolve()
    if named is not None and "\0" in named:
        raise InvalidArguments("'cwd': has a NUL character.", data={"argument": "cwd"})
    folder, is_there = _followed(root, named or ".")
    if not folder.is_relative_to(root):
        raise InvalidArguments(
            f"'cwd': {named!r} is outside the project.",
            data={"argument": "cwd"},
            fix=f"Name a folder in {root}.",
        )
    if not is_there:
        raise InvalidArguments(
            f"'cwd': there is no folder {named!r}.", data={"argument": "cwd"}, fix=f"Name a folder in {root}."
        )
    return folder


def _followed(root: Path, named: str) -> tuple[Path, bool]:
    """Where that is, links followed first so that none leads out; and whether there is a folder."""
    try:
        folder = (root / named).resolve()
        return folder, folder.is_dir()
    except (OSError, RuntimeError, ValueError):
        # A link to itself, a name that is too long, or one that no file system writes.
        return root / "nowhere", False


def permitted(project: Path, folder: Path) -> Permitted:
    """The scripts that a package manager finds from that folder, and the project's own list of commands."""
    root = project.resolve()
    scripts, complaints = _scripts(root, folder)
    pyproject = _pyproject(root, complaints)
    listed: list[Argv] = []
    for file, data in (
        ("package.json", (read_json(root / "package.json") or {}).get("pageside")),
        ("pyproject.toml", _table(pyproject.get("tool"), "pageside")),
    ):
        value = data.get("servers") if isinstance(data, dict) else None
        commands = commands_in(value) if value is not None else []
        if commands is None:
            complaints.append(f"'servers' of pageside in {file} is no list of lists of texts")
        listed += commands or []
    return Permitted(scripts, tuple(listed), tuple(complaints))


def _scripts(root: Path, folder: Path) -> tuple[frozenset[str], list[str]]:
    """Of the nearest package.json, as package managers look for it, not above the project; and complaints about it."""
    for place in (folder, *folder.parents):
        file = place / "package.json"
        package = read_json(file)
        if package is not None:
            scripts = package.get("scripts")
            return frozenset(scripts) if isinstance(scripts, dict) else frozenset(), []
        if os.path.exists(file):
            return frozenset(), [f"{file} cannot be read as JSON"]
        if place == root:
            break
    return frozenset(), []


def _pyproject(root: Path, complaints: list[str]) -> dict[str, Any]:
    file = root / "pyproject.toml"
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        complaints.append(f"{file} cannot be read as TOML")
        return {}


def _table(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def find_command(command: str, folder: Path) -> str:
    """The program's path, as the system would find it from that folder; raises `InvalidArguments` if it would not."""
    has_folder = os.sep in command or "/" in command
    found = shutil.which(str(folder / command) if has_folder else command)
    if found is None:
        if has_folder and os.path.isfile(folder / command):
            raise InvalidArguments(
                f"'command': {command!r} is there, but may not be executed.",
                data={"argument": "command"},
                fix=f"Make it executable (chmod +x {command}), or start the program that runs such files.",
            )
        where = str(folder) if has_folder else "any folder of PATH"
        raise InvalidArguments(
            f"'command': there is no program {command!r} in {where}.",
            data={"argument": "command"},
            fix="Check its name; a package's own program is run by a script of package.json, or by npx.",
        )
    return str(Path(found).absolute())


def who_listens(port: int) -> str:
    """A program that has that TCP port on this machine, as far as this user may know; else empty."""
    with suppress(psutil.Error, OSError):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr[1:] == (port,) and connection.pid:
                process = psutil.Process(connection.pid)
                return f"{process.name()} (pid {process.pid}: {' '.join(process.cmdline())[:200]})"
    return ""
