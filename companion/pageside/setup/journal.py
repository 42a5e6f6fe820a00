"""What set-ups have done in a project, kept until it is undone: written down before it is done."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

from pageside.errors import StoreFailed
from pageside.processes.state import project_state, read_json, write_private
from pageside.setup.plan import Change, Command

_FILE = "setup.json"

Record = dict[str, Any]


class Journal:
    """Newest last. Of each file it has the bytes from before and the hash of those after."""

    def __init__(self, state: Path, root: Path) -> None:
        self._path = project_state(state, root) / _FILE
        found = (read_json(self._path) or {}).get("records", [])
        if not isinstance(found, list):
            raise StoreFailed(f"{self._path} is not what a set-up writes; it is left alone.")
        self.records: list[Record] = found

    def will_change(self, change: Change) -> Record:
        """Noted, before it is written; `folders` are those that are made for it."""
        return self._note(
            {
                "kind": "file",
                "what": change.what,
                "path": str(change.source.path),
                "before": packed(change.source.content),
                "after": fingerprint(change.after),
                "folders": [],
                "how": change.how,
            }
        )

    def will_run(self, command: Command, before: dict[Path, bytes | None]) -> Record:
        files = [{"path": str(path), "before": packed(content)} for path, content in before.items()]
        undo, folder = list(command.undo), str(command.folder)
        return self._note({"kind": "command", "undo": undo, "folder": folder, "files": files})

    def _note(self, record: Record) -> Record:
        self.records.append(record)
        self.save()
        return record

    def forget(self, record: Record) -> None:
        self.records.remove(record)
        self.save()

    def save(self) -> None:
        if self.records:
            write_private(self._path, {"records": self.records})
        else:
            self._path.unlink(missing_ok=True)


def packed(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


def unpacked(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


def fingerprint(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()


def content_of(path: Path) -> bytes | None:
    """The file's bytes, or None if there is none; raises `OSError`."""
    return path.read_bytes() if path.is_file() else None
