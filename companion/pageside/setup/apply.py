"""A plan carried out: each step is noted before it is done, and one that fails leaves the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from pageside.setup import packages
from pageside.setup.files import Trouble, write
from pageside.setup.journal import Journal, content_of, fingerprint
from pageside.setup.plan import Change, Command, Plan, shown_path

Say = Callable[[str], None]


def apply(plan: Plan, journal: Journal, say: Say) -> list[str]:
    """Do it all, and tell of each step; what failed, in words."""
    failed: list[str] = []
    for change in plan.agents:
        _step(failed, partial(_change, change, plan.root, journal, say))
    is_installed = plan.command is None or _step(failed, partial(_install, plan.command, journal, say))
    for change in plan.configs:
        name = shown_path(change.source.shown, plan.root)
        if is_installed:
            _step(failed, partial(_change, change, plan.root, journal, say))
        else:
            failed.append(
                f"{name} is left alone: it would not start without {packages.PLUGIN}. Run this again then."
            )
    return failed


def _step(failed: list[str], do: Callable[[], None]) -> bool:
    try:
        do()
    except (Trouble, OSError) as error:
        failed.append(str(error))
        return False
    return True


def _change(change: Change, root: Path, journal: Journal, say: Say) -> None:
    path, name = change.source.path, shown_path(change.source.shown, root)
    if content_of(path) != change.source.content:
        raise Trouble(f"{name} has changed meanwhile; it is left alone. Run this again.")
    record = journal.will_change(change)
    try:
        folders = write(path, change.after)
    except OSError as error:
        journal.forget(record)
        raise Trouble(f"{name} cannot be written: {error.strerror}. It is as it was.") from None
    record["folders"] = [str(folder) for folder in folders]
    journal.save()
    say(f"  {'wrote' if change.source.content is None else 'changed'} {name}")


def _install(command: Command | None, journal: Journal, say: Say) -> None:
    assert command is not None
    say(f"  running {' '.join(command.argv)} …")
    before = {path: content_of(path) for path in command.files}
    record = journal.will_run(command, before)
    try:
        packages.run(command.argv, command.folder)
    except Trouble:
        if all(content_of(path) == content for path, content in before.items()):
            journal.forget(record)
        raise
    finally:
        for file in record["files"]:
            file["after"] = fingerprint(content_of(Path(file["path"])))
    journal.save()
