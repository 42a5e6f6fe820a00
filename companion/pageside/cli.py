"""The `pageside` command: flags over environment over defaults, and nothing else."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from pageside import __version__
from pageside.agents.connections import chosen_toolsets
from pageside.contract import TABS
from pageside.core.agent_files import AGENTS
from pageside.doctor.run import visit
from pageside.errors import InvalidArguments, PagesideError
from pageside.processes.project import project_root
from pageside.settings import (
    DEFAULT_PORT,
    DEFAULT_TOOLSETS,
    SERVER_POLICIES,
    VARIABLES,
    Settings,
    chrome_settings,
    default_state_dir,
    from_environment,
    own_chrome,
    script_origins,
    server_settings,
    tab_origins,
    tab_port,
)
from pageside.setup.run import Options as SetupOptions
from pageside.setup.run import Terminal, set_up, take_back
from pageside.toolsets.every import TOOLSETS
from pageside.web.console_link import fresh_link
from pageside.web.console_pages import EXTENSION
from pageside.web.serve import serve
from pageside.web.stdio import stdio


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    args = command_line().parse_args(argv)
    try:
        code: int = args.run(args)
        return code
    except PagesideError as error:
        print(f"pageside: {error.error_code}: {error.message}\n  {error.fix}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def command_line() -> argparse.ArgumentParser:
    """What reads the arguments of every command; the docs are made from it."""
    variables = "\n".join(f"  {name:<24} {text}" for name, text in VARIABLES.items())
    parser = argparse.ArgumentParser(
        prog="pageside",
        description="Point at an element in your dev page; your coding agent sees it.",
        epilog=f"environment variables:\n{variables}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_serve(commands)
    _add_stdio(commands)
    _add_console(commands)
    _add_setup(commands)
    _add_doctor(commands)
    extension = commands.add_parser(
        "extension", help="say where the browser extension is, and how to load it"
    )
    extension.set_defaults(run=_extension)
    tools = commands.add_parser("tools", help="list the tools that agents get")
    _add_toolsets(tools)
    tools.add_argument("--json", action="store_true", help="with their schemas")
    tools.set_defaults(run=_tools)
    version = commands.add_parser("version", help="print the version")
    version.set_defaults(run=_version)
    return parser


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("serve", help="run the companion of a project")
    _add_place(command)
    command.add_argument("--port", type=_port, metavar="N", help=f"first port to try ({DEFAULT_PORT})")
    command.add_argument(
        "--exit-when-idle",
        type=_seconds,
        metavar="SECONDS",
        help="stop when no dev server and no agent was connected for so long",
    )
    command.set_defaults(run=_serve)


def _add_stdio(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "MCP on stdin and stdout: attaches to the project's companion, or runs one"
    command = commands.add_parser("stdio", help=about, description=f"{about}.")
    _add_place(command)
    command.add_argument(
        "--client-id", metavar="X", help="one session at a time for each id; a newer one wins"
    )
    _add_toolsets(command)
    command.set_defaults(run=_stdio, port=None, exit_when_idle=None)


def _add_console(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "print a link to the web console of the project's companion"
    how = "It works once, within ten minutes."
    command = commands.add_parser("console", help=about, description=f"{about}. {how}")
    _add_project(command)
    command.add_argument("--open", action="store_true", help="open it in the browser, too")
    command.set_defaults(run=_console)


def _add_project(command: argparse.ArgumentParser) -> None:
    command.add_argument("--project", metavar="DIR", help="project root (default: found from here)")
    command.add_argument("--state-dir", metavar="DIR", help="where the queue is kept")


def _add_setup(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "connect a project and the agents in use: shows what it will change, asks, and can be undone"
    command = commands.add_parser("setup", help=about, description=f"{about}.".capitalize())
    command.add_argument("--project", metavar="DIR", help="where the dev server's config is (default: here)")
    agents = ", ".join(agent.id for agent in AGENTS)
    command.add_argument("--agents", metavar="a,b", help=f"{agents}, or all (default: those in use)")
    command.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    command.add_argument("--yes", action="store_true", help="do not ask")
    command.add_argument("--undo", action="store_true", help="take back what setup did in this project")
    command.add_argument("--no-plugin", action="store_true", help="only the agents, not the dev server")
    command.add_argument("--plugin", metavar="SPEC", help="what to install as the plugin, such as a tarball")
    command.set_defaults(run=_setup)


def _add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "look whether all is well here, and say what to do where it is not"
    how = "It changes nothing. The exit code is 1 if there is a problem."
    command = commands.add_parser("doctor", help=about, description=f"{about}. {how}")
    _add_project(command)
    command.add_argument("--json", action="store_true", help="the same as data")
    command.add_argument("--no-attack", action="store_true", help="do not try what the companion must refuse")
    unset = dict.fromkeys(("port", "exit_when_idle", "servers", "script_origins", "tab_port", "tab_origins"))
    command.set_defaults(run=_doctor, no_chrome=False, **unset)


def _add_place(command: argparse.ArgumentParser) -> None:
    _add_project(command)
    command.add_argument("--no-chrome", action="store_true", help="never use or launch a Chrome")
    command.add_argument(
        "--servers", choices=SERVER_POLICIES, help="what agents may start (default: scripts)"
    )
    command.add_argument(
        "--script-origins",
        metavar="a,b",
        help="origins besides the dev servers' own where agents may run scripts; * for any",
    )
    command.add_argument(
        "--tab-port", metavar="N", help=f"where tabs of the extension connect ({TABS['port']}), or off"
    )
    command.add_argument(
        "--tab-origins", metavar="a,b", help="whose tabs may connect there besides the extension's"
    )


def _add_toolsets(command: argparse.ArgumentParser) -> None:
    known = ", ".join(toolset.name for toolset in TOOLSETS)
    command.add_argument("--toolsets", metavar="a,b", help=f"which tools: {known}, or all")


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
    project, state = _project_and_state(args, environment)
    return Settings(
        project=project,
        port=_chosen_port(args.port, environment),
        state=state,
        exit_when_idle=args.exit_when_idle,
        log=environment.get("PAGESIDE_LOG", "info"),
        port_is_asked=args.port is not None or "PAGESIDE_PORT" in environment,
        toolsets=_chosen_toolsets(environment.get("PAGESIDE_TOOLSETS")) or DEFAULT_TOOLSETS,
        chrome=chrome_settings(environment, enabled=not args.no_chrome),
        servers=server_settings(environment, policy=args.servers),
        script_origins=script_origins(environment, flag=args.script_origins),
        tab_port=tab_port(environment, flag=args.tab_port),
        tab_origins=tab_origins(environment, flag=args.tab_origins),
    )


def _project_and_state(args: argparse.Namespace, environment: dict[str, str]) -> tuple[Path, Path]:
    project = args.project or environment.get("PAGESIDE_PROJECT")
    if project is not None and not Path(project).is_dir():
        raise InvalidArguments(f"{project} is not a folder.", fix="Name the project's folder.")
    state = args.state_dir or environment.get("PAGESIDE_STATE_DIR")
    root = Path(project).resolve() if project else project_root(Path.cwd())
    return root, Path(state).absolute() if state else default_state_dir()


def _chosen_port(flag: int | None, environment: dict[str, str]) -> int:
    if flag is not None:
        return flag
    try:
        return _port(environment.get("PAGESIDE_PORT", str(DEFAULT_PORT)))
    except argparse.ArgumentTypeError as error:
        raise InvalidArguments(f"PAGESIDE_PORT: {error}.", fix="Set a port, or unset it.") from None


def _chosen_toolsets(text: str | None) -> tuple[str, ...]:
    """Those that are named, checked; empty when none are."""
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    return chosen_toolsets(names, TOOLSETS)


def _serve(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    _log_to_stderr(settings)
    return asyncio.run(serve(settings))


def _stdio(args: argparse.Namespace) -> int:
    settings = settings_of(args)
    toolsets = _chosen_toolsets(args.toolsets or from_environment().get("PAGESIDE_TOOLSETS"))
    _log_to_stderr(settings)
    query = {
        "clientId": args.client_id,
        "toolsets": ",".join(toolsets),
        "chrome": own_chrome(from_environment()) if settings.chrome.enabled else None,
    }
    return asyncio.run(stdio(settings, {name: value for name, value in query.items() if value}))


def _console(args: argparse.Namespace) -> int:
    project, state = _project_and_state(args, from_environment())
    link = asyncio.run(fresh_link(Settings(project=project, port=0, state=state)))
    print(link, flush=True)
    if args.open and not webbrowser.open(link):
        print("No browser could be opened: open the link yourself.", file=sys.stderr)
        return 1
    return 0


def _extension(_args: argparse.Namespace) -> int:
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
    environment = from_environment()
    folder = Path(args.project or environment.get("PAGESIDE_PROJECT") or ".")
    if not folder.is_dir():
        raise InvalidArguments(f"{folder} is not a folder.", fix="Name the project's folder.")
    state = environment.get("PAGESIDE_STATE_DIR")
    options = SetupOptions(
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
    chosen = _chosen_toolsets(args.toolsets) or [toolset.name for toolset in TOOLSETS]
    tools = {tool.name: tool for each in TOOLSETS if each.name in chosen for tool in each.tools}
    definitions = [dict(tool.definition) for tool in tools.values()]
    if args.json:
        print(json.dumps(definitions, indent=1))
    else:
        for tool in definitions:
            print(f"{tool['name']:<26} {tool['description'].split('. ')[0]}")
    return 0


def _version(_args: argparse.Namespace) -> int:
    print(__version__)
    return 0
