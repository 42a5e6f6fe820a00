"""The flags of each command, and what they, the environment and the defaults come to."""

from __future__ import annotations

import argparse
from pathlib import Path

from pageside.contract import TABS
from pageside.core.agent_files import AGENTS
from pageside.core.toolset_names import TOOLSETS
from pageside.core.toolset_names import chosen_toolsets as checked_toolsets
from pageside.errors import InvalidArguments
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
    script_origins,
    server_settings,
    tab_origins,
    tab_port,
)


def command_line() -> argparse.ArgumentParser:
    """What reads the arguments of every command; the docs are made from it."""
    variables = "\n".join(f"  {name:<24} {text}" for name, text in VARIABLES.items())
    parser = argparse.ArgumentParser(
        prog="pageside",
        description="Point at an element in your dev page; your coding agent sees it.",
        epilog=f"environment variables:\n{variables}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, dest="command", metavar="command")
    _add_serve(commands)
    _add_stdio(commands)
    _add_console(commands)
    _add_setup(commands)
    _add_doctor(commands)
    commands.add_parser("extension", help="say where the browser extension is, and how to load it")
    tools = commands.add_parser("tools", help="list the tools that agents get")
    _add_toolsets(tools)
    tools.add_argument("--json", action="store_true", help="with their schemas")
    about = "print the skill that teaches agents the loop"
    how = "Keep it as .claude/skills/pageside/SKILL.md."
    commands.add_parser("skill", help=about, description=f"{about}. {how}")
    commands.add_parser("version", help="print the version")
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


def _add_stdio(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "MCP on stdin and stdout: attaches to the project's companion, or runs one"
    command = commands.add_parser("stdio", help=about, description=f"{about}.")
    _add_place(command)
    command.add_argument(
        "--client-id", metavar="X", help="one session at a time for each id; a newer one wins"
    )
    _add_toolsets(command)
    command.set_defaults(port=None, exit_when_idle=None)


def _add_console(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "print a link to the web console of the project's companion"
    how = "It works once, within ten minutes."
    command = commands.add_parser("console", help=about, description=f"{about}. {how}")
    _add_project(command)
    command.add_argument("--open", action="store_true", help="open it in the browser, too")


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


def _add_doctor(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "look whether all is well here, and say what to do where it is not"
    how = "It changes nothing. The exit code is 1 if there is a problem."
    command = commands.add_parser("doctor", help=about, description=f"{about}. {how}")
    _add_project(command)
    command.add_argument("--json", action="store_true", help="the same as data")
    command.add_argument("--no-attack", action="store_true", help="do not try what the companion must refuse")
    unset = dict.fromkeys(("port", "exit_when_idle", "servers", "script_origins", "tab_port", "tab_origins"))
    command.set_defaults(no_chrome=False, **unset)


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
    known = ", ".join(TOOLSETS)
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
    project, state = project_and_state(args, environment)
    return Settings(
        project=project,
        port=_chosen_port(args.port, environment),
        state=state,
        exit_when_idle=args.exit_when_idle,
        log=environment.get("PAGESIDE_LOG", "info"),
        port_is_asked=args.port is not None or "PAGESIDE_PORT" in environment,
        toolsets=chosen_toolsets(environment.get("PAGESIDE_TOOLSETS")) or DEFAULT_TOOLSETS,
        chrome=chrome_settings(environment, enabled=not args.no_chrome),
        servers=server_settings(environment, policy=args.servers),
        script_origins=script_origins(environment, flag=args.script_origins),
        tab_port=tab_port(environment, flag=args.tab_port),
        tab_origins=tab_origins(environment, flag=args.tab_origins),
    )


def project_and_state(args: argparse.Namespace, environment: dict[str, str]) -> tuple[Path, Path]:
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


def chosen_toolsets(text: str | None) -> tuple[str, ...]:
    """Those that are named, checked; empty when none are."""
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    return checked_toolsets(names)
