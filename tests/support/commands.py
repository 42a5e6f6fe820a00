"""Whether a line of shell in the docs would run: its program is known here, and takes what it is given."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from pageside.arguments import command_line
from support.app import REPOSITORY

Words = Sequence[str]

PACKAGES = frozenset({"pageside", "vite-plugin-pageside"})
_ASSIGNMENT = re.compile(r"[A-Z][A-Z0-9_]*=")


def faults(script: str) -> list[str]:
    """What is wrong with each line, in words; empty lines and comments are none of it."""
    lines = script.replace("\\\n", " ").splitlines()
    return [f"{line!r}: {fault}" for line in lines for fault in _of_line(line)]


def harmless(script: str) -> list[str]:
    """Those of its commands that anybody may run in an empty folder: Pageside's, and making folders.

    Setup only says what it would do, and what starts or opens something says how it is used.
    """
    parts = [part.strip() for line in script.splitlines() for part in line.split("&&")]
    return [command for part in parts if (command := _harmless(part))]


def _harmless(command: str) -> str:
    match shlex.split(command, comments=True):
        case ["mkdir", *_] | ["pageside", "doctor" | "extension" | "skill", *_]:
            return command
        case ["pageside", "setup", *_]:
            return command.replace("setup", "setup --dry-run", 1)
        case ["pageside", verb, *_]:
            return f"pageside {verb} --help"
        case _:
            return ""


def _of_line(line: str) -> list[str]:
    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        return [str(error)]
    return [fault for command in _commands(words) if (fault := fault_of(command))]


def _commands(words: Words) -> list[list[str]]:
    commands: list[list[str]] = [[]]
    for before, word in zip(("", *words), words, strict=False):
        if word in ("&&", ";"):
            commands.append([])
        elif ">" not in (before, word):  # what is printed goes to that file
            commands[-1].append(word)
    return [command for command in commands if command]


def fault_of(words: Words) -> str:
    """What is wrong with one command, or ''."""
    rest = [word for number, word in enumerate(words) if not _is_assignment(words, number)]
    if not rest:
        return "is no command"
    known = _PROGRAMS.get(PurePosixPath(rest[0]).name)
    return known(rest[1:]) if known else f"nothing here knows how to check {rest[0]!r}"


def _is_assignment(words: Words, number: int) -> bool:
    return all(_ASSIGNMENT.match(word) for word in words[: number + 1])


def _make(arguments: Words) -> str:
    makefile = (REPOSITORY / "Makefile").read_text("utf-8")
    targets = {each for line in re.findall(r"^\.PHONY: (.+)$", makefile, re.M) for each in line.split()}
    unknown = [word for word in arguments if "=" not in word and word not in targets]
    return f"no targets: {unknown}" if unknown else ""


def _pageside(arguments: Words) -> str:
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            command_line().parse_args(list(arguments))
    except SystemExit as end:
        return said.getvalue() if end.code else ""
    return ""


def _python(arguments: Words) -> str:
    match list(arguments):
        case ["-m", "pageside", *rest]:
            return _pageside(rest)
        case ["-m", "venv", _]:
            return ""
        case ["-m", "pip", *rest]:
            return _pip(rest)
        case [script, *_]:
            return "" if (REPOSITORY / script).is_file() else f"there is no {script}"
        case _:
            return "has no script"


def _pip(arguments: Words) -> str:
    match list(arguments):
        case ["install", *packages]:
            return _packages([each for each in packages if not each.startswith("-")])
        case _:
            return "is not `pip install`"


def _packages(names: Words) -> str:
    bare = [re.split(r"(?<=.)[@=]", name)[0] for name in names]
    unknown = [name for name in bare if name not in PACKAGES]
    return f"packages that are not ours: {unknown}" if unknown else ""


def _git(arguments: Words) -> str:
    urls = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    return "" if list(arguments) == ["clone", urls["Repository"]] else "is not `git clone` of this repository"


def _runs_package(arguments: Words) -> str:
    """`uvx pageside …`, `npx vite-plugin-pageside …`."""
    if arguments[:1] == ["run"]:
        arguments = arguments[1:]
    if not arguments or re.split(r"[@=]", arguments[0])[0] != "pageside":
        return "runs no package of ours"
    return _pageside(arguments[1:]) if len(arguments) > 1 else ""


def _node_packages(arguments: Words) -> str:
    match list(arguments):
        case ["run", *_] | ["test", *_]:
            return ""
        case ["install" | "add" | "i", *packages]:
            return _packages([each for each in packages if not each.startswith("-")])
        case _:
            return "neither installs nor runs"


def _mcp_add(arguments: Words) -> str:
    """`claude mcp add [--flags] pageside -- pageside stdio`, or with a URL."""
    if list(arguments[:2]) != ["mcp", "add"]:
        return "is not `mcp add`"
    if "--" in arguments:
        return fault_of(arguments[list(arguments).index("--") + 1 :])
    return "" if any("/__mcp__" in word or word == "stdio" for word in arguments) else "names no server"


def _nothing(_arguments: Words) -> str:
    return ""


def _copies(arguments: Words) -> str:
    *sources, _ = [word for word in arguments if not word.startswith("-")]
    missing = [source for source in sources if not (REPOSITORY / source).exists()]
    return f"there is no {missing}" if missing else ""


def _chrome(arguments: Words) -> str:
    known = ("--remote-debugging-port=", "--user-data-dir=", "http")
    unknown = [word for word in arguments if not word.startswith(known)]
    return f"unknown: {unknown}" if unknown else ""


_PROGRAMS: Mapping[str, Callable[[Words], str]] = {
    "make": _make,
    "pageside": _pageside,
    **dict.fromkeys(("python", "python3"), _python),
    **dict.fromkeys(("pip", "pipx"), lambda words: _runs_package(words) if "run" in words else _pip(words)),
    "uvx": _runs_package,
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _node_packages),
    **dict.fromkeys(("claude", "codex", "gemini"), _mcp_add),
    "google-chrome": _chrome,
    "cp": _copies,
    "git": _git,
    **dict.fromkeys(("mkdir", "cd"), _nothing),
}
