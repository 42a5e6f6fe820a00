"""What the package indexes would get, built once from the checkout as it is."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.app import REPOSITORY
from support.installed import ran


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


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both Python packages and the tarball, of which `PAGESIDE_DIST` may name a folder; the client is built already."""
    folder = tmp_path_factory.mktemp("dist")
    hatch = (sys.executable, "-m", "hatchling", "build", "-d")
    ran(*hatch, folder / "direct", cwd=REPOSITORY)
    given = os.environ.get("PAGESIDE_DIST")
    if not given:
        (sdist,) = (folder / "direct").glob("*.tar.gz")
        shutil.unpack_archive(sdist, folder / "unpacked", filter="data")
        (unpacked,) = (folder / "unpacked").iterdir()
        ran(*hatch, folder, "-t", "wheel", cwd=unpacked)
        shutil.copy(sdist, folder)
        pack = ("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder)
        ran(*pack, cwd=REPOSITORY / "vite-plugin")
    dist = REPOSITORY / given if given else folder
    (sdist,), (wheel,) = dist.glob("pageside-*.tar.gz"), dist.glob("*.whl")
    (direct,), (tarball,) = (folder / "direct").glob("*.whl"), dist.glob("*.tgz")
    return Built(sdist, wheel, direct, tarball)
