"""Files of others: read as they are, and written whole, with their mode, or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from pageside.core.jsonc import Unreadable


class Trouble(Exception):
    """Why a file or a step is left out, in words for whoever runs the set-up; the others go on."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it is: `shown` as it was named, `path` where its content is, links followed."""

    shown: Path
    path: Path
    content: bytes | None

    @property
    def text(self) -> str:
        """Its text, empty if there is none; raises `Trouble` for what is not UTF-8."""
        try:
            return (self.content or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            before = (self.content or b"")[: error.start].decode("utf-8")
            raise unreadable(self.shown, Unreadable(before, len(before), "this is not UTF-8")) from None


def unreadable(shown: Path, error: Unreadable) -> Trouble:
    return Trouble(
        f"{shown} cannot be read: line {error.line}, column {error.column}: {error.why}. It is left alone."
    )


def read(shown: Path) -> Source:
    """The file, or that there is none; raises `Trouble` for what is no file or may not be changed."""
    try:
        path = shown.resolve()
        if path.exists() and not path.is_file():
            raise Trouble(f"{shown} is no file. It is left alone.")
        content = path.read_bytes() if os.path.lexists(path) else None
        _check_ours(shown, path, content is not None)
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else "its links lead in a circle"
        raise Trouble(f"{shown} cannot be read: {why}. It is left alone.") from None
    return Source(shown, path, content)


def _check_ours(shown: Path, path: Path, is_there: bool) -> None:
    folder = next(each for each in path.parents if each.exists())
    if is_there:
        status = path.stat()
        if os.name != "nt" and status.st_uid != os.getuid():
            raise Trouble(f"{shown} belongs to another user (uid {status.st_uid}). It is left alone.")
    for place in (path, folder) if is_there else (folder,):
        if not place.stat().st_mode & stat.S_IWUSR or not os.access(place, os.W_OK):
            raise Trouble(f"{shown} cannot be changed: {place} is read-only. It is left alone.")


def write(path: Path, content: bytes) -> list[Path]:
    """Write it whole, with the mode that it has; the folders that were made for it, outermost first."""
    made = [folder for folder in reversed(path.parents) if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(
            temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        remove_empty(made)
        raise
    return made


def remove_empty(folders: list[Path]) -> None:
    """Those of them, innermost first, that have nothing in them."""
    for folder in reversed(folders):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
