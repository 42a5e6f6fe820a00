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

from pageside.core.inspections import is_item
from pageside.errors import StoreFailed
from pageside.store import picture_rows

log = logging.getLogger(__name__)

_VERSION = 2
"""1 had no pictures. What is new comes with `IF NOT EXISTS`, so that an older file grows into this one."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS inspections (id TEXT PRIMARY KEY, rev INTEGER NOT NULL, item TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS changes (change TEXT PRIMARY KEY, at INTEGER NOT NULL, result TEXT NOT NULL) STRICT;
"""
_INSERT = "INSERT OR REPLACE INTO inspections (id, rev, item) VALUES (?, ?, ?)"
_FORGET = "DELETE FROM inspections WHERE id = ?"
_CHANGE_MEMORY_MS = 14 * 24 * 3600 * 1000
"""How long a page may be offline and still have its changes applied exactly once."""


_CIRCUMSTANCES = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
    }
)
"""Errors that tell of the disk or of another process, not of the file."""


class Database:
    """Opens the file. A damaged one is kept aside, `damaged` says where, and what it still tells is taken over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damaged: Path | None = None
        self.items: list[dict[str, Any]] = []
        """All items when the file was opened, deleted ones included, in no order."""
        try:
            self._connection = self._open_whole()
            self.pictures = picture_rows.PictureRows(self._connection)
            living = {item["id"] for item in self.items if item["status"] != "deleted"}
            self.known_pictures = self.pictures.open(living)
            """Which inspections have a row there, as `PictureRows.open` tells."""
        except (OSError, sqlite3.Error) as error:
            raise StoreFailed(f"{path.name} cannot be opened: {error}.") from error

    def _open_whole(self) -> sqlite3.Connection:
        try:
            connection = self._open()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if not self._is_damage(error):
                raise
            return self._open_anew(str(error))
        self.items, unreadable = _read(connection)
        if not unreadable:
            return connection
        connection.close()
        return self._open_anew(f"{unreadable} inspections cannot be read")

    def _is_damage(self, error: sqlite3.Error | UnicodeDecodeError) -> bool:
        # A message that is not UTF-8 quotes the file.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code == sqlite3.SQLITE_READONLY:
            return os.access(self._path, os.W_OK)
        return code not in _CIRCUMSTANCES

    def _open_anew(self, why: str) -> sqlite3.Connection:
        self.damaged = self._put_aside()
        log.warning("the queue was damaged (%s): it is kept as %s", why, self.damaged.name)
        connection = self._open()
        connection.executemany(_INSERT, map(_row, self.items))
        return connection

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
            connection.executescript(_SCHEMA + picture_rows.SCHEMA)
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

    def result_of(self, change: str) -> dict[str, Any] | None:
        """What was answered to this change, if it was applied before."""
        try:
            row = self._connection.execute(
                "SELECT CAST(result AS BLOB) FROM changes WHERE change = ?", (change,)
            ).fetchone()
        except sqlite3.Error as error:
            raise StoreFailed(f"The queue could not be read: {error}.") from error
        result = None if row is None else _parsed(row[0])
        return result if isinstance(result, dict) else None

    def write(
        self,
        items: Sequence[dict[str, Any]],
        change: str | None = None,
        result: dict[str, Any] | None = None,
        now_ms: int = 0,
        *,
        forgotten: Sequence[str] = (),
    ) -> None:
        """Write all items, and the change they come from, in one transaction; on disk when this returns.

        The items of the ids in `forgotten` are gone then.
        """
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(_INSERT, map(_row, items))
                self._connection.executemany(_FORGET, ((inspection,) for inspection in forgotten))
                if change is not None:
                    self._remember(change, result, now_ms)
                self._connection.execute("COMMIT")
            except BaseException:
                # SQLite has rolled back by itself when the disk is full.
                if self._connection.in_transaction:
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


def _row(item: dict[str, Any]) -> tuple[str, int, str]:
    return item["id"], item["rev"], json.dumps(item)


def _read(connection: sqlite3.Connection) -> tuple[list[dict[str, Any]], int]:
    """(the items, how many rows hold none)."""
    # As bytes: a text that is not UTF-8 would end the whole query.
    rows = connection.execute("SELECT CAST(item AS BLOB) FROM inspections").fetchall()
    items = [value for value in (_parsed(row[0]) for row in rows) if is_item(value)]
    return items, len(rows) - len(items)


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None
