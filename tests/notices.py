"""The licences of what is built into the packages: `python -m notices` writes them, `--check` says what is stale."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from support.app import REPOSITORY

FILE = "THIRD_PARTY_LICENSES.txt"
IN_THE_PAGE = ("modern-screenshot",)
IN_THE_WHEEL = (
    *IN_THE_PAGE,
    "@mozilla/readability",
    *(f"@codemirror/{name}" for name in ("commands", "lang-json", "language", "lint", "state", "view")),
    *("@lezer/highlight", "@modelcontextprotocol/client", "@babel/parser", "magic-string"),
)
TARGETS = {REPOSITORY / FILE: IN_THE_WHEEL, REPOSITORY / "vite-plugin" / FILE: IN_THE_PAGE}
_FROM = tuple(REPOSITORY / folder for folder in ("inspector_client", "vite-plugin", ""))


def text_of(names: Sequence[str]) -> str:
    """Each package with its licence, and with all that it depends on, whether or not a bundler left it out."""
    packages = sorted(_closure(names), key=lambda folder: str(_package(folder)["name"]))
    head = "Built into this package, wholly or in part:\n"
    return head + "".join(f"\n{'=' * 100}\n{_entry(folder)}" for folder in packages)


def _closure(names: Sequence[str]) -> set[Path]:
    waiting = [_folder(name, _FROM) for name in names]
    done: set[Path] = set()
    while waiting:
        folder = waiting.pop()
        if folder not in done:
            done.add(folder)
            needed = _package(folder).get("dependencies", {})
            waiting += [_folder(name, (folder, *folder.parents)) for name in needed]
    return done


def _folder(name: str, places: Sequence[Path]) -> Path:
    """Where Node finds it from the first of these places that has it."""
    return next(path for place in places if (path := place / "node_modules" / name).is_dir())


def _package(folder: Path) -> dict[str, Any]:
    package: dict[str, Any] = json.loads((folder / "package.json").read_text("utf-8"))
    return package


def _entry(folder: Path) -> str:
    package = _package(folder)
    texts = "".join(f"\n{text}\n" for text in _licences(folder))
    return f"{package['name']} {package['version']}, {package['license']}\n{texts}"


def _licences(folder: Path) -> Iterator[str]:
    """What its files say, without the spaces at the ends of lines."""
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.name.lower().startswith(("licen", "notice", "copying")):
            lines = file.read_text("utf-8").strip().splitlines()
            yield "\n".join(line.rstrip() for line in lines)


def main(arguments: Sequence[str]) -> int:
    """Write both files; with `--check` only compare."""
    wanted = {file: text_of(names) for file, names in TARGETS.items()}
    if "--check" not in arguments:
        for file, text in wanted.items():
            file.write_text(text, "utf-8", newline="\n")
        return 0
    stale = [file for file, text in wanted.items() if not file.is_file() or file.read_text("utf-8") != text]
    sys.stderr.write("".join(f"{file} is stale: run `make notices`\n" for file in stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
