"""Which agents are in use, and what becomes of their files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pageside.core import jsonc, jsonc_edit, toml_edit
from pageside.core.agent_files import (
    AGENTS,
    OPENCODE_2,
    SERVER,
    Agent,
    argv_of,
    entry,
    is_our_url,
    is_ours,
    update,
    url_key_of,
)
from pageside.core.jsonc import BOM, Unreadable
from pageside.core.jsonc_edit import NotEditable
from pageside.core.nested import below
from pageside.core.redaction import redact_url
from pageside.errors import InvalidArguments
from pageside.setup.agent_places import below_home, is_in_use, written_file
from pageside.setup.commands import Starters
from pageside.setup.files import Source, Trouble, read, unreadable
from pageside.setup.plan import Change


class Kept(Exception):
    """An entry of ours that somebody has written by hand, and that stays as it is; in words for the user."""


def chosen(named: str | None, root: Path) -> tuple[Agent, ...]:
    """Those that `--agents` names, else those in use; raises `InvalidArguments` for an unknown one."""
    if named is None:
        return tuple(agent for agent in AGENTS if is_in_use(agent, root))
    names = [name.strip().lower() for name in named.split(",") if name.strip()]
    known = {agent.id: agent for agent in AGENTS}
    for name in names:
        if name not in known and name != "all":
            raise InvalidArguments(
                f"--agents: there is no agent {name!r}.", fix=f"Choose from {', '.join(known)}, or all."
            )
    return AGENTS if "all" in names else tuple(known[name] for name in dict.fromkeys(names))


def plan_agent(agent: Agent, root: Path, starters: Starters) -> Change | None:
    """How its file changes; None where it has our entry already. Raises `Trouble`, and `Kept`."""
    if agent.id == "codex" and _is_trusted_by_codex(root):
        agent = replace(agent, place="project")
    source = read(written_file(agent, root))
    if agent.id == "opencode" and _is_of_opencode_2(source):
        agent = OPENCODE_2
    wanted = [entry(agent, argv, str(root)) for argv in starters.of(agent)]
    try:
        return (
            _plan_toml(agent, source, wanted) if agent.form == "toml" else _plan_jsonc(agent, source, wanted)
        )
    except Unreadable as error:
        raise unreadable(source.shown, error) from None
    except UnicodeEncodeError:
        raise Trouble(
            f"{source.shown} is left alone: the project's path cannot be written in UTF-8."
        ) from None
    except NotEditable as error:
        raise Trouble(
            f"{source.shown}: {error}. It is left alone; add {'.'.join(_path(agent))} yourself."
        ) from None


def _is_trusted_by_codex(root: Path) -> bool:
    """Codex reads a project's own config only then."""
    try:
        data = toml_edit.parse(below_home(".codex/config.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return bool(below(data, "projects", str(root), "trust_level") == "trusted")


def _is_of_opencode_2(source: Source) -> bool:
    """Its first version would take `servers` for the name of a server."""
    try:
        servers = below(jsonc.parse(source.text).root.value, "mcp", "servers")
    except Unreadable:
        return False
    return isinstance(servers, dict) and "type" not in servers


def _path(agent: Agent) -> tuple[str, ...]:
    return (*agent.keys, SERVER)


def _plan_jsonc(agent: Agent, source: Source, wanted: list[dict[str, Any]]) -> Change | None:
    text, path = source.text, _path(agent)
    if not text.strip(f"{BOM} \t\r\n"):
        # A file without content is one without keys.
        text = (BOM if text.startswith(BOM) else "") + "{}\n"
    node = jsonc.parse(text).at(path)
    how: dict[str, Any] = {"form": "jsonc", "path": path}
    if node is None:
        after, added = jsonc_edit.add(text, path, wanted[0])
        return _change(agent, source, after, how | {"added": added.to_json()})
    _keep_url(node.value, source)
    if not is_ours(argv_of(node.value)):
        after = jsonc_edit.replace(text, path, wanted[0])
        return _change(agent, source, after, how | {"whole": node.value}, replaces=_described(node.value))
    new = _new_values(node.value, wanted)
    after = text
    for key, value in new.items():
        after = jsonc_edit.replace(after, (*path, key), value)
    return _updated(agent, source, after, how, node.value, new)


def _plan_toml(agent: Agent, source: Source, wanted: list[dict[str, Any]]) -> Change | None:
    text, path = source.text, _path(agent)
    found = below(toml_edit.parse(text), *path)
    how: dict[str, Any] = {"form": "toml", "path": path}
    if found is None:
        after, written = toml_edit.add(text, path, wanted[0])
        return _change(agent, source, after, how | {"added": written})
    _keep_url(found, source)
    if not is_ours(argv_of(found)):
        after = toml_edit.add(toml_edit.remove(text, path), path, wanted[0])[0]
        return _change(agent, source, after, how | {"whole": found}, replaces=_described(found))
    new = _new_values(found, wanted)
    return _updated(agent, source, toml_edit.replace(text, path, new) if new else text, how, found, new)


def _keep_url(found: Any, source: Source) -> None:
    key = url_key_of(found)
    if key is not None and is_our_url(found[key]):
        raise Kept(
            f"{source.shown} names {redact_url(found[key])}. It is left as it is, and `pageside doctor` says whether"
            " that lives; remove the entry and run this again to have one that needs no port."
        )


def _new_values(found: dict[str, Any], wanted: list[dict[str, Any]]) -> dict[str, Any]:
    """Nothing where it works here in any of the ways: a team's file shall not change with each of its members."""
    updates = [update(found, each) for each in wanted]
    return {} if {} in updates else updates[0]


def _updated(
    agent: Agent, source: Source, after: str, how: dict[str, Any], old: dict[str, Any], new: dict[str, Any]
) -> Change | None:
    previous = {key: old.get(key) for key in new}
    return _change(agent, source, after, how | {"previous": previous}) if new else None


def _change(agent: Agent, source: Source, after: str, how: dict[str, Any], replaces: str = "") -> Change:
    next_step = f"{agent.name}: {agent.next_step}."
    return Change(agent.name, source, after.encode(), how, next_step, replaces)


def _described(found: Any) -> str:
    """What it starts, or where it connects, in a few words."""
    argv = argv_of(found)
    if argv is not None:
        return " ".join(argv)
    key = url_key_of(found)
    return str(found[key]) if key is not None else "something else"
