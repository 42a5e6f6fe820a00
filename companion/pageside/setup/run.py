"""`pageside setup` from its flags to its exit code: plan, show, ask, do, and what comes next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from pageside.errors import InvalidArguments
from pageside.processes.project import project_root
from pageside.setup import bundler, packages, python_pages
from pageside.setup.agents import Kept, chosen, plan_agent
from pageside.setup.apply import apply
from pageside.setup.bundler import Config
from pageside.setup.commands import find_starters
from pageside.setup.files import Trouble
from pageside.setup.journal import Journal
from pageside.setup.plan import Plan, diff, shown_path
from pageside.setup.undo import undo

Ask = Callable[[str], str]
"""Puts a question to whoever is at the terminal, and returns the answer."""

DONE, UNDONE = 0, 1
_OWN_PROGRAM = (
    "The agents' files name a program of this machine. For files that others can use too, install it outside of"
    " the project (uv tool install pageside, or pipx install pageside) and run this again."
)


@dataclass(frozen=True, slots=True)
class Options:
    """The flags of the command."""

    folder: Path
    state: Path
    agents: str | None = None
    dry_run: bool = False
    yes: bool = False
    plugin: bool = True
    spec: str | None = None


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where it is told, and who is asked: nobody if `ask` is None."""

    say: Callable[[str], None]
    ask: Ask | None = None

    def agrees(self, question: str) -> bool:
        return self.ask is not None and self.ask(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def set_up(options: Options, terminal: Terminal) -> int:
    """Plan, show, ask, do; the exit code: 0 if all that was wanted is done or was there."""
    root = project_root(options.folder)
    plan = _without_foreign(_plan(root, options, terminal), options, terminal)
    _show(plan, terminal)
    if plan.is_empty:
        terminal.say("Nothing to do: everything else is set up." if plan.troubles else "Nothing to do.")
        return UNDONE if plan.troubles and not options.dry_run else DONE
    if options.dry_run:
        terminal.say("Dry run: nothing was changed.")
        return DONE
    if not options.yes and not terminal.agrees("Do this?"):
        why = "Nothing was changed."
        if terminal.ask is None:
            why += " There is no terminal to ask on: run it with --yes."
        terminal.say(why)
        return UNDONE
    failed = apply(plan, Journal(options.state, root), terminal.say)
    _show_end(plan, failed, terminal)
    return UNDONE if failed or plan.troubles else DONE


def take_back(options: Options, terminal: Terminal) -> int:
    """Undo what set-ups did in this project; the exit code: 0 if nothing stayed."""
    root = project_root(options.folder)
    journal = Journal(options.state, root)
    if not journal.records:
        terminal.say(f"Nothing to undo in {root}.")
        return DONE
    if options.dry_run:
        for record in reversed(journal.records):
            told = " ".join(record.get("undo", [])) or shown_path(Path(record["path"]), root)
            terminal.say(f"  would take back: {told}")
        terminal.say("Dry run: nothing was changed.")
        return DONE
    failed = undo(journal, root, terminal.say)
    for each in failed:
        terminal.say(f"! {each}")
    terminal.say("Undone." if not failed else "The rest is undone.")
    return UNDONE if failed else DONE


def _plan(root: Path, options: Options, terminal: Terminal) -> Plan:
    plan = Plan(root)
    _plan_agents(plan, options)
    if options.plugin:
        try:
            _plan_plugin(plan, options, terminal)
        except Trouble as trouble:
            plan.troubles.append(str(trouble))
    for title in python_pages.find_python_pages(options.folder):
        plan.notes.append(python_pages.to_paste(title))
    return plan


def _plan_agents(plan: Plan, options: Options) -> None:
    agents = chosen(options.agents, plan.root)
    if not agents:
        plan.notes.append(
            "No agent was found here: name yours with --agents (claude, cursor, vscode, … or all)."
        )
    starters = find_starters()
    for agent in agents:
        try:
            change = plan_agent(agent, plan.root, starters)
        except Trouble as trouble:
            plan.troubles.append(str(trouble))
            continue
        except Kept as kept:
            plan.notes.append(str(kept))
            continue
        if change is None:
            continue
        plan.agents.append(change)
        if agent.is_shared and not starters.shared and _OWN_PROGRAM not in plan.notes:
            plan.notes.append(_OWN_PROGRAM)


def _plan_plugin(plan: Plan, options: Options, terminal: Terminal) -> None:
    config = _one_config(bundler.find_configs(options.folder), options, terminal)
    if config is None:
        if not python_pages.find_python_pages(options.folder):
            plan.notes.append(f"No project with Vite, Nuxt or Astro was found in {options.folder}.")
        return
    folder = bundler.package_for(config, plan.root)
    plan.command = packages.plan_install(folder, plan.root, options.spec)
    try:
        change = bundler.plan_config(config)
    except Trouble as trouble:
        plan.troubles.append(str(trouble))
        return
    if change is not None:
        plan.configs.append(change)


def _one_config(found: list[Config], options: Options, terminal: Terminal) -> Config | None:
    if len(found) < 2:
        return found[0] if found else None
    names = [shown_path(config.path, options.folder) for config in found]
    listed = "".join(f"\n  {number}  {name}" for number, name in enumerate(names, 1))
    if terminal.ask is None or options.yes:
        folders = ", ".join(str(Path(name).parent) for name in names)
        raise Trouble(f"There are several configs: name the folder with --project ({folders}).")
    answer = terminal.ask(f"Which one shall have the plugin?{listed}\nNumber, or nothing for none: ").strip()
    if not answer:
        return None
    if not answer.isdecimal() or not 1 <= int(answer) <= len(found):
        raise InvalidArguments(f"{answer!r} is none of these numbers.", fix="Run it again.")
    return found[int(answer) - 1]


def _without_foreign(plan: Plan, options: Options, terminal: Terminal) -> Plan:
    """Entries of others under our name stay, unless somebody says that they may go."""
    kept, troubles = [], list(plan.troubles)
    for change in plan.agents:
        name = shown_path(change.source.shown, plan.root)
        if change.replaces and (
            options.yes or options.dry_run or not _may_replace(change.replaces, name, terminal)
        ):
            troubles.append(
                f"{name} has another server called 'pageside' ({change.replaces}). It is left alone; rename or"
                " remove it, or run this at a terminal without --yes, which asks."
            )
        else:
            kept.append(change)
    return replace(plan, agents=kept, troubles=troubles)


def _may_replace(replaced: str, name: str, terminal: Terminal) -> bool:
    return terminal.agrees(f"{name} has another server called 'pageside' ({replaced}). Replace it?")


def _show(plan: Plan, terminal: Terminal) -> None:
    for change in (*plan.agents, *plan.configs):
        terminal.say(f"{change.what}:\n{diff(change, plan.root)}")
    if plan.command is not None:
        terminal.say(f"In {plan.command.folder}:\n  $ {' '.join(plan.command.argv)}\n")
    for note in plan.notes:
        terminal.say(f"{note}\n")
    for trouble in plan.troubles:
        terminal.say(f"! {trouble}\n")


def _show_end(plan: Plan, failed: list[str], terminal: Terminal) -> None:
    for each in failed:
        terminal.say(f"! {each}")
    steps = [change.next_step for change in (*plan.agents, *plan.configs)]
    terminal.say("\nNext:" if steps else "")
    for step in steps:
        terminal.say(f"  {step}")
    terminal.say("  `pageside setup --undo` takes it all back.")
