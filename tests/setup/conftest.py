"""A machine of its own for each test of `pageside setup`: a home, a PATH, a project and a state folder."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pageside import cli
from pageside.settings import VARIABLES
from pageside.setup.agent_places import AGENTS_VARIABLES
from pageside.setup.run import Options, Terminal, set_up


@dataclass(slots=True)
class Machine:
    """Where the command runs, and what it said last."""

    project: Path
    home: Path
    bin: Path
    state: Path
    capture: pytest.CaptureFixture[str]
    said: str = ""
    asked: list[str] = field(default_factory=list)

    def setup(self, *flags: str) -> int:
        """`pageside setup` as a program runs it: without a terminal."""
        self.capture.readouterr()
        code = cli.main(["setup", *flags])
        self.said = "".join(self.capture.readouterr())
        return code

    def setup_at_terminal(self, *answers: str, agents: str | None = None, plugin: bool = False) -> int:
        """The same with somebody who answers."""
        said: list[str] = []
        rest = iter(answers)

        def ask(question: str) -> str:
            self.asked.append(question)
            return next(rest)

        options = Options(self.project, self.state, agents=agents, plugin=plugin)
        code = set_up(options, Terminal(said.append, ask))
        self.said = "\n".join(said)
        return code

    def has_program(self, name: str) -> Path:
        """One on PATH, outside of any virtual environment."""
        program = self.bin / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        return program

    def files(self) -> dict[str, bytes | str]:
        """Every file and link below home and project, and every folder, with what is in it."""
        found: dict[str, bytes | str] = {}
        for base in (self.home, self.project):
            for each in sorted(base.rglob("*")):
                if "node_modules" not in each.parts and ".npm" not in each.parts:
                    found[str(each)] = (
                        f"link to {os.readlink(each)}"
                        if each.is_symlink()
                        else each.read_bytes()
                        if each.is_file()
                        else "folder"
                    )
        return found


@pytest.fixture(autouse=True)
def no_blocking() -> None:
    """The set-up has no loop, and companions run in processes of their own here."""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Machine:
    for name in (*VARIABLES, *AGENTS_VARIABLES, "NODE_OPTIONS"):
        monkeypatch.delenv(name, raising=False)
    made = Machine(tmp_path / "shop", tmp_path / "home", tmp_path / "bin", tmp_path / "state", capsys)
    for folder in (made.project, made.home, made.bin):
        folder.mkdir()
    (made.project / ".git").mkdir()
    node = shutil.which("node")
    assert node is not None
    (made.bin / "node").symlink_to(node)
    monkeypatch.setenv("PATH", f"{made.bin}{os.pathsep}/bin")
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("PAGESIDE_STATE_DIR", str(made.state))
    monkeypatch.chdir(made.project)
    return made
