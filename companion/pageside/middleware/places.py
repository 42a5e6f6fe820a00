"""`POST resolve`, `usage` and `open` for templates: what the page knows of an element, in the developer's own terms."""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from pageside.core.fields import Fields
from pageside.core.tags import CheckedTag, check_tag
from pageside.errors import Refused
from pageside.middleware.exchange import Answer, Asked, json_answer
from pageside.middleware.options import Options
from pageside.middleware.templates import TEMPLATES, Templates, Use, package_of, shown

MAX_PLACES = 500
MAX_BYTES = 4 * 1024 * 1024
MAX_SHOWN = 200
MAX_FILES = 20
_LINES = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class _Template:
    """A template as its file is now; `starts` are where its lines begin, `scopes` the macros or blocks of its tags."""

    name: str
    lines: list[str]
    starts: list[int]
    scopes: dict[int, str]

    def line(self, number: int) -> str:
        return self.lines[number - 1] if number <= len(self.lines) else ""

    def component(self, line: int, column: int) -> str:
        """The macro, block or called macro around the tag there, else the template itself."""
        at = self.starts[min(line, len(self.starts)) - 1] + column - 1
        return self.scopes.get(at) or self.name


class Places:
    """Answers for one project; files are read in threads."""

    def __init__(self, options: Options, templates: Templates = TEMPLATES) -> None:
        self._project, self._editor, self._templates = options.project, options.editor, templates

    async def resolve(self, asked: Asked) -> Answer:
        """Each place as file, line and column of the project, checked against the file as it is now."""
        body = await asked.read_object()
        places = body.get("places")
        if not isinstance(places, list):
            raise Refused(400, "BAD_REQUEST", 'The body must be a JSON object with a list "places".')
        if len(places) > MAX_PLACES:
            raise Refused(400, "BAD_REQUEST", f'"places" has more than {MAX_PLACES} entries.')
        tag = body.get("tag")
        named = [each if isinstance(each, dict) else {} for each in places]
        whole = [{"tag": tag, **each} if isinstance(tag, str) else each for each in named]
        return json_answer(200, {"places": await asyncio.to_thread(self._places, whole)})

    async def usage(self, asked: Asked) -> Answer:
        """Which templates include, extend or import the one that is named."""
        body = Fields(await asked.read_object())
        return json_answer(200, await asyncio.to_thread(self._usage, body.text("file", 1000)))

    async def open(self, asked: Asked) -> Answer:
        """The file in the developer's editor."""
        body = await asked.read_object()
        name, line, column = body.get("file"), _whole(body.get("line")), _whole(body.get("column"))
        if not isinstance(name, str) or not name:
            raise Refused(
                400, "BAD_REQUEST", '"file" must be the path of a file, relative to the project root.'
            )
        file = await asyncio.to_thread(self._readable, name)
        if file is None:
            shown_name = name[:MAX_SHOWN]
            raise Refused(
                404,
                "NOT_FOUND",
                f'There is no file "{shown_name}" in the project.',
                "Pick the element again.",
            )
        if not self._editor:
            raise Refused(
                501,
                "NOT_FOUND",
                "No editor is set.",
                'Set PAGESIDE_EDITOR or the middleware\'s option editor, such as "code -g {file}:{line}:{column}".',
            )
        words = _editor_words(self._editor, file, line or 1, column or 1)
        await asyncio.to_thread(_launch, words)
        return json_answer(200, {"opened": {"file": name, "line": line or 1, "column": column or 1}})

    def _places(self, places: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
        """Each file is read once, however many places lie in it."""
        read = cache(self._template)
        return [self._place(each, read) for each in places]

    def _place(self, place: dict[str, Any], read: Callable[[str], _Template | None]) -> dict[str, Any] | None:
        name, line, column = place.get("file"), _whole(place.get("line")), _whole(place.get("column"))
        tag = place.get("tag")
        if not isinstance(name, str) or not name or "\0" in name or not line:
            return None
        file = self._resolved(name)
        if file is None:
            return None
        found: dict[str, Any] = {
            "file": shown(file, self._project),
            "line": line,
            "column": column,
            "component": None,
            "package": package_of(file),
            "exact": False,
        }
        if found["package"] is not None:
            return found | {"reason": "This lies in an installed package."}
        template = read(name)
        if template is None:
            return found | {"reason": "The template cannot be read."}
        checked = check_tag(template.line(line), max(1, column), tag if isinstance(tag, str) else "")
        return found | {"component": template.component(line, checked.column)} | _as_json(checked)

    def _template(self, name: str) -> _Template | None:
        source = self._read(name)
        if source is None:
            return None
        file = (self._project / name).resolve()
        lines = _LINES.split(source)
        seen, reader = self._templates.seen(file), self._templates.reader_of(file)
        scan = reader("\n".join(lines), seen.name if seen else None) if reader is not None else None
        scopes = {mark.at: mark.scope for mark in scan.marks} if scan is not None else {}
        starts = [0, *accumulate(len(each) + 1 for each in lines)]
        return _Template(seen.name if seen else file.name, lines, starts, scopes)

    def _usage(self, name: str) -> dict[str, Any]:
        file = self._readable(name)
        if file is None:
            raise Refused(404, "NOT_FOUND", f'There is no template "{name[:MAX_SHOWN]}" in the project.')
        seen = self._templates.seen(file)
        if seen is None:
            raise Refused(
                404, "NOT_FOUND", f"{name[:MAX_SHOWN]} was not rendered yet.", "Load a page that shows it."
            )
        uses = self._templates.users_of(seen.name)
        if uses is None:
            raise Refused(
                404,
                "NOT_FOUND",
                "The app's template loader does not list its templates.",
                "Use a loader with list_templates, such as FileSystemLoader.",
            )
        modules = {use.file for use in uses}
        return {
            "counted": True,
            "places": len(uses),
            "modules": len(modules),
            "importers": len(modules),
            "importedBy": self._importers(uses),
        }

    def _importers(self, uses: Sequence[Use]) -> list[str]:
        """The templates that use it, then those that use these, nearest first."""
        found: dict[Path, None] = {}
        waiting = list(uses)
        while waiting and len(found) < MAX_FILES:
            use = waiting.pop(0)
            if use.file not in found:
                found[use.file] = None
                waiting += self._templates.users_of(use.name) or []
        return [shown(file, self._project) for file in found]

    def _read(self, name: str) -> str | None:
        file = self._readable(name)
        if file is None or file.stat().st_size > MAX_BYTES:
            return None
        return file.read_bytes().decode("utf-8", "replace")

    def _readable(self, name: str) -> Path | None:
        """A file of the project, or a template that was shown; links are followed before it is judged."""
        file = self._resolved(name)
        is_ours = file is not None and (
            file.is_relative_to(self._project) or self._templates.seen(file) is not None
        )
        return file if file is not None and is_ours and _is_file(file) else None

    def _resolved(self, name: str) -> Path | None:
        """Where its links lead; None for what no file system can have, and for links in a circle."""
        try:
            return (self._project / name).resolve()
        except (OSError, ValueError, RuntimeError):
            return None


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:
        return False


def _as_json(checked: CheckedTag) -> dict[str, Any]:
    told: dict[str, Any] = {"column": checked.column, "exact": checked.exact}
    if checked.tag:
        told["tag"] = checked.tag
    if checked.reason:
        told["reason"] = checked.reason
    return told


def _whole(value: Any) -> int:
    return value if type(value) is int and 0 < value < 10**9 else 0


def _editor_words(command: str, file: Path, line: int, column: int) -> list[str]:
    """Split first, so that a file's name stays one word."""
    values = {"{file}": str(file), "{line}": str(line), "{column}": str(column)}
    return [
        re.sub(r"\{(?:file|line|column)\}", lambda found: values[found[0]], word)
        for word in shlex.split(command)
    ]


def _launch(words: list[str]) -> None:
    try:
        subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ).returncode = 0
    except OSError as error:
        raise Refused(
            500,
            "INTERNAL_ERROR",
            f"The editor {words[0]} could not be started: {error.strerror}.",
            "Correct PAGESIDE_EDITOR or the middleware's option editor.",
        ) from None
