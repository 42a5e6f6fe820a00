"""The plugin as a dev dependency, by the package manager that the project uses already."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from pageside import __version__
from pageside.core.jsonc import Unreadable, parse
from pageside.setup.files import Trouble, read, unreadable
from pageside.setup.plan import Command
from pageside.setup.vite import check_vite

PLUGIN = "vite-plugin-pageside"
_LOCKS = {
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
}
_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_ADD = {"npm": ("install", "--save-dev"), "pnpm": ("add", "-D"), "yarn": ("add", "-D"), "bun": ("add", "-d")}
_REMOVE = {"npm": "uninstall", "pnpm": "remove", "yarn": "remove", "bun": "remove"}
_LAST_LINES = 12
_SECONDS = 600


def package_of(folder: Path, root: Path) -> Path | None:
    """The folder of the nearest package.json from there up to the root of the project."""
    return next(iter(_packages(folder, root)), None)


def _upwards(folder: Path, root: Path) -> list[Path]:
    folders = [folder, *folder.parents]
    return folders[: folders.index(root) + 1] if root in folders else folders[:1]


def _packages(folder: Path, root: Path) -> list[Path]:
    """Those whose dependencies can be imported in that folder, nearest first."""
    return [each for each in _upwards(folder, root) if (each / "package.json").is_file()]


def package_json(folder: Path) -> dict[str, Any]:
    """What it says; raises `Trouble` if it cannot be read."""
    source = read(folder / "package.json")
    try:
        data = parse(source.text).root.value
    except Unreadable as error:
        raise unreadable(source.shown, error) from None
    return data if isinstance(data, dict) else {}


def depends_on(package: dict[str, Any], name: str) -> bool:
    fields = (package.get(field) for field in ("dependencies", "devDependencies", "peerDependencies"))
    return any(isinstance(field, dict) and name in field for field in fields)


def plan_install(folder: Path, root: Path, spec: str | None) -> Command | None:
    """The command that adds the plugin to the package in that folder; None where it has it.

    Raises `Trouble`, and `ViteTooOld`: not every manager refuses that, and the config would be edited for nothing.
    """
    packages = [package_json(each) for each in _packages(folder, root)]
    manager, at_root = _manager(folder, root)
    check_vite(folder, packages, " ".join((manager, *_ADD[manager], "vite@latest")))
    if any(depends_on(package, PLUGIN) for package in packages):
        return None
    if shutil.which(manager) is None:
        raise Trouble(f"The project uses {manager}, which is not on PATH: install it, then run this again.")
    workspace = _workspace_flag(manager, folder)
    wanted = spec or f"{PLUGIN}@{__version__}"
    if spec is not None and Path(spec).exists():
        wanted = str(Path(spec).resolve())
    return Command(
        argv=(manager, *_ADD[manager], *workspace, wanted),
        folder=folder,
        undo=(manager, _REMOVE[manager], *workspace, PLUGIN),
        files=(folder / "package.json", *_lock_files(manager, at_root)),
    )


def _manager(folder: Path, root: Path) -> tuple[str, Path]:
    """By `packageManager`, else by the lock file; and the folder where that stands."""
    for each in _upwards(folder, root):
        said = _said_manager(each)
        locked = [manager for lock, manager in _LOCKS.items() if (each / lock).is_file()]
        if said or locked:
            return said or locked[0], each
    return "npm", folder


def _said_manager(folder: Path) -> str:
    if not (folder / "package.json").is_file():
        return ""
    name = str(package_json(folder).get("packageManager", "")).partition("@")[0]
    return name if name in _MANAGERS else ""


def _lock_files(manager: str, folder: Path) -> list[Path]:
    own = [folder / lock for lock, of in _LOCKS.items() if of == manager]
    return [lock for lock in own if lock.is_file()] or own[:1]


def _workspace_flag(manager: str, folder: Path) -> tuple[str, ...]:
    """pnpm and the first yarn want to be told that the root of a workspace is meant."""
    if manager == "pnpm" and (folder / "pnpm-workspace.yaml").is_file():
        return ("-w",)
    lock = folder / "yarn.lock"
    if manager == "yarn" and "workspaces" in package_json(folder) and lock.is_file():
        return ("-W",) if "# yarn lockfile v1" in lock.read_text("utf-8", "replace")[:500] else ()
    return ()


def run(argv: tuple[str, ...], folder: Path) -> None:
    """Run it to its end; raises `Trouble` with its last lines if it fails."""
    program = shutil.which(argv[0])
    said = " ".join(argv)
    if program is None:
        raise Trouble(f"`{said}` cannot run: {argv[0]} is not on PATH.")
    try:
        done = subprocess.run(
            [program, *argv[1:]],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Trouble(f"`{said}` did not end: {error}") from None
    if done.returncode != 0:
        lines = done.stdout.decode("utf-8", "replace").strip().splitlines()[-_LAST_LINES:]
        told = "".join(f"\n    {line}" for line in lines)
        raise Trouble(f"`{said}` failed with exit code {done.returncode}:{told}")
