"""Whether a queue can be read, without opening it as a companion does: nothing is made, mended or put aside."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

SECONDS = 1.0


def quick_check(path: Path) -> str:
    """'' if SQLite finds the file whole, else why not."""
    alone = not path.with_name(f"{path.name}-wal").exists()
    # Without a journal nobody writes; a plain read would then make one.
    address = f"{path.absolute().as_uri()}?{'immutable=1' if alone else 'mode=ro'}"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=SECONDS)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
            connection.execute("SELECT count(*) FROM inspections").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return "" if found == ("ok",) else str(found and found[0])
