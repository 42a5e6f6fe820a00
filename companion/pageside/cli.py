"""The `pageside` command: flags over environment over defaults, and nothing else."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from pageside import __version__
from pageside.errors import PagesideError
from pageside.processes.project import project_root
from pageside.settings import DEFAULT_PORT, VARIABLES, Settings, default_state_dir, from_environment
from pageside.toolsets.inspector import INSPECTOR
from pageside.web.serve import serve


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = _parser().parse_args(argv)
    try:
        code: int = args.run(args)
        return code
    except PagesideError as error:
        print(f"pageside: {error.error_code}: {error.message}\n  {error.fix}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    variables = "\n".join(f"  {name:<20} {text}" for name, text in VARIABLES.items())
    parser = argparse.ArgumentParser(
        prog="pageside",
        description="Point at an element in your dev page; your coding agent sees it.",
        epilog=f"environment variables:\n{variables}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_serve(commands)
    tools = commands.add_parser("tools", help="list the tools that agents get")
    tools.add_argument("--json", action="store_true", help="with their schemas")
    tools.set_defaults(run=_tools)
    version = commands.add_parser("version", help="print the version")
    version.set_defaults(run=_version)
    return parser


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("serve", help="run the companion of a project")
    command.add_argument("--project", metavar="DIR", help="project root (default: found from here)")
    command.add_argument("--port", type=_port, metavar="N", help=f"first port to try ({DEFAULT_PORT})")
    command.add_argument("--state-dir", metavar="DIR", help="where the queue is kept")
    command.add_argument(
        "--exit-when-idle",
        type=_seconds,
        metavar="SECONDS",
        help="stop when no dev server and no agent was connected for so long",
    )
    command.set_defaults(run=_serve)


def _port(text: str) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: 0 to 65535, 0 for any free one")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def settings_of(args: argparse.Namespace) -> Settings:
    """Flags, else environment, else defaults; raises `PagesideError` for what makes no sense."""
    environment = from_environment()
    project = args.project or environment.get("PAGESIDE_PROJECT")
    if project is not None and not Path(project).is_dir():
        raise PagesideError(f"{project} is not a folder.", fix="Name the project's folder.")
    state = args.state_dir or environment.get("PAGESIDE_STATE_DIR")
    return Settings(
        project=Path(project).resolve() if project else project_root(Path.cwd()),
        port=_chosen_port(args.port, environment),
        state=Path(state).absolute() if state else default_state_dir(),
        exit_when_idle=args.exit_when_idle,
        log=environment.get("PAGESIDE_LOG", "info"),
    )


def _chosen_port(flag: int | None, environment: dict[str, str]) -> int:
    if flag is not None:
        return flag
    try:
        return _port(environment.get("PAGESIDE_PORT", str(DEFAULT_PORT)))
    except argparse.ArgumentTypeError as error:
        raise PagesideError(f"PAGESIDE_PORT: {error}.", fix="Set a port, or unset it.") from None


def _serve(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    level = logging.getLevelNamesMapping().get(settings.log.upper(), logging.INFO)
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("mcp").setLevel(max(level, logging.WARNING))
    return asyncio.run(serve(settings))


def _tools(args: argparse.Namespace) -> int:
    definitions = [dict(tool.definition) for tool in INSPECTOR.tools]
    if args.json:
        print(json.dumps(definitions, indent=1))
    else:
        for tool in definitions:
            print(f"{tool['name']:<26} {tool['description'].split('. ')[0]}")
    return 0


def _version(_args: argparse.Namespace) -> int:
    print(__version__)
    return 0
