"""`pageside setup` and the agents' files: made, added to, updated, left alone, and given back to the byte."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pageside import __version__
from pageside.core import jsonc
from pageside.core.agent_files import AGENTS, Agent
from pageside.setup import apply, files
from pageside.setup.run import Options, Terminal, set_up
from setup.conftest import Machine

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and a PATH of our own")

BY_ID = {agent.id: agent for agent in AGENTS}


def file_of(agent: Agent, machine: Machine) -> Path:
    return (machine.project if agent.place == "project" else machine.home) / agent.files[0]


def data_of(agent: Agent, text: str) -> Any:
    data = tomllib.loads(text) if agent.form == "toml" else jsonc.parse(text).root.value
    return data[agent.keys[0]]


def others(agent: Agent) -> str:
    """A file with servers of others in it, written by hand."""
    if agent.form == "toml":
        return '# mine\nmodel = "x"   # why\n\n[mcp_servers.other]\ncommand = "other"\n\n[tui]\nnotifications = true'
    return (
        '\ufeff// mine\r\n{\r\n\t"unknown": [1, 2,], // kept\r\n'
        f'\t"{agent.keys[0]}": {{\r\n\t\t"other": {{ "command": "other" }} /* last */,\r\n\t}},\r\n}}'
    )


@pytest.mark.parametrize("agent", AGENTS, ids=[agent.id for agent in AGENTS])
def test_a_file_is_made_and_goes_again_with_its_folders(machine: Machine, agent: Agent) -> None:
    machine.has_program("pageside")
    before = machine.files()
    assert machine.setup("--agents", agent.id, "--yes") == 0
    entry = data_of(agent, file_of(agent, machine).read_text())["pageside"]
    words = entry["command"] if agent.one_list else [entry["command"], *entry["args"]]
    assert words[0] == ("pageside" if agent.is_shared else str(machine.bin / "pageside"))
    assert words[1] == "stdio"
    assert machine.setup("--agents", agent.id, "--yes") == 0
    assert "Nothing to do." in machine.said
    assert machine.setup("--undo") == 0
    assert machine.files() == before


@pytest.mark.parametrize("agent", AGENTS, ids=[agent.id for agent in AGENTS])
def test_an_entry_is_added_beside_others_and_taken_back_to_the_byte(machine: Machine, agent: Agent) -> None:
    file = file_of(agent, machine)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(others(agent).encode())
    file.chmod(0o640)
    before = machine.files()
    assert machine.setup("--agents", agent.id, "--yes") == 0
    text = file.read_bytes().decode()
    assert set(data_of(agent, text)) == {"other", "pageside"}
    assert all(line in text for line in others(agent).split("/*")[0].splitlines())
    assert file.stat().st_mode & 0o777 == 0o640
    assert machine.setup("--undo") == 0
    assert machine.files() == before
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("agent", AGENTS, ids=[agent.id for agent in AGENTS])
def test_our_part_alone_goes_where_somebody_has_written_since(machine: Machine, agent: Agent) -> None:
    file = file_of(agent, machine)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(others(agent).encode())
    assert machine.setup("--agents", agent.id, "--yes") == 0
    more = "\n# theirs\n" if agent.form == "toml" else "\n// theirs\n"
    file.write_bytes(file.read_bytes() + more.encode())
    assert machine.setup("--undo") == 0
    assert "took our part out of" in machine.said
    assert file.read_bytes() == (others(agent) + more).encode()


@pytest.mark.parametrize("agent", AGENTS, ids=[agent.id for agent in AGENTS])
def test_an_older_entry_of_ours_is_updated_and_what_the_user_set_stays(
    machine: Machine, agent: Agent
) -> None:
    machine.has_program("pageside")
    file = file_of(agent, machine)
    assert machine.setup("--agents", agent.id, "--yes") == 0
    program = "pageside" if agent.is_shared else str(machine.bin / "pageside")
    made = file.read_text()
    gone = re.sub(rf'(command"?( =|:) \[?)"{program}"', r'\1"/gone/bin/pageside"', made)
    old = re.sub(r'"stdio"(?=\],?$|, "--)', '"stdio", "--toolsets", "all"', gone, flags=re.MULTILINE)
    if agent.form == "toml":
        old += "enabled = false # for now\n"
    file.write_text(old)
    assert machine.setup("--agents", agent.id, "--yes") == 0
    assert re.search(rf"^\+.*{re.escape(program)}", machine.said, re.MULTILINE)
    entry = data_of(agent, file.read_text())["pageside"]
    assert "/gone" not in file.read_text()
    assert "--toolsets" in (entry["command"] if agent.one_list else entry["args"])
    assert agent.form != "toml" or "enabled = false # for now\n" in file.read_text()
    # The second set-up is undone first: it gives back what it found.
    assert machine.setup("--undo") == 0
    assert not file.exists()


def test_a_server_of_others_with_our_name_is_replaced_only_when_somebody_says_so(machine: Machine) -> None:
    file = machine.project / ".mcp.json"
    theirs = '{\n  "mcpServers": { "pageside": { "command": "npx", "args": ["-y", "theirs"] } }\n}\n'
    file.write_text(theirs)
    assert machine.setup("--agents", "claude", "--yes", "--no-plugin") == 1
    assert "another server called 'pageside' (npx -y theirs)" in machine.said
    assert machine.setup_at_terminal("n", agents="claude") == 1
    assert file.read_text() == theirs
    assert machine.setup_at_terminal("y", "y", agents="claude") == 0
    assert "theirs" not in file.read_text()
    assert machine.setup("--undo") == 0
    assert file.read_text() == theirs


def test_a_file_of_opencode_2_gets_the_entry_where_that_one_has_its_servers(machine: Machine) -> None:
    machine.has_program("pageside")
    file = machine.project / "opencode.jsonc"
    theirs = '{\n  "mcp": {\n    "servers": { "other": { "type": "local", "command": ["other"] } }, // mine\n  },\n}\n'
    file.write_text(theirs)
    assert machine.setup("--agents", "opencode", "--yes", "--no-plugin") == 0
    servers = jsonc.parse(file.read_text()).root.value["mcp"]["servers"]
    assert servers["pageside"] == {
        "type": "local",
        "command": ["pageside", "stdio"],
        "timeout": {"startup": 60_000},
    }
    assert machine.setup("--agents", "opencode", "--yes", "--no-plugin") == 0
    assert "Nothing to do." in machine.said
    assert machine.setup("--undo") == 0
    assert file.read_text() == theirs


def test_a_server_of_opencode_1_may_be_called_servers(machine: Machine) -> None:
    file = machine.project / "opencode.json"
    file.write_text('{"mcp": {"servers": {"type": "remote", "url": "http://x"}}}')
    assert machine.setup("--agents", "opencode", "--yes", "--no-plugin") == 0
    assert set(jsonc.parse(file.read_text()).root.value["mcp"]) == {"servers", "pageside"}


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_an_entry_with_our_url_is_left_as_it_is(machine: Machine, agent: str) -> None:
    url = "http://localhost:6999/__mcp__?toolsets=chrome"
    files = {
        "claude": (machine.project / ".mcp.json", f'{{"mcpServers": {{"pageside": {{"url": "{url}"}}}}}}'),
        "codex": (machine.home / ".codex" / "config.toml", f'[mcp_servers.pageside]\nurl = "{url}"\n'),
    }
    file, text = files[agent]
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    assert machine.setup("--agents", agent, "--yes", "--no-plugin") == 0
    assert url in machine.said
    assert "pageside doctor" in machine.said
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{\n  "mcpServers": {\n    oops\n', "line 3, column 5: a key in double quotes is expected here"),
        (b'{"a": "\xff"}', "line 1, column 8: this is not UTF-8"),
        (b'{"mcpServers": []}', "mcpServers is no object"),
    ],
)
def test_a_file_that_cannot_be_read_is_left_alone_and_the_others_are_set_up(
    machine: Machine, content: bytes, why: str
) -> None:
    file = machine.project / ".mcp.json"
    file.write_bytes(content)
    assert machine.setup("--agents", "claude,gemini", "--yes") == 1
    assert why in machine.said
    assert f"{file}" in machine.said
    assert file.read_bytes() == content
    assert (machine.project / ".gemini" / "settings.json").is_file()


def test_links_are_followed_and_stay_links(machine: Machine) -> None:
    real = machine.home / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text('{\n    "mcpServers": {}\n}\n')
    (machine.project / ".mcp.json").symlink_to(real)
    before = machine.files()
    assert machine.setup("--agents", "claude", "--yes") == 0
    assert (machine.project / ".mcp.json").is_symlink()
    assert '        "pageside": {' in real.read_text()
    assert machine.setup("--undo") == 0
    assert machine.files() == before


def test_read_only_files_folders_in_the_way_and_files_of_others_are_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine.project / ".mcp.json").write_text("{}")
    (machine.project / ".mcp.json").chmod(0o444)
    (machine.project / ".gemini" / "settings.json").mkdir(parents=True)
    (machine.project / "loop").symlink_to("loop")
    (machine.project / ".zed").mkdir()
    (machine.project / ".zed" / "settings.json").symlink_to(machine.project / "loop")
    before = machine.files()
    assert machine.setup("--agents", "claude,gemini,zed", "--yes") == 1
    assert "is read-only" in machine.said
    assert "is no file" in machine.said
    assert "circle" in machine.said or "Too many levels" in machine.said
    (machine.project / ".mcp.json").chmod(0o644)
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert machine.setup("--agents", "claude", "--dry-run") == 0
    assert f"belongs to another user (uid {owner})" in machine.said
    monkeypatch.undo()
    assert machine.files() == before


@pytest.mark.parametrize("flags", [["--dry-run"], ["--dry-run", "--yes"]])
def test_a_dry_run_shows_all_and_changes_nothing(machine: Machine, flags: list[str]) -> None:
    before = machine.files()
    assert machine.setup("--agents", "all", *flags) == 0
    assert machine.said.count("+++ ") == len(AGENTS)
    assert machine.files() == before
    assert not machine.state.exists()


def test_without_a_terminal_nothing_is_done_unasked(machine: Machine) -> None:
    before = machine.files()
    assert machine.setup("--agents", "claude") == 1
    assert "run it with --yes" in machine.said
    assert machine.setup_at_terminal("no", agents="claude") == 1
    assert machine.files() == before
    assert machine.setup("--undo") == 0
    assert "Nothing to undo" in machine.said


def test_agents_in_use_are_found_by_project_home_and_path(machine: Machine) -> None:
    (machine.project / ".cursor").mkdir()
    (machine.home / ".codex").mkdir()
    machine.has_program("opencode")
    assert machine.setup("--dry-run") == 0
    titles = re.findall(r"^([A-Z]\w[\w ]*|opencode):$", machine.said, re.MULTILINE)
    assert titles == ["Cursor", "Codex", "opencode"]


def test_an_agent_that_there_is_not_is_refused_by_name(machine: Machine) -> None:
    assert machine.setup("--agents", "claude,emacs") == 1
    assert "there is no agent 'emacs'" in machine.said
    assert "claude, cursor" in machine.said


def test_files_of_a_team_name_no_path_of_this_machine(machine: Machine) -> None:
    machine.has_program("uvx")
    assert machine.setup("--agents", "claude,windsurf", "--yes") == 0
    shared = json.loads((machine.project / ".mcp.json").read_text())["mcpServers"]["pageside"]
    assert shared == {"command": "uvx", "args": [f"pageside@{__version__}", "stdio"]}
    own = json.loads((machine.home / ".codeium/windsurf/mcp_config.json").read_text())["mcpServers"][
        "pageside"
    ]
    assert Path(own["command"]).is_absolute()
    assert own["args"][-2:] == ["--project", str(machine.project)]
    # A colleague has it installed; the file works for both.
    machine.has_program("pageside")
    assert machine.setup("--agents", "claude", "--yes") == 0
    assert "Nothing to do." in machine.said


def test_codex_has_it_in_the_project_where_it_trusts_that(machine: Machine) -> None:
    config = machine.home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text(f'[projects."{machine.project}"]\ntrust_level = "trusted"\n')
    before = machine.files()
    assert machine.setup("--agents", "codex", "--yes") == 0
    assert tomllib.loads((machine.project / ".codex" / "config.toml").read_text())["mcp_servers"]["pageside"]
    assert machine.setup("--undo") == 0
    assert machine.files() == before


def test_an_empty_file_is_one_without_servers(machine: Machine) -> None:
    (machine.project / ".vscode").mkdir()
    (machine.project / ".vscode" / "mcp.json").write_text("\n")
    before = machine.files()
    assert machine.setup("--agents", "vscode", "--yes") == 0
    assert machine.setup("--undo") == 0
    assert machine.files() == before


def test_at_a_terminal_it_asks_before_it_writes(machine: Machine) -> None:
    terminal, program = os.openpty()
    command = [sys.executable, "-m", "pageside", "setup", "--agents", "claude"]
    with subprocess.Popen(command, stdin=program, stdout=program, stderr=program) as running:
        os.close(program)
        said = b""
        while b"[y/N]" not in said:
            said += os.read(terminal, 4096)
        assert not (machine.project / ".mcp.json").exists()
        os.write(terminal, b"y\n")
        assert running.wait(30) == 0
    os.close(terminal)
    assert b'+    "pageside": {' in said
    assert (machine.project / ".mcp.json").is_file()


def test_what_was_written_before_it_was_ended_is_undone(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(path: Path, content: bytes) -> list[Path]:
        files.write(path, content)
        raise KeyboardInterrupt

    (machine.project / ".mcp.json").write_text("{}")
    before = machine.files()
    with monkeypatch.context() as ended:
        ended.setattr(apply, "write", end)
        assert machine.setup("--agents", "claude", "--yes") == 130
    assert machine.files() != before
    assert machine.setup("--undo") == 0
    assert machine.files() == before


def test_a_file_that_changes_while_it_asks_is_left_alone(machine: Machine) -> None:
    file = machine.project / ".mcp.json"
    file.write_text("{}")

    def answer(_question: str) -> str:
        file.write_text('{"mine": 1}')
        return "y"

    said: list[str] = []
    options = Options(machine.project, machine.state, agents="claude", plugin=False)
    assert set_up(options, Terminal(said.append, answer)) == 1
    assert "has changed meanwhile" in "\n".join(said)
    assert file.read_text() == '{"mine": 1}'


def test_it_goes_on_when_nobody_reads_what_it_says(machine: Machine) -> None:
    command = f"{sys.executable} -m pageside setup --agents all --yes"
    reads_nothing = "import os; os.close(0)"
    ran = subprocess.run(
        f'{command} | {sys.executable} -c "{reads_nothing}"', shell=True, capture_output=True, text=True
    )
    assert ran.stderr == ""
    assert (machine.project / ".zed" / "settings.json").is_file()


def test_names_that_the_terminal_has_no_letters_for_do_not_end_it(machine: Machine) -> None:
    (machine.project / ".mcp.json").write_text('{"größe": "✓"}', "utf-8")
    command = [sys.executable, "-m", "pageside", "setup", "--agents", "claude", "--yes"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "gr\\xf6\\xdfe" in ran.stdout
    assert "größe" in (machine.project / ".mcp.json").read_text("utf-8")
