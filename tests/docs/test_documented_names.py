"""Every public name stands in the docs, and the docs name nothing that there is not."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pytest

from docs_reference.options import of_the_middleware, of_the_middlewares_overlay, of_the_plugin
from docs_reference.typescript import SOURCES, modules
from docs_reference.variables import actions_of, commands_of
from pageside import middleware
from pageside.agents import connections
from pageside.agents.resources import KINDS
from pageside.arguments import command_line
from pageside.contract import EVENTS, FIXES, PAGE_TOOLS, PROMPTS
from pageside.processes import server_config
from pageside.settings import ALIASES, VARIABLES
from pageside.toolsets.every import TOOLSETS
from support.app import REPOSITORY
from support.markdown import Document, documents

TOOLS = {tool.name: tool.definition for toolset in TOOLSETS for tool in toolset.tools}
DOCUMENTS = [document for document in documents() if document.file != "CHANGELOG.md"]
TEXT = "\n".join(document.text for document in DOCUMENTS)

OTHERS_WORDS = frozenset(
    "node_modules ref_key pageside_ignore choose_page choose_tab get_asgi_application get_wsgi_application fill_cart "
    "browser_snapshot mcp_servers context_servers startup_timeout_sec".split()
)
"""Names with underscores that are no tool: of other software, of files, and of two functions in architecture.md."""
OTHERS_CAPITALS = frozenset(
    "BASH_ENV NODE_OPTIONS LAUNCH_EDITOR VIRTUAL_ENV XDG_STATE_HOME HEAD PATH HOME VISUAL EDITOR "
    "CODEX_HOME CLAUDE_CONFIG_DIR XDG_CONFIG_HOME".split()
)
OTHERS_FLAGS = frozenset(
    "--remote-debugging-port --user-data-dir --host --threads --debug --transport --write --spec --strict "
    "--reload --quick".split()
)
THEIRS = "docs/migration.md"
"""There, what stands first in a row of a table belongs to another tool."""

_SNAKE = re.compile(r"(?<![\w./@:-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/.-])")
_CAPITALS = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)|^[A-Z]{4,}$")
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
_OPTION = re.compile(r"(?<![\w./-])(?:companion|overlay)\.(?!md|json|lock)\w+(?:\.\w+)*")
_READ = re.compile(r"""(?:env\.|\('|environment\.get\("|environment, ")(PAGESIDE_[A-Z_]+)""")


def flags() -> set[str]:
    """Of every command, `pageside` itself included."""
    commands = [each for _, each in commands_of(command_line())]
    return {flag for command in commands for action in actions_of(command) for flag in action.option_strings}


def codes_of_the_extension() -> set[str]:
    """Those that only its panel shows."""
    sources = (REPOSITORY / "inspector_client/extension/src/background").rglob("*.ts")
    return {code for file in sources for code in re.findall(r"'([A-Z]+_[A-Z_]+)'", file.read_text("utf-8"))}


def variables() -> set[str]:
    """Those of the companion, and those that the plugin's and the middleware's sources read."""
    folders = (SOURCES, REPOSITORY / "companion" / "pageside" / "middleware")
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".ts", ".py")]
    read = {name for file in files for name in _READ.findall(file.read_text("utf-8"))}
    return {*VARIABLES, *ALIASES, *read}


def python_names() -> Iterator[str]:
    """What an app imports: `pageside.middleware.asgi.PagesideMiddleware` …"""
    for module in pkgutil.iter_modules(middleware.__path__, "pageside.middleware."):
        for name in getattr(importlib.import_module(module.name), "__all__", ()):
            yield f"{module.name}.{name}"


def queries() -> list[str]:
    """What an agent may write behind the URL: `?toolsets` …"""
    read = re.findall(r"""query(?:\.get\(|\[)"(\w+)""", inspect.getsource(connections.parse_query))
    return [f"?{name}" for name in read]


def settings_of_projects() -> Iterator[str]:
    """What stands in package.json and in pyproject.toml, as both write it."""
    for name in re.findall(r"""data\.get\("(\w+)"\)""", inspect.getsource(server_config.permitted)):
        yield f'"pageside": {{"{name}"'
        yield f"[tool.pageside]\n{name} ="


def attributes() -> set[str]:
    """Those that an app may give its elements for our sake."""
    sources = (REPOSITORY / "inspector_client" / "src").rglob("*.ts")
    return {
        name for file in sources for name in re.findall(r"PRIVATE = '\[([\w-]+)\]'", file.read_text("utf-8"))
    }


def fields_of_tools() -> list[str]:
    """Of what `registerTool` takes, each with a row of its own."""
    return [f"| `{field.name}` |" for field in modules()["page"].own["PageTool"].members]


def plugin_options() -> set[str]:
    return {option.name for option in of_the_plugin()}


PUBLIC: Mapping[str, Callable[[], Iterable[str]]] = {
    "toolsets": lambda: [toolset.name for toolset in TOOLSETS],
    "tools": lambda: TOOLS,
    "error codes": lambda: FIXES,
    "variables": variables,
    "flags": flags,
    "commands": lambda: [name for name, _ in commands_of(command_line())],
    "options of the plugin": plugin_options,
    "options of the middleware": lambda: [option.name for option in of_the_middleware()],
    "prompts": lambda: [prompt["name"] for prompt in PROMPTS],
    "resources": lambda: [kind.uri for kind in KINDS],
    "window events": lambda: EVENTS.values(),
    "exports of vite-plugin-pageside": lambda: modules()["index"].names,
    "exports of vite-plugin-pageside/page": lambda: modules()["page"].names,
    "modules of the middleware": lambda: {name.rpartition(".")[0] for name in python_names()},
    "names of the middleware": lambda: {name.rpartition(".")[2] for name in python_names()},
    "queries of the URL": queries,
    "settings of projects": settings_of_projects,
    "attributes": attributes,
    "fields of registerTool": fields_of_tools,
}


@pytest.mark.parametrize("kind", PUBLIC)
def test_every_public_name_is_documented(kind: str) -> None:
    names = list(PUBLIC[kind]())
    assert names
    assert [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", TEXT)] == []


def test_every_tool_has_an_anchor_of_its_own() -> None:
    reference = next(document for document in DOCUMENTS if document.file == "docs/reference/tools.md")
    assert [tool for tool in TOOLS if tool not in reference.anchors] == []


def fields(schema: Any) -> Iterator[str]:
    """Every name of a property, however deep."""
    if isinstance(schema, dict):
        properties = schema.get("properties", {})
        yield from properties if isinstance(properties, dict) else ()
        for each in schema.values():
            yield from fields(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from fields(each)


def snake_words() -> set[str]:
    """All that docs may write with underscores: tools, what stands in for them, parameters, options."""
    in_chrome = {name.removeprefix("chrome_") for name in TOOLS if name.startswith("chrome_")}
    parameters = {name for tool in TOOLS.values() for name in fields(tool)}
    options = {option.name for option in of_the_middleware()}
    prompts = {prompt["name"] for prompt in PROMPTS}
    # What comes with an error as data, and so is in no schema.
    return {*TOOLS, *PAGE_TOOLS, *in_chrome, *parameters, *options, *prompts, "available_tabs", *OTHERS_WORDS}


def _named(document: Document, pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Each match in code, with where it is."""
    their_rows = dict(document.prose) if document.file == THEIRS else {}
    for line, span in document.spans():
        first_cell = (
            their_rows.get(line, "").split(" | ")[0] if their_rows.get(line, "").startswith("|") else ""
        )
        if f"`{span}`" not in first_cell:
            yield from ((word, f"{document.file}:{line}") for word in pattern.findall(span))
    for block in document.blocks:
        yield from ((word, block.name) for word in pattern.findall(block.text) if block.language != "sh")


CHECKS: Mapping[str, tuple[re.Pattern[str], Callable[[], set[str]]]] = {
    "tools": (_SNAKE, snake_words),
    "codes and variables": (
        _CAPITALS,
        lambda: {*FIXES, *variables(), *codes_of_the_extension(), *OTHERS_CAPITALS},
    ),
    "flags": (_FLAG, lambda: {*flags(), *OTHERS_FLAGS}),
    "options": (
        _OPTION,
        lambda: {*plugin_options(), *of_the_middlewares_overlay(), "overlay.shortcuts"},
    ),
}


@pytest.mark.parametrize("kind", CHECKS)
def test_the_docs_name_nothing_that_there_is_not(kind: str) -> None:
    pattern, known = CHECKS[kind]
    names = known()
    unknown = {
        f"{place}: {word}"
        for document in DOCUMENTS
        for word, place in _named(document, pattern)
        if word not in names
    }
    assert sorted(unknown) == []


def test_the_middleware_s_overlay_takes_what_the_plugin_s_does() -> None:
    assert set(of_the_middlewares_overlay()) == {
        name for name in plugin_options() if name.startswith("overlay.")
    }
