"""Which folder is the project, and its id: the same rule as in `vite-plugin/src/companion/project.ts`."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path, PurePath

from pageside.contract import CHANNEL


def project_root(start: Path, home: Path | None = None) -> Path:
    """The nearest ancestor-or-self of `start` with `.git`, else with `package.json`, else `start`.

    Below the home folder, the home folder itself and what is above it do not count.
    """
    start = start.resolve()
    home = (home or Path.home()).resolve()
    ancestors = [start, *start.parents]
    if home in start.parents:
        ancestors = [folder for folder in ancestors if home in folder.parents]
    for mark in (".git", "package.json"):
        for folder in ancestors:
            if (folder / mark).exists():
                return folder
    return start


def project_id(root: PurePath) -> str:
    """16 hex digits that name the project's folder in the state folder."""
    digest = hashlib.sha256(os.fsencode(root.as_posix())).hexdigest()
    return digest[: CHANNEL["registry"]["hashChars"]]
