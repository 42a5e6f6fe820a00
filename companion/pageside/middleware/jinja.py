"""A Jinja2 extension that tells each element where in its template it stands; see docs/python-pages.md.

Marking happens before Jinja2 reads the template, adds no line, and only while a middleware of this process is on (or
PAGESIDE_ENABLED=1): without it what is rendered is the same to the byte.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from jinja2 import BytecodeCache, Environment, TemplateSyntaxError
from jinja2.bccache import Bucket
from jinja2.exceptions import TemplateNotFound
from jinja2.ext import Extension

from pageside.contract import CHANNEL
from pageside.core.template_marks import Scan, scan
from pageside.core.template_pieces import Expression, Piece, Statement, Text, extended
from pageside.middleware.templates import TEMPLATES, Use, shown

__all__ = ["PagesideExtension"]

ATTRIBUTE: str = CHANNEL["sourceAttribute"]
MAX_ANCESTORS = 10
_NEWLINE = re.compile(r"\r\n|\r|\n")
_WRAPPERS = frozenset((".jinja", ".jinja2", ".j2", ".jnj"))
_MARKUP = frozenset((".html", ".htm", ".xhtml", ".svg"))
_LOOKS_LIKE_MARKUP = re.compile(
    r"<!doctype html|</(?:a|body|div|li|p|section|span|svg|table|td|ul)\s*>", re.I
)
_UNFIT = re.compile(r'[\0-\x1f"&<>]')
_UNREADABLE = (TemplateSyntaxError, ValueError)
"""Jinja2 itself will say what is wrong with it, if it is ever shown."""
_USES = frozenset(("include", "extends", "import", "from"))


class PagesideExtension(Extension):
    """Put it among the environment's `extensions`; `environment.pageside_ignore` are name patterns to leave alone."""

    priority = 1
    """Before all others, which may move what stands there."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.extend(pageside_ignore=())
        _guard_cache(environment)
        reader = _EnvironmentReader(environment)
        TEMPLATES.add_environment(reader.read, reader.users, reader.guard_cache)

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with its start tags marked; the very same while nothing is on, and for other than HTML files."""
        project = TEMPLATES.project()
        if project is None or name is None or filename is None or not self._is_markup(name, source):
            return source
        if _guard_cache(self.environment):
            # Jinja2 holds the app's own cache in its hand already, and keeps this very template there.
            return source
        file = Path(filename).resolve()
        place = shown(file, project)
        if not self._is_fit(place):
            return source
        reader = _EnvironmentReader(self.environment)
        found = reader.read(source, name)
        if found is None:
            return source
        TEMPLATES.saw(file, name, reader.read)
        return _marked(_normal(source), found, place)

    def _is_markup(self, name: str, source: str) -> bool:
        patterns: Sequence[str] = getattr(self.environment, "pageside_ignore", ())
        if any(fnmatchcase(name, pattern) for pattern in patterns):
            return False
        path = Path(name)
        while path.suffix in _WRAPPERS:
            path = path.with_suffix("")
        return path.suffix in _MARKUP or (not path.suffix and _LOOKS_LIKE_MARKUP.search(source) is not None)

    def _is_fit(self, place: str) -> bool:
        """A path that Jinja2 or HTML would read as something else cannot stand in a template."""
        environment = self.environment
        signs = (
            environment.block_start_string,
            environment.variable_start_string,
            environment.comment_start_string,
            environment.line_comment_prefix,
        )
        return _UNFIT.search(place) is None and not any(sign and sign in place for sign in signs)


def _marked(source: str, found: Scan, place: str) -> str:
    parts, end, line, line_start = [], 0, 1, 0
    for mark in sorted(found.marks, key=lambda each: each.at):
        line += source.count("\n", line_start, mark.at)
        line_start = source.rfind("\n", 0, mark.at) + 1
        parts.append((mark.insert, f' {ATTRIBUTE}="{place}:{line}:{mark.at - line_start + 1}"'))
    text = []
    for insert, attribute in sorted(parts):
        text += [source[end:insert], attribute]
        end = insert
    return "".join([*text, source[end:]])


class _EnvironmentReader:
    """Reads templates as the environment's own lexer does: its delimiters, line statements and raw blocks."""

    def __init__(self, environment: Environment) -> None:
        self._environment = weakref.ref(environment)

    def read(self, source: str, name: str | None) -> Scan | None:
        """None for a template that Jinja2 will refuse."""
        environment = self._environment()
        if environment is None:
            return None
        try:
            return _scan(environment, source, name, 0)
        except _UNREADABLE:
            return None

    def guard_cache(self) -> None:
        """Apps set a bytecode cache later, too."""
        environment = self._environment()
        if environment is not None:
            _guard_cache(environment)

    def users(self, wanted: str) -> list[Use] | None:
        """All uses of a template by its plain name; None where the loader cannot list what it has."""
        environment = self._environment()
        if environment is None or environment.loader is None:
            return None
        try:
            names = environment.list_templates()
        except TypeError:
            return None
        return [use for name in names for use in _uses(environment, name, wanted)]


def _scan(environment: Environment, source: str, name: str | None, depth: int) -> Scan:
    """With the places of the blocks that it takes from the template it extends."""
    found = list(_pieces(environment, source, name))
    parent = extended(found)
    if parent is None or name is None or environment.loader is None or depth > MAX_ANCESTORS:
        return scan(found, {} if _extends(found) else None)
    try:
        parent_name = environment.join_path(parent, name)
        above, _, _ = environment.loader.get_source(environment, parent_name)
        inherited = _scan(environment, above, parent_name, depth + 1).blocks
    except (TemplateNotFound, OSError, *_UNREADABLE):
        inherited = {}
    result = scan(found, inherited)
    result.blocks = inherited | result.blocks
    return result


def _extends(pieces: list[Piece]) -> bool:
    return any(isinstance(piece, Statement) and piece.words[:1] == ("extends",) for piece in pieces)


def _pieces(environment: Environment, source: str, name: str | None) -> Iterator[Piece]:
    """What the template is made of, at its place in the source with `\\n` for every line end."""
    text = _normal(source)
    words: list[str] = []
    begin = 0
    for at, kind, value in _tokens(environment, source, name):
        match kind:
            case "data":
                yield Text(at, value)
            case "variable_begin" | "block_begin" | "linestatement_begin":
                words, begin = [], at + len(value)
            case "variable_end":
                yield Expression(text[begin:at].strip())
            case "block_end" | "linestatement_end":
                yield Statement(tuple(words))
            case "whitespace":
                """Between words."""
            case _:
                words.append(value)


def _tokens(environment: Environment, source: str, name: str | None) -> Iterator[tuple[int, str, str]]:
    """Place, kind and text of each; raises `ValueError` for a lexer that makes up text of its own."""
    text = _normal(source)
    at = 0
    for _, kind, value in environment.lexer.tokeniter(source, name):
        # Only white space is left out, before what strips it.
        at = text.index(value, at)
        yield at, kind, value
        at += len(value)


def _normal(source: str) -> str:
    """Jinja2 makes `\\n` of every line end itself, before it reads anything."""
    return "\n".join(_NEWLINE.split(source))


def _uses(environment: Environment, name: str, wanted: str) -> Iterator[Use]:
    """Where the template `name` names `wanted`."""
    assert environment.loader is not None
    try:
        source, filename, _ = environment.loader.get_source(environment, name)
    except (TemplateNotFound, OSError, *_UNREADABLE):
        return
    if filename is None or Path(wanted).name not in source:
        return
    text = _normal(source)
    for at, quoted in _named(environment, source, name):
        if environment.join_path(quoted, name) == wanted:
            yield Use(name, Path(filename).resolve(), text.count("\n", 0, at) + 1)


def _named(environment: Environment, source: str, name: str) -> list[tuple[int, str]]:
    """Each template that is named in a statement: where the statement begins, and the name."""
    found: list[tuple[int, str]] = []
    begin, kind_of_statement = 0, ""
    try:
        for at, kind, value in _tokens(environment, source, name):
            if kind in ("block_begin", "linestatement_begin"):
                begin, kind_of_statement = at, ""
            elif kind == "name" and not kind_of_statement:
                kind_of_statement = value
            elif kind == "string" and kind_of_statement in _USES:
                found.append((begin, value[1:-1]))
    except _UNREADABLE:
        return []
    return found


def _guard_cache(environment: Environment) -> bool:
    """Let marked templates pass the app's bytecode cache by; whether they did not until now."""
    cache = environment.bytecode_cache
    if cache is None or isinstance(cache, _Unmarked):
        return False
    environment.bytecode_cache = _Unmarked(cache)
    return True


class _Unmarked(BytecodeCache):
    """The app's own cache, which marked templates pass by: what it keeps is used in production too."""

    def __init__(self, cache: BytecodeCache) -> None:
        self._cache = cache

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        if TEMPLATES.project() is None:
            return self._cache.get_bucket(environment, name, filename, source)
        return Bucket(environment, "", "")

    def set_bucket(self, bucket: Bucket) -> None:
        if bucket.key:
            self._cache.set_bucket(bucket)

    def clear(self) -> None:
        self._cache.clear()
