"""What set-ups did, taken back, newest first: the bytes from before, or only our part where others have been there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pageside.core import jsonc, jsonc_edit, toml_edit
from pageside.core.jsonc import Unreadable
from pageside.core.jsonc_edit import Added, NotEditable
from pageside.setup import packages
from pageside.setup.files import Source, Trouble, read, remove_empty, unreadable, write
from pageside.setup.journal import Journal, Record, content_of, fingerprint, unpacked
from pageside.setup.plan import shown_path

Say = Callable[[str], None]
_COMMA = re.compile(r"\s*,[ \t]*")


def undo(journal: Journal, root: Path, say: Say) -> list[str]:
    """Take back all that the journal has; what stayed, and why. That is kept in it for another try."""
    failed: list[str] = []
    is_needed = False
    for record in reversed(list(journal.records)):
        try:
            if record["kind"] == "command":
                _command(record, say, is_needed=is_needed)
            else:
                say(f"  {_file(record, root)}")
        except (Trouble, OSError) as error:
            is_told = isinstance(error, Trouble)
            failed.append(str(error) if is_told else f"{record.get('path', 'The package')} stays: {error}.")
            is_needed = is_needed or record.get("how", {}).get("form") == "pieces"
        else:
            journal.forget(record)
    return failed


def _file(record: Record, root: Path) -> str:
    """Take the change back; what was done."""
    path, before = Path(record["path"]), unpacked(record["before"])
    name = shown_path(path, root)
    now = content_of(path)
    if now == before:
        return f"{name} is as it was"
    if now is None:
        return f"{name} is gone already"
    if fingerprint(now) != record["after"]:
        return _take_out(record, read(path), name)
    if before is None:
        _delete(record, path)
        return f"removed {name}"
    write(path, before)
    return f"gave back {name}"


def _delete(record: Record, path: Path) -> None:
    path.unlink()
    remove_empty([Path(folder) for folder in record["folders"]])


def _take_out(record: Record, source: Source, name: str) -> str:
    """Of a file that somebody has changed since: only what we wrote."""
    how = record["how"]
    try:
        text = _TAKERS[how["form"]](source.text, how)
    except Unreadable as error:
        raise unreadable(source.shown, error) from None
    except NotEditable as error:
        raise Trouble(f"{name} has changed since, and stays: {error}.") from None
    if record["before"] is None and how["form"] == "jsonc" and _says_nothing(text):
        _delete(record, source.path)
        return f"removed {name}"
    if record["before"] is None and how["form"] == "toml" and not text.strip():
        _delete(record, source.path)
        return f"removed {name}"
    write(source.path, text.encode())
    return f"took our part out of {name}"


def _says_nothing(text: str) -> bool:
    document = jsonc.parse(text)
    return document.root.value == {} and not document.comments


def _from_jsonc(text: str, how: dict[str, Any]) -> str:
    path = how["path"]
    if "added" in how:
        return jsonc_edit.remove(text, path, Added(*how["added"]))
    if "whole" in how:
        return jsonc_edit.replace(text, path, how["whole"])
    if jsonc.parse(text).at(path) is None:
        raise NotEditable("the entry is gone")
    for key, value in how["previous"].items():
        old = [*path, key]
        text = jsonc_edit.remove(text, old) if value is None else jsonc_edit.replace(text, old, value)
    return text


def _from_toml(text: str, how: dict[str, Any]) -> str:
    path = how["path"]
    if "added" in how:
        return toml_edit.remove(text, path, how["added"])
    if "whole" in how:
        raise NotEditable("the entry that was there before must be put back by hand")
    return toml_edit.replace(text, path, {k: v for k, v in how["previous"].items() if v is not None})


def _from_pieces(text: str, how: dict[str, Any]) -> str:
    """Without each piece where it still stands between what it stood between, or is nowhere else."""
    if not how["pieces"]:
        raise NotEditable("it was made by the set-up; delete it, or take `pageside()` out of it")
    spans = sorted((_piece(text, *piece) for piece in how["pieces"]), reverse=True)
    for start, end in spans:
        text = text[:start] + text[end:]
    return text


def _piece(text: str, before: str, inserted: str, after: str) -> tuple[int, int]:
    """Where it is; other neighbours than before do not matter to what nobody else would write."""
    if text.count(before + inserted + after) == 1:
        start = text.index(before + inserted + after) + len(before)
        return start, start + len(inserted)
    if "pageside" in inserted and text.count(inserted) == 1:
        start = text.index(inserted)
        end = start + len(inserted)
        comma = _COMMA.match(text, end)
        # Its comma may have come with a neighbour.
        return start, comma.end() if comma is not None and inserted.endswith(")") else end
    raise NotEditable(f"take {inserted.strip()!r} out of it by hand")


_TAKERS: dict[str, Callable[[str, dict[str, Any]], str]] = {
    "jsonc": _from_jsonc,
    "toml": _from_toml,
    "pieces": _from_pieces,
}


def _command(record: Record, say: Say, *, is_needed: bool) -> None:
    """By the package manager; then its files as they were, if nobody else has changed one."""
    if is_needed:
        raise Trouble(f"{packages.PLUGIN} stays installed, as a config still imports it.")
    files = [(Path(each["path"]), each) for each in record["files"]]
    is_untouched = all(fingerprint(content_of(path)) == each.get("after") for path, each in files)
    argv, folder = tuple(record["undo"]), Path(record["folder"])
    package = packages.package_json(folder) if (folder / "package.json").is_file() else {}
    if packages.depends_on(package, packages.PLUGIN):
        say(f"  running {' '.join(argv)} …")
        packages.run(argv, folder)
    if not is_untouched:
        return
    for path, each in files:
        before = unpacked(each["before"])
        if before is not None:
            write(path, before)
        else:
            path.unlink(missing_ok=True)
