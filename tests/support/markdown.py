"""The project's Markdown files: their code blocks, headings, links and words in code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from support.app import REPOSITORY

_FENCE = re.compile(r"^( *)(`{3,}|~{3,})\s*([^\s`]*)")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_PICTURE = re.compile(r"<(?:img|source)\s[^>]*?(?:src|srcset)=\"([^\"]+)\"")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced code block: its language as it is written, the line of its fence (from 1), and what is in it."""

    file: str
    line: int
    language: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Document:
    """One file by its path in the repository."""

    file: str
    text: str

    @cached_property
    def blocks(self) -> list[Block]:
        """In order; an open fence ends with the file, as everywhere."""
        found: list[Block] = []
        fence: tuple[str, int, str, str] | None = None
        lines: list[str] = []
        for number, line in enumerate([*self.text.splitlines(), ""], 1):
            match = _FENCE.match(line)
            if fence is None and match:
                fence, lines = (match[2], number, match[3], match[1]), []
            elif fence is not None and match and match[2].startswith(fence[0]) and not match[3]:
                found.append(Block(self.file, fence[1], fence[2], "\n".join(lines) + "\n"))
                fence = None
            elif fence is not None:
                lines.append(line.removeprefix(fence[3]))
        if fence is not None:
            found.append(Block(self.file, fence[1], fence[2], "\n".join(lines) + "\n"))
        return found

    @cached_property
    def prose(self) -> list[tuple[int, str]]:
        """Every line outside of code blocks, with its number (from 1)."""
        inside = {
            number
            for block in self.blocks
            for number in range(block.line, block.line + block.text.count("\n") + 2)
        }
        lines = enumerate(self.text.splitlines(), 1)
        return [(number, line) for number, line in lines if number not in inside]

    @cached_property
    def anchors(self) -> set[str]:
        """What `#…` may follow the file's name, as GitHub makes them."""
        seen: Counter[str] = Counter()
        found = set()
        for _, line in self.prose:
            if heading := _HEADING.match(line):
                anchor = _slug(heading[2])
                found.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
                seen[anchor] += 1
        return found

    def links(self) -> Iterator[tuple[int, str]]:
        """Every target of a link or picture, also of one in HTML's words, with its line."""
        for number, line in self.prose:
            plain = _SPAN.sub(lambda span: "`" * len(span[0]), line)
            for pattern in (_LINK, _PICTURE):
                yield from ((number, match[1]) for match in pattern.finditer(plain))

    def spans(self) -> Iterator[tuple[int, str]]:
        """Every text between backticks, with its line."""
        for number, line in self.prose:
            for match in _SPAN.finditer(line.replace(r"\|", "|")):
                yield number, match[2].strip()


def _slug(heading: str) -> str:
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")


def documents() -> list[Document]:
    """README and its like, docs/, the plugin's README, those of the examples, the skill."""
    folders = ("docs", "companion/pageside/skill", "vite-plugin", "examples", "inspector_client")
    files = [*REPOSITORY.glob("*.md"), *(file for name in folders for file in _below(REPOSITORY / name))]
    return [
        Document(file.relative_to(REPOSITORY).as_posix(), file.read_text("utf-8")) for file in sorted(files)
    ]


def _below(folder: Path) -> Iterator[Path]:
    for file in folder.iterdir():
        if file.is_dir() and file.name not in ("node_modules", "dist") and not file.name.startswith("."):
            yield from _below(file)
        elif file.suffix == ".md":
            yield file
