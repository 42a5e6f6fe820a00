"""What a template consists of, and what its statements say: text, expressions and statements, in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Text(NamedTuple):
    """What is written as it stands; `at` is its place in the template, in characters."""

    at: int
    text: str


class Expression(NamedTuple):
    """Something that writes what only running it tells."""

    source: str


class Statement(NamedTuple):
    """The words and signs of a statement: `("if", "user", ".", "name")`."""

    words: tuple[str, ...]


Piece = Text | Expression | Statement


def extended(pieces: Iterable[Piece]) -> str | None:
    """The name of the template that is extended, where it is a plain text."""
    for piece in pieces:
        if isinstance(piece, Statement) and piece.words[:1] == ("extends",) and len(piece.words) == 2:
            quoted = piece.words[1]
            return quoted[1:-1] if quoted[:1] in "'\"" and "\\" not in quoted else None
    return None


def end_names(pieces: Sequence[Piece]) -> Iterable[str]:
    """The expressions that name an element at its end, as in `</{{ tag }}>`."""
    for before, piece in pairwise(pieces):
        if isinstance(before, Text) and before.text.endswith("</") and isinstance(piece, Expression):
            yield piece.source


def named(kind: str, words: tuple[str, ...]) -> str:
    """The name of a macro or block; of a call the macro that is called."""
    rest = list(words[1:])
    if kind != "call":
        return rest[0] if rest else ""
    if rest[:1] == ["("]:
        rest = rest[_closing(rest) + 1 :]
    return "".join(rest[: rest.index("(")] if "(" in rest else rest)


def _closing(words: list[str]) -> int:
    depth = 0
    for index, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0:
            return index
    return len(words) - 1


def is_block_set(words: tuple[str, ...]) -> bool:
    """`{% set x %}…{% endset %}`, not `{% set x = 1 %}`."""
    depth = 0
    for word in words:
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        if word == "=" and depth == 0:
            return False
    return True
