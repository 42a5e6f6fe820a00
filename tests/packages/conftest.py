"""What the package indexes would get, built once from the checkout as it is."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.app import REPOSITORY


@dataclass(frozen=True, slots=True)
class Built:
    """The files of one build."""

    sdist: Path
    wheel: Path
    """Made from the sdist."""
    direct: Path
    """Made from the checkout."""
    tarball: Path
    """The Vite plugin, as npm would publish it."""


def ran(*command: str | Path, cwd: Path, environment: dict[str, str] | None = None) -> str:
    """What it printed; fails with that when it fails."""
    words = [str(each) for each in command]
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both Python packages and the tarball; what is to be in them must have been built before."""
    folder = tmp_path_factory.mktemp("dist")
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir")
    ran(*build, folder, REPOSITORY, cwd=folder)
    ran(*build, folder / "direct", "--wheel", REPOSITORY, cwd=folder)
    pack = ("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder)
    ran(*pack, cwd=REPOSITORY / "vite-plugin")
    (sdist,), (wheel,) = folder.glob("pageside-*.tar.gz"), folder.glob("*.whl")
    (direct,), (tarball,) = (folder / "direct").glob("*.whl"), folder.glob("*.tgz")
    return Built(sdist, wheel, direct, tarball)
