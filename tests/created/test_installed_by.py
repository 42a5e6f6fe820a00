"""The wheel installed and run in each way that the README names, with its dependencies as the index has them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from packages.conftest import Built
from support.installed import (
    Installed,
    check_agent,
    check_commands,
    check_server,
    install,
    installed,
    virtual_environment,
)

pytestmark = pytest.mark.timeout(300)

PIPX, UV = "pipx==1.18.4", "uv==0.13.9"


def by_pip(folder: Path, wheel: Path) -> Installed:
    return installed(folder, wheel, borrowed=False)


def by_pipx_run(folder: Path, wheel: Path) -> Installed:
    program = _runner(folder, PIPX, "pipx")
    command = (str(program), "run", "--spec", str(wheel), "pageside")
    return Installed(command, folder, str(program.parent), {"PIPX_HOME": str(folder / "pipx")})


def by_uvx(folder: Path, wheel: Path) -> Installed:
    program = _runner(folder, UV, "uvx")
    command = (str(program), "--from", str(wheel), "pageside")
    # It passes over the Python of a virtual environment.
    more = {"UV_CACHE_DIR": str(folder / "uv"), "UV_PYTHON": str(Path(sys.executable).resolve())}
    return Installed(command, folder, os.pathsep.join([str(program.parent), str(_tools(folder))]), more)


def _tools(folder: Path) -> Path:
    """A folder for PATH with what the scripts of uv call, and nothing of what else is there."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ("realpath", "dirname"):
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    return tools


def _runner(folder: Path, package: str, name: str) -> Path:
    python, _ = virtual_environment(folder)
    try:
        install(python, package)
    except AssertionError as error:
        if os.environ.get("CI"):
            # What is released is tried in every way.
            raise
        pytest.skip(f"pip finds no {package}: {error}")
    return python.with_name(f"{name}.exe" if os.name == "nt" else name)


@pytest.mark.parametrize("way", [by_pip, by_pipx_run, by_uvx])
async def test_installed_in_any_way_it_runs_without_node(
    way: Callable[[Path, Path], Installed], built: Built, tmp_path: Path
) -> None:
    pageside = way(tmp_path, built.wheel)
    check_commands(pageside)
    await check_server(pageside)
    await check_agent(pageside)
