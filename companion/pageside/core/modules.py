"""Files as dev servers, pages and inspections name them: by path, by URL, from other folders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_AFTER_PATH = re.compile(r"[?#].*", re.DOTALL)


def plain(name: str) -> str:
    """A file's path, or the path of a module's URL, without what dev servers add to it."""
    path = _AFTER_PATH.sub("", name.replace("\\", "/"))
    return path.removeprefix("/@fs").removeprefix("./")


def same_file(one: str, other: str) -> bool:
    """True if both can be the same file: `src/App.tsx`, `/src/App.tsx`, `/home/ada/shop/src/App.tsx`."""
    first, second = plain(one), plain(other)
    if not first.strip("/") or not second.strip("/"):
        return False
    if first.strip("/") == second.strip("/"):
        return True
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    # What is told from different folders may be one file if the one ends like the other.
    return _is_rooted(longer) != _is_rooted(shorter) and longer.endswith(f"/{shorter.strip('/')}")


def _is_rooted(path: str) -> bool:
    return path.startswith("/") or path[1:2] == ":"


def names_of(data: Mapping[str, Any]) -> list[str]:
    """The files that an entry of kind `update` is about; URLs of modules whose file is not known."""
    file = data.get("file")
    names = [name for update in data.get("updates") or () for name in names_in(update)]
    return [*([file] if isinstance(file, str) and file else []), *names]


def names_in(update: Mapping[str, Any]) -> list[str]:
    """The file of one updated module, else its URLs."""
    file = update.get("file")
    if isinstance(file, str) and file:
        return [file]
    return [str(update[key]) for key in ("acceptedPath", "path") if update.get(key)]


def touches(data: Mapping[str, Any], file: str) -> bool:
    """True if an entry of kind `update` is about that file."""
    return any(same_file(name, file) for name in names_of(data))
