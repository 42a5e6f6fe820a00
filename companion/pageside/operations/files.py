"""Files that agents name: only in the project, or in the system's folder for temporary files."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from pageside.errors import InvalidArguments
from pageside.operations.world import World

MAX_UPLOAD_BYTES = 200_000_000


def output_path(world: World, named: str, suffixes: Sequence[str]) -> Path:
    """Where to write; raises `InvalidArguments` for another place or kind of file. Blocks."""
    path = _inside(world, named, "filePath")
    if path.suffix.lower() not in suffixes:
        raise InvalidArguments(
            f"'filePath': {named!r} does not end with {' or '.join(suffixes)}.",
            data={"argument": "filePath", "allowed": list(suffixes)},
        )
    if path.is_dir():
        raise InvalidArguments(f"'filePath': {named!r} is a folder.", data={"argument": "filePath"})
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def input_path(world: World, named: str) -> Path:
    """An existing file to read; raises `InvalidArguments`. Blocks."""
    path = _inside(world, named, "filePath")
    if not path.is_file():
        raise InvalidArguments(f"'filePath': there is no file {named!r}.", data={"argument": "filePath"})
    if path.stat().st_size > MAX_UPLOAD_BYTES:
        raise InvalidArguments(
            f"'filePath': {named!r} is over {MAX_UPLOAD_BYTES} bytes.", data={"argument": "filePath"}
        )
    return path


def _inside(world: World, named: str, argument: str) -> Path:
    """Links are followed first, so that none leads out."""
    path = (world.project / Path(named).expanduser()).resolve()
    roots = [world.project.resolve(), Path(tempfile.gettempdir()).resolve()]
    if not any(path.is_relative_to(root) for root in roots):
        raise InvalidArguments(
            f"'{argument}': {named!r} is outside the project.",
            data={"argument": argument},
            fix=f"Name a file in {world.project}, or in {roots[1]}.",
        )
    return path
