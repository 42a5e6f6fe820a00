"""The `pageside` command: each of its commands calls what does it, and says what came of it.

What a command alone needs it imports itself: an agent waits for `pageside stdio` to start.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import logging
import os
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

from pageside import __version__
from pageside.arguments import chosen_toolsets, command_line, project_and_state, settings_of
from pageside.errors import InvalidArguments, PagesideError
from pageside.processes.loading import loaded_for_good
from pageside.settings import (
    Settings,
    default_state_dir,
    from_environment,
    own_chrome,
)

_SKILL = Path(__file__).parent / "skill" / "SKILL.md"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that the terminal has no letters for must not end what was begun.
        sys.stdout.reconfigure(errors="backslashreplace")
    args = command_line().parse_args(argv)
    try:
        return _COMMANDS[args.command](args)
    except PagesideError as error:
        print(f"pageside: {error.error_code}: {error.message}\n  {error.fix}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _serve(args: argparse.Namespace) -> int:
    with loaded_for_good():
        from pageside.web.serve import serve

    settings = settings_of(args)
    _log_to_stderr(settings)
    return asyncio.run(serve(settings))


def _stdio(args: argparse.Namespace) -> int:
    from pageside.web.stdio import stdio

    settings = settings_of(args)
    toolsets = chosen_toolsets(args.toolsets or from_environment().get("PAGESIDE_TOOLSETS"))
    _log_to_stderr(settings)
    query = {
        "clientId": args.client_id,
        "toolsets": ",".join(toolsets),
        "chrome": own_chrome(from_environment()) if settings.chrome.enabled else None,
    }
    return asyncio.run(stdio(settings, {name: value for name, value in query.items() if value}))


def _console(args: argparse.Namespace) -> int:
    from pageside.web.console_link import fresh_link

    project, state = project_and_state(args, from_environment())
    link = asyncio.run(fresh_link(Settings(project=project, port=0, state=state)))
    print(link, flush=True)
    if args.open and not webbrowser.open(link):
        print("No browser could be opened: open the link yourself.", file=sys.stderr)
        return 1
    return 0


def _extension(_args: argparse.Namespace) -> int:
    from pageside.web.console_pages import EXTENSION

    if not (EXTENSION / "manifest.json").is_file():
        raise PagesideError(
            f"The extension is not built: there is no {EXTENSION / 'manifest.json'}.",
            code="NOT_FOUND",
            fix="In a checkout run `make build`; else install pageside again.",
        )
    print(EXTENSION)
    print("  Open chrome://extensions and switch on Developer mode (top right).", file=sys.stderr)
    print("  Press Load unpacked and choose this folder.", file=sys.stderr)
    return 0


def _setup(args: argparse.Namespace) -> int:
    from pageside.setup.run import Options, Terminal, set_up, take_back

    environment = from_environment()
    folder = Path(args.project or environment.get("PAGESIDE_PROJECT") or ".")
    if not folder.is_dir():
        raise InvalidArguments(f"{folder} is not a folder.", fix="Name the project's folder.")
    state = environment.get("PAGESIDE_STATE_DIR")
    options = Options(
        folder=folder.resolve(),
        state=Path(state).absolute() if state else default_state_dir(),
        agents=args.agents,
        dry_run=args.dry_run,
        yes=args.yes,
        plugin=not args.no_plugin,
        spec=args.plugin,
    )
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    terminal = Terminal(_said, _asked if is_terminal else None)
    return take_back(options, terminal) if args.undo else set_up(options, terminal)


def _said(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Whoever read it is gone, as in `| head`; what was begun is done all the same.
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _doctor(args: argparse.Namespace) -> int:
    from pageside.doctor.run import visit

    # What the refusals of the attack and a client's end log is in the report already.
    logging.getLogger().addHandler(logging.NullHandler())
    report = asyncio.run(visit(settings_of(args), from_environment(), with_attack=not args.no_attack))
    print(json.dumps(report.to_json(), indent=1) if args.json else report.to_text())
    return 1 if report.has_problem else 0


def _asked(question: str) -> str:
    try:
        return input(question)
    except EOFError:
        return ""


def _log_to_stderr(settings: Settings) -> None:
    level = logging.getLevelNamesMapping().get(settings.log.upper(), logging.INFO)
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("mcp").setLevel(max(level, logging.WARNING))


def _tools(args: argparse.Namespace) -> int:
    from pageside.toolsets.every import TOOLSETS

    chosen = chosen_toolsets(args.toolsets) or [toolset.name for toolset in TOOLSETS]
    tools = {tool.name: tool for each in TOOLSETS if each.name in chosen for tool in each.tools}
    definitions = [dict(tool.definition) for tool in tools.values()]
    if args.json:
        print(json.dumps(definitions, indent=1))
    else:
        for tool in definitions:
            print(f"{tool['name']:<26} {tool['description'].split('. ')[0]}")
    return 0


def _skill(_args: argparse.Namespace) -> int:
    print(_SKILL.read_text("utf-8"), end="")
    return 0


def _version(_args: argparse.Namespace) -> int:
    print(__version__)
    return 0


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "serve": _serve,
    "stdio": _stdio,
    "console": _console,
    "setup": _setup,
    "doctor": _doctor,
    "extension": _extension,
    "tools": _tools,
    "skill": _skill,
    "version": _version,
}
