"""Changes as pages send them, and a disk that is full."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]


def create(inspection: str, description: str = "Make it green", **item: Any) -> Json:
    """The user notes something."""
    return _change("create", item={"id": inspection, "description": description, **item})


def restore(inspection: str, **item: Any) -> Json:
    """A page brings back what the companion does not know."""
    raw = {"id": inspection, "description": "Restored", "status": "pending", "rev": 1, **item}
    return _change("create", item=raw, restore=True)


def edit(inspection: str, description: object) -> Json:
    return _change("edit", inspection=inspection, description=description)


def set_status(inspection: str, status: object, **more: Any) -> Json:
    return _change("status", inspection=inspection, status=status, **more)


def reply(inspection: str, text: object, **more: Any) -> Json:
    return _change("reply", inspection=inspection, text=text, **more)


def accept(inspection: str) -> Json:
    return _change("accept", inspection=inspection)


def order(inspection: str, place: object) -> Json:
    return _change("order", inspection=inspection, order=place)


def _change(kind: str, **fields: Any) -> Json:
    return {"change": secrets.token_urlsafe(8), "at": 1, "kind": kind, **fields}


def on_disk(path: Path) -> dict[str, Json]:
    """What another process would find in the file now, by id."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        rows = connection.execute("SELECT id, item FROM inspections").fetchall()
    finally:
        connection.close()
    return {inspection: json.loads(item) for inspection, item in rows}


@contextmanager
def unprivileged() -> Iterator[None]:
    """Folders that nobody may write to cannot be written to by root either while it lasts."""
    root = os.geteuid() == 0
    try:
        if root:
            os.seteuid(65534)
        yield
    finally:
        if root:
            os.seteuid(0)


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process can be written while it lasts."""
    resource = pytest.importorskip("resource", reason="limits on file sizes are POSIX")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
