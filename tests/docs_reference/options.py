"""options.md: of the Vite plugin, of the Python middleware, of the project's own files."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docs_reference.schemas import alternatives, code, prose, table
from docs_reference.typescript import Member, modules
from pageside.middleware import options as middleware_options
from pageside.middleware import overlay as middleware_overlay

_VARIABLE = re.compile(r" ?Environment: `(PAGESIDE_\w+)`\.")
_DEFAULT = re.compile(r" ?Default:? (.+)\.$")


@dataclass(frozen=True, slots=True)
class Option:
    """One option by its whole name (`companion.url`); `variable` is '' where the environment has no say."""

    name: str
    type: str
    variable: str
    default: str
    doc: str


def of_the_plugin() -> list[Option]:
    """Those of `pageside()`, nested ones by their path."""
    options = modules()["options"].own["PagesideOptions"].members
    return list(_flat(options, ""))


def _flat(members: Iterable[Member], prefix: str) -> Iterator[Option]:
    nested = {**modules()["options"].own, **modules()["overlay"].own}
    for member in members:
        name = f"{prefix}{member.name}"
        inner = member.members or (nested[member.type].members if member.type in nested else ())
        if inner:
            yield from _flat(inner, f"{name}.")
        else:
            variable = _VARIABLE.search(member.doc)
            doc = _VARIABLE.sub("", member.doc).strip()
            yield Option(name, member.type, variable[1] if variable else "", member.default or "", doc)


def of_the_middleware() -> list[Option]:
    """The keyword arguments of every Python middleware; `overlay` is as the plugin's."""
    return [
        Option(name, kind, variable, default, doc)
        for name, kind, text in _fields(middleware_options.PagesideOptions)
        for variable, default, doc in [_taken_apart(text)]
    ]


def of_the_middlewares_overlay() -> list[str]:
    """The names that `overlay` takes in Python, nested ones by their path."""
    shortcuts = [name for name, _, _ in _fields(middleware_overlay.OverlayShortcuts)]
    others = [name for name, _, _ in _fields(middleware_overlay.OverlayOptions) if name != "shortcuts"]
    return [*(f"overlay.shortcuts.{name}" for name in shortcuts), *(f"overlay.{name}" for name in others)]


def _fields(options: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and the text below each field of a TypedDict."""
    body = ast.parse(inspect.getsource(options)).body[0]
    assert isinstance(body, ast.ClassDef)
    for place, field in enumerate(body.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            after = body.body[place + 1] if place + 1 < len(body.body) else None
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            text = " ".join(str(ast.literal_eval(after.value)).split()) if is_text else ""  # type: ignore[union-attr]
            yield field.target.id, ast.unparse(field.annotation), text


def _taken_apart(text: str) -> tuple[str, str, str]:
    variable = _VARIABLE.search(text)
    rest = _VARIABLE.sub("", text)
    default = _DEFAULT.search(rest)
    return variable[1] if variable else "", default[1] if default else "", _DEFAULT.sub("", rest).strip()


def _exported() -> str:
    index = modules()["index"]
    functions = [f"`{name}`, a function (also as default)" for name in sorted(index.own)]
    return f"{', '.join(functions)}, and the types {alternatives([code(name) for name in index.passed_on], 'and')}"


def page() -> str:
    """The whole page."""
    return f"""# Options

`vite-plugin-pageside` exports {_exported()}.
Defaults give way to options, options to the [environment](variables.md). What is none of these is refused by name.

## The Vite plugin

`pageside({{ … }})` in `vite.config.*`; nested ones as `companion: {{ url: … }}`. What `lan` means:
[phones, Docker and tunnels](../../vite-plugin/README.md#phones-docker-and-tunnels).

{_table(of_the_plugin())}
## The Python middleware

Keyword arguments of every one ([set-up](../python-pages.md#set-up)). `overlay` takes what the plugin's does, as a
dictionary.

{_table(of_the_middleware())}
## The project's own files

`pageside.servers` in `package.json` and `tool.pageside.servers` in `pyproject.toml`: commands that agents may start
besides the scripts, each a list of program and arguments ([servers](../servers.md#what-may-be-started)).
"""


def _table(options: Iterable[Option]) -> str:
    rows = [
        (code(each.name), code(each.type), code(each.variable), prose(each.default), prose(each.doc))
        for each in options
    ]
    return table(["option", "type", "environment", "default", ""], rows)
