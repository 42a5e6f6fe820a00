"""variables.md: environment variables, and the flags of every command."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from docs_reference.options import of_the_middleware, of_the_plugin
from docs_reference.schemas import code, prose, table
from pageside.arguments import command_line
from pageside.settings import ALIASES, VARIABLES


def page() -> str:
    """The whole page."""
    own = [(code(name), prose(text)) for name, text in VARIABLES.items()]
    commands = "\n".join(_command(name, each) for name, each in commands_of(command_line()))
    return f"""# Variables and flags

Defaults give way to variables, variables to flags. An empty variable is none.

## The companion

Read by `pageside serve` and `pageside stdio`, whoever starts them. Other names, which give way to the proper ones:
{_aliases()}.

{table(["variable", ""], own)}
## The Vite plugin and the Python middleware

In the environment of the dev server or the app. They win over the [options](options.md).

{table(["variable", "Vite plugin", "Python middleware"], _of_options())}
Two have no option: `PAGESIDE_PAGE_TOKEN` and `PAGESIDE_PLUGIN_TOKEN` go with `PAGESIDE_URL` where the companion's state
folder is out of reach, as in a container.

## Commands

{commands}"""


def _aliases() -> str:
    return ", ".join(f"{code(alias)} for {code(name)}" for alias, name in ALIASES.items())


def _of_options() -> Iterator[tuple[str, str, str]]:
    plugin = {each.variable: each.name for each in of_the_plugin() if each.variable}
    middleware = {each.variable: each.name for each in of_the_middleware() if each.variable}
    for variable in dict.fromkeys([*plugin, *middleware]):
        yield code(variable), code(plugin.get(variable, "")), code(middleware.get(variable, ""))


def commands_of(of: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Each command by its whole name, `pageside serve`, with what reads its arguments."""
    for action in actions_of(of):
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield command.prog, command


def actions_of(of: argparse.ArgumentParser) -> list[argparse.Action]:
    """What it takes, but for --help."""
    # argparse has no other way to ask.
    actions: list[argparse.Action] = of._actions  # noqa: SLF001
    return [each for each in actions if each.dest != "help"]


def _command(name: str, command: argparse.ArgumentParser) -> str:
    rows = [(_written(each), prose((each.help or "") % vars(each))) for each in actions_of(command)]
    shown = table(["flag", ""], rows) if rows else "No flags.\n"
    return f"### `{name}`\n\n{shown}"


def _written(action: argparse.Action) -> str:
    value = f" {action.metavar or '|'.join(action.choices or ())}" if action.nargs != 0 else ""
    return code(f"{' '.join(action.option_strings) or action.dest}{value}")
