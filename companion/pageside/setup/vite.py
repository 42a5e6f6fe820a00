"""The project's Vite: which one it is, and whether the plugin works with it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pageside.core.versions import major_of_range, numbers
from pageside.errors import ViteTooOld

LEAST_VITE = 7
"""As in the plugin's `peerDependencies`."""


def check_vite(folder: Path, packages: Iterable[dict[str, Any]], update: str) -> None:
    """Raises `ViteTooOld` where the plugin cannot work; what is not known is left to the package manager.

    `packages`: the package.json files whose dependencies count, nearest first; `update`: what gets a newer Vite.
    """
    found = installed_version(folder, "vite")
    if found is not None and numbers(found):
        is_old, told = is_too_old(found), f"Vite {found} is installed for {folder}"
    else:
        wanted = next((each for each in map(_wanted, packages) if each is not None), None)
        major = major_of_range(wanted)
        is_old, told = major is not None and major < LEAST_VITE, f"{folder} wants Vite {wanted}"
    if is_old:
        raise ViteTooOld(
            f"{told}, and the plugin works with Vite {LEAST_VITE} and above. Nothing was changed.",
            fix=f"Update Vite in that folder (`{update}`; where a framework brings it, update the framework),"
            " then run this again; or connect the agents alone: `pageside setup --no-plugin`.",
        )


def is_too_old(version: str) -> bool:
    """Whether the plugin is not made for that version of Vite; False for what is none."""
    return () < numbers(version) < (LEAST_VITE,)


def installed_version(folder: Path, name: str) -> str | None:
    """That of the package which Node would find from that folder; `unreadable` if it does not say one."""
    for each in (folder, *folder.parents):
        file = each / "node_modules" / name / "package.json"
        if file.is_file():
            return _version(file)
    return None


def _version(file: Path) -> str:
    try:
        data: Any = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return "unreadable"
    return str(data.get("version")) if isinstance(data, dict) else "unreadable"


def _wanted(package: dict[str, Any]) -> object:
    fields = (package.get(field) for field in ("devDependencies", "dependencies"))
    return next((field["vite"] for field in fields if isinstance(field, dict) and "vite" in field), None)
