"""The SQLite file of one project's inspections; the only door to sqlite3. Called from one worker thread.

Acknowledged means on disk: WAL with `synchronous=FULL` syncs at every commit.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pageside.errors import StoreFailed

log = logging.getLogger(__name__)

_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS inspections (id TEXT PRIMARY KEY, rev INTEGER NOT NULL, item TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS changes (change TEXT PRIMARY KEY, at INTEGER NOT NULL, result TEXT NOT NULL) STRICT;
"""
_CHANGE_MEMORY_MS = 14 * 24 * 3600 * 1000
"""How long a page may be offline and still have its changes applied exactly once."""


class Database:
    """Opens the file, or keeps a damaged one aside and starts anew (`damaged` then says where)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damaged: Path | None = None
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise StoreFailed(f"{path.name} cannot be opened: {error}.") from error
            self.damaged = self._put_aside()
            log.warning("the queue was damaged (%s): it is kept as %s", error, self.damaged.name)
            self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        if self._path.is_symlink():
            raise StoreFailed(f"{self._path.name} is a symbolic link; it is not followed.")
        if not self._path.exists():
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA busy_timeout=2000")
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise sqlite3.DatabaseError("quick_check failed")
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found > _VERSION:
                raise StoreFailed(f"{self._path.name} was written by a newer Pageside (format {found}).")
            connection.executescript(_SCHEMA)
            connection.execute(f"PRAGMA user_version={_VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _put_aside(self) -> Path:
        aside = self._path.with_name(f"{self._path.name}.corrupt-{int(time.time() * 1000)}")
        os.replace(self._path, aside)
        for suffix in ("-wal", "-shm"):
            journal = self._path.with_name(self._path.name + suffix)
            if journal.exists():
                os.replace(journal, aside.with_name(aside.name + suffix))
        return aside

    def load(self) -> list[dict[str, Any]]:
        """All items, deleted ones included, in no order."""
        rows = self._connection.execute("SELECT item FROM inspections").fetchall()
        return [json.loads(row[0]) for row in rows]

    def result_of(self, change: str) -> dict[str, Any] | None:
        """What was answered to this change, if it was applied before."""
        row = self._connection.execute("SELECT result FROM changes WHERE change = ?", (change,)).fetchone()
        return None if row is None else json.loads(row[0])

    def write(
        self,
        items: Sequence[dict[str, Any]],
        change: str | None = None,
        result: dict[str, Any] | None = None,
        now_ms: int = 0,
    ) -> None:
        """Write all items, and the change they come from, in one transaction; on disk when this returns."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(
                    "INSERT OR REPLACE INTO inspections (id, rev, item) VALUES (?, ?, ?)",
                    [(item["id"], item["rev"], json.dumps(item)) for item in items],
                )
                if change is not None:
                    self._remember(change, result, now_ms)
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StoreFailed(f"The queue could not be written: {error}.") from error

    def _remember(self, change: str, result: dict[str, Any] | None, now_ms: int) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO changes (change, at, result) VALUES (?, ?, ?)",
            (change, now_ms, json.dumps(result)),
        )
        self._connection.execute("DELETE FROM changes WHERE at < ?", (now_ms - _CHANGE_MEMORY_MS,))

    def close(self) -> None:
        """Checkpoint and close; the file then stands alone."""
        self._connection.close()
