"""What may be started as a dev server: the rules about commands, their arguments and their environment."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from pageside.errors import InvalidArguments

Argv = tuple[str, ...]

MANAGERS = ("npm", "pnpm", "yarn", "bun")
_RUN = {"npm": ("run", "run-script"), "pnpm": ("run", "run-script"), "yarn": ("run",), "bun": ("run",)}
_LIFECYCLE = ("start", "test")
"""Scripts that npm runs without `run`; pnpm and yarn do so with all whose names are no commands of theirs."""
_COMMANDS = frozenset(
    """access add adduser approve-builds audit autoclean bin bugs build bun c cache cat-file cat-index check ci
    completion config constraints create dedupe deploy deprecate diff dist-tag dlx docs doctor edit env exec explain
    explore fetch find-dupes find-hash fund generate-lock-entry get global help help-search hook i ignored-builds import
    info init install install-completion install-test it licenses link list ll login logout ls node npm org outdated
    owner pack patch patch-commit patch-remove ping pkg plugin pm policies prefix profile prune publish query rb rebuild
    recursive remove repl repo restart rm root run-script run sbom search self-update server set set-script setup
    shrinkwrap star stars stop store t tag team token tst unlink unplug unpublish unstar up update upgrade
    upgrade-interactive version versions view whoami why workspace workspaces x""".split()
)
"""Of npm, pnpm, yarn and bun: what a script of that name would need `run` for."""

_HARMLESS_SWITCHES = frozenset(
    {"--strictPort", "--strict-port", "--no-open", "--silent", "--verbose", "--debug"}
)
_HARMLESS_OPTIONS: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(("--port", "-p", "-P"), re.compile(r"\d{1,5}")),
    **dict.fromkeys(("--host", "--hostname", "-H"), re.compile(r"localhost|127\.0\.0\.1|::1")),
    "--clearScreen": re.compile("true|false"),
}

_LOADERS = re.compile(
    r"LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|PATH|PATHEXT|COMSPEC|SHELL|SHELLOPTS|BASHOPTS|BASH_.*|ENV|ZDOTDIR|IFS|PS4"
    r"|CDPATH|PROMPT_COMMAND|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_.*|PREFIX|NODE_(?!ENV$|DEBUG$).*|NPM_.*|YARN_.*"
    r"|PNPM_.*|BUN_.*|COREPACK_.*|TS_NODE_.*|TSX_.*|DENO_.*|ELECTRON_.*|ESBUILD_BINARY_PATH|BROWSER|EDITOR|VISUAL|PAGER"
    r"|PYTHON.*|VIRTUAL_ENV|PIP_.*|UV_.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|PHP.*|LUA_.*|CLASSPATH|JAVA_.*|_JAVA_OPTIONS"
    r"|JDK_.*|MAVEN_.*|GRADLE_.*|DOTNET_.*|CORECLR_.*|RUSTC.*|CARGO.*|GOFLAGS|MAKEFLAGS|GUNICORN_CMD_ARGS|OPENSSL_.*"
    r"|LESSOPEN|LESSCLOSE|GIT_.*|SSH_.*|PAGESIDE_.*|.*SCRIPT_SHELL",
    re.IGNORECASE,
)
"""Variables that change which code runs, or what runs it; and ours."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def checked_argv(command: str, args: Sequence[str]) -> Argv:
    """The program and its arguments; raises `InvalidArguments` for what no system takes."""
    for argument, text in (("command", command), *((f"args[{n}]", text) for n, text in enumerate(args))):
        if "\0" in text:
            raise _invalid(argument, "has a NUL character")
    if not command.strip():
        raise _invalid("command", "is empty")
    if any(sign.isspace() for sign in command) and not args:
        first, *rest = command.split()
        raise _invalid(
            "command",
            f"is the program alone, as no shell takes it apart: 'command': {first!r}, 'args': {rest!r}",
        )
    return (command, *args)


def checked_environment(given: Mapping[str, str]) -> dict[str, str]:
    """What may be added to the environment; raises `InvalidArguments` for what would change which code runs."""
    for name, value in given.items():
        if not _NAME.fullmatch(name):
            raise _invalid("env", f"{name!r} is no name of a variable")
        if "\0" in value:
            raise _invalid("env", f"the value of {name} has a NUL character")
        if _LOADERS.fullmatch(name) and (name, value) != ("BROWSER", "none"):
            raise _invalid("env", f"{name} changes what is run, or how, and cannot be set here")
    return dict(given)


def _invalid(argument: str, why: str) -> InvalidArguments:
    return InvalidArguments(f"'{argument}': {why}.", data={"argument": argument})


def commands_in(value: Any) -> list[Argv] | None:
    """The commands that a project lists, each as the list of its words; None if it is no such list."""
    if not isinstance(value, list):
        return None
    is_whole = all(
        isinstance(row, list) and row and all(isinstance(word, str) for word in row) for row in value
    )
    return [tuple(row) for row in value] if is_whole else None


def why_not(argv: Argv, scripts: Collection[str], listed: Iterable[Argv]) -> str | None:
    """Why the policy `scripts` does not permit this; None if it does.

    It permits scripts of package.json run by a package manager, and commands that the project lists, both with no more
    than harmless arguments (`--port 3000`) behind them.
    """
    if any(argv[: len(row)] == row and _are_harmless(argv[len(row) :]) for row in listed):
        return None
    if argv[0] not in MANAGERS:
        return f"{argv[0]} is no package manager ({', '.join(MANAGERS)}), and the project does not list this command"
    name, rest = _script(argv)
    if name is None or name.startswith("-"):
        # What begins like an option is one to package managers, whatever package.json calls its scripts.
        return f"{argv[0]} is not told to run a script"
    if name not in scripts:
        there = ", ".join(sorted(scripts)) or "none"
        return f"package.json has no script {name!r} (it has: {there})"
    return _why_not_extra(argv[0], rest)


def _script(argv: Argv) -> tuple[str | None, Argv]:
    """The script that is run, and what is behind it."""
    manager, *words = argv
    if words and words[0] in _RUN[manager]:
        return (words[1], tuple(words[2:])) if len(words) > 1 else (None, ())
    if not words:
        return None, ()
    is_short = words[0] in _LIFECYCLE if manager == "npm" else words[0] not in _COMMANDS
    if manager == "bun" and words[0] == "test":
        is_short = False
    return (words[0], tuple(words[1:])) if is_short else (None, ())


def _why_not_extra(manager: str, extra: Argv) -> str | None:
    if extra[:1] == ("--",):
        extra = extra[1:]
    elif extra and manager == "npm":
        return "npm passes arguments on to the script only behind '--'"
    if _are_harmless(extra):
        return None
    return f"{' '.join(extra)!r} has more than what is known as harmless (--port N, --strictPort, --host localhost)"


def _are_harmless(extra: Argv) -> bool:
    words = iter(extra)
    for word in words:
        name, equals, value = word.partition("=")
        if word in _HARMLESS_SWITCHES:
            continue
        pattern = _HARMLESS_OPTIONS.get(name)
        if pattern is None or not pattern.fullmatch(value if equals else next(words, "")):
            return False
    return True


def why_not_batch(program: str, argv: Argv) -> str | None:
    """Windows runs batch files by a shell, which would take some characters of their arguments as its own."""
    if not program.lower().endswith((".bat", ".cmd")):
        return None
    bad = sorted({sign for word in argv[1:] for sign in word if sign in '"%^&|<>()!\r\n'})
    return (
        f"{program} is a batch file, and {' '.join(map(repr, bad))} cannot be passed to one" if bad else None
    )


_TAKEN = re.compile(
    r"EADDRINUSE|address (?:is )?already in use|port (?:\d+ )?is (?:already )?(?:in use|taken|being used)"
    r"|Only one usage of each socket address|Errno (?:98|48|10048)\b|Something is already running on port",
    re.IGNORECASE,
)
_PORT_TOLD = re.compile(r"(?:\bport[ =:]+|:)(\d{2,5})\b", re.IGNORECASE)
_PORT_ASKED = re.compile(r"(?:^|\s)(?:--port|-p|-P)[ =](\d{1,5})(?:\s|$)")


def port_taken(argv: Argv, lines: Sequence[str]) -> tuple[bool, int | None]:
    """Whether these last lines say that a port is in use, and which: as they say, else as the arguments do."""
    telling = [line for line in lines if _TAKEN.search(line)]
    if not telling:
        return False, None
    told = [int(found[1]) for line in telling if (found := _PORT_TOLD.search(line))]
    asked = _PORT_ASKED.search(" ".join(argv))
    ports = [*told, *([int(asked[1])] if asked else []), *_bare_ports(argv)]
    return True, next((port for port in ports if 0 < port < 65536), None)


def _bare_ports(argv: Argv) -> list[int]:
    """As in `python -m http.server 8000`."""
    return [int(word) for word in argv[1:] if re.fullmatch(r"\d{2,5}", word)]
