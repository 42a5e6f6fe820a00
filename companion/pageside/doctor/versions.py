"""What runs: Python and what the companion is made of, and the Node of the project."""

from __future__ import annotations

import platform
import re
import shutil
from importlib import metadata

from pageside import __version__
from pageside.core.versions import numbers
from pageside.doctor.asking import aside, output_of
from pageside.doctor.report import Finding, note, ok, problem
from pageside.doctor.sight import Case
from pageside.setup.packages import PLUGIN

NODE = "20.19, or 22.12 and above"
_PACKAGES = ("mcp", "aiohttp")


async def check(case: Case) -> list[Finding]:
    has_package = await aside((case.settings.project / "package.json").is_file)
    return [await aside(_python), await _node(has_package=has_package)]


def _python() -> Finding:
    told = [f"Python {platform.python_version()}", f"pageside {__version__}"]
    old = []
    for name in _PACKAGES:
        found, least = metadata.version(name), _least(name)
        told.append(f"{name} {found}")
        if numbers(found) < numbers(least):
            old.append(f"{name} {found} is older than {least}")
    if old:
        return problem(f"{', '.join(told)}: {', '.join(old)}", "pip install --upgrade pageside")
    return ok(", ".join(told))


def _least(name: str) -> str:
    """The oldest version that we take, by what our own package says."""
    try:
        wanted = metadata.requires("pageside") or []
    except metadata.PackageNotFoundError:
        return ""
    found = (re.match(rf"{name}\b[^;]*>=\s*([\d.]+)", each) for each in wanted)
    return next((each[1] for each in found if each), "")


async def _node(*, has_package: bool) -> Finding:
    path = await aside(shutil.which, "node")
    if path is None:
        missing = "There is no `node` on PATH"
        if has_package:
            return problem(f"{missing}, and the project has a package.json.", f"Install Node {NODE}.")
        return note(f"{missing}; it is needed for Vite alone.")
    version = await output_of([path, "--version"])
    if not version:
        return problem(f"{path} does not say its version.", f"Install Node {NODE}.")
    if not node_fits(version):
        return problem(f"Node {version} at {path} is too old for {PLUGIN}.", f"Install Node {NODE}.")
    return ok(f"Node {version.removeprefix('v')} at {path}")


def node_fits(version: str) -> bool:
    """The plugin's `engines`: ^20.19 or at least 22.12."""
    found = numbers(version)
    return (20, 19) <= found < (21,) or found >= (22, 12)
