"""The state folder of one project: private files, written whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
import stat
from pathlib import Path
from typing import Any

from pageside.errors import StoreFailed
from pageside.processes.project import project_id


def project_state(state: Path, project: Path) -> Path:
    """The project's folder below `state`, made with mode 0700; refuses one that others can write."""
    folder = state / project_id(project)
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.mkdir(exist_ok=True, mode=0o700)
        _check_private(folder)
    except OSError as error:
        raise StoreFailed(f"The state folder {folder} cannot be used: {error.strerror}.") from error
    return folder


def _check_private(folder: Path) -> None:
    if os.name == "nt":
        return
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise StoreFailed(f"The state folder {folder} is a link or belongs to another user.")
    if status.st_mode & 0o077:
        folder.chmod(0o700)


def write_private(path: Path, data: dict[str, Any]) -> None:
    """Write JSON with mode 0600: on disk as a whole, or the old file stays; raises `StoreFailed`."""
    text = json.dumps(data, indent=1).encode()
    try:
        _replace(path, text)
    except OSError as error:
        raise StoreFailed(f"{path} cannot be written: {error.strerror}.") from error


def _replace(path: Path, text: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in the file, or None if there is none that can be read."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def agent_token(folder: Path) -> str:
    """The project's agent token; made at first, kept over restarts so that agents stay connected."""
    path = folder / "agent-token"
    known = (read_json(path) or {}).get("token")
    if isinstance(known, str) and len(known) >= 32:
        return known
    token = secrets.token_urlsafe(32)
    write_private(path, {"token": token})
    return token
