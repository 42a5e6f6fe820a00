"""The rows of pictures in the SQLite file. Called from the queue's worker thread.

A row holds a picture, or why there is none. They may be lost: nothing but the pictures depends on them.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar, get_args

from pageside.core.pictures import Picture, Source
from pageside.errors import StoreFailed

T = TypeVar("T")

log = logging.getLogger(__name__)

MAX_ROWS = 200
MAX_BYTES = 64 * 1024 * 1024
DROPPED = f"It was dropped: only the newest {MAX_ROWS} pictures are kept, {MAX_BYTES >> 20} MiB in all."

SCHEMA = """
CREATE TABLE IF NOT EXISTS pictures (
  inspection TEXT PRIMARY KEY, taken_at INTEGER NOT NULL, mime TEXT, width REAL, height REAL, scale REAL,
  source TEXT, data BLOB, failure TEXT, left_px REAL, top_px REAL
) STRICT;
"""
_NEWER = ("left_px", "top_px")
"""Columns that files of earlier versions do not have."""
_COLUMNS = "taken_at, mime, width, height, scale, source, data, failure, left_px, top_px"
_PUT = f"INSERT OR REPLACE INTO pictures (inspection, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_TOO_OLD = """
SELECT inspection FROM (
  SELECT inspection,
         ROW_NUMBER() OVER newest AS place,
         SUM(LENGTH(data)) OVER newest AS bytes
  FROM pictures WHERE data IS NOT NULL WINDOW newest AS (ORDER BY taken_at DESC, rowid DESC)
) WHERE place > ? OR bytes > ?
"""
_DROP = (
    "UPDATE pictures SET mime = NULL, width = NULL, height = NULL, scale = NULL, source = NULL, data = NULL,"
    " failure = ? WHERE inspection = ?"
)


class PictureRows:
    """At most 200 pictures and 64 MiB; beyond that the oldest lose theirs."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def open(self, living: Collection[str]) -> dict[str, str | None]:
        """Every inspection of `living` that has a row: why it has no picture, or None where it has one."""
        try:
            return self._read(living)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            log.warning("the pictures of inspections cannot be read (%s), and are given up", error)
            return self._guarded(self._begin_anew)

    def _begin_anew(self) -> dict[str, str | None]:
        self._connection.execute("DROP TABLE pictures")
        self._connection.executescript(SCHEMA)
        return {}

    def _read(self, living: Collection[str]) -> dict[str, str | None]:
        there = {row[1] for row in self._connection.execute("PRAGMA table_info(pictures)")}
        for column in _NEWER:
            if column not in there:
                self._connection.execute(f"ALTER TABLE pictures ADD COLUMN {column} REAL")
        rows = self._connection.execute("SELECT inspection, data IS NULL, failure FROM pictures").fetchall()
        self._delete(inspection for inspection, _, _ in rows if inspection not in living)
        return {
            inspection: failure or DROPPED if is_empty else None
            for inspection, is_empty, failure in rows
            if inspection in living
        }

    def put(self, inspection: str, picture: Picture) -> list[str]:
        """Keep it; returns the inspections that had to give theirs up."""
        size = (picture.width, picture.height, picture.scale)
        values = (picture.taken_at, picture.mime, *size, picture.source, picture.data, None)
        return self._guarded(lambda: self._put((inspection, *values, picture.left, picture.top)))

    def put_failure(self, inspection: str, why: str, now_ms: int) -> None:
        """Keep why there is none."""
        self._guarded(lambda: self._put((inspection, now_ms, *[None] * 6, why, None, None)))

    def _put(self, row: tuple[Any, ...]) -> list[str]:
        self._connection.execute(_PUT, row)
        dropped = [found[0] for found in self._connection.execute(_TOO_OLD, (MAX_ROWS, MAX_BYTES))]
        self._connection.executemany(_DROP, [(DROPPED, inspection) for inspection in dropped])
        return dropped

    def get(self, inspection: str) -> Picture | None:
        """The picture, if there is one that can be read."""
        select = f"SELECT {_COLUMNS} FROM pictures WHERE inspection = ? AND data IS NOT NULL"
        row = self._guarded(lambda: self._connection.execute(select, (inspection,)).fetchone())
        if row is None or row[5] not in get_args(Source):
            return None
        taken_at, mime, width, height, scale, source, data, _, left, top = row
        return Picture(mime, width, height, scale, source, taken_at, data, left or 0.0, top or 0.0)

    def delete(self, inspections: Collection[str]) -> None:
        self._guarded(lambda: self._delete(inspections))

    def _delete(self, inspections: Iterable[str]) -> None:
        rows = [(inspection,) for inspection in inspections]
        self._connection.executemany("DELETE FROM pictures WHERE inspection = ?", rows)

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.Error as error:
            raise StoreFailed(f"The pictures could not be read or written: {error}.") from error
