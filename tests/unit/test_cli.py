"""The command: flags over environment over defaults; nonsense is refused with a sentence."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pageside import __version__, cli
from pageside.contract import CHANNEL, TOOLS
from pageside.errors import PagesideError
from pageside.settings import DEFAULT_PORT, VARIABLES, Settings, default_state_dir, from_environment
from pageside.toolsets.every import TOOLSETS

SettingsOf = Callable[..., Settings]


@pytest.fixture(autouse=True)
def settings_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SettingsOf:
    """`pageside serve <arguments>` up to the start: no variable of whoever runs the tests, and a project around us."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "here" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    started: list[Settings] = []

    async def record(settings: Settings) -> int:
        started.append(settings)
        return 0

    monkeypatch.setattr("pageside.web.serve.serve", record)

    def run(*arguments: str) -> Settings:
        assert cli.main(["serve", *arguments]) == 0
        return started.pop()

    return run


def test_without_flags_and_variables_the_defaults_hold(settings_of: SettingsOf, tmp_path: Path) -> None:
    settings = settings_of()
    assert settings.project == (tmp_path / "here").resolve()
    assert settings.port == CHANNEL["port"] == DEFAULT_PORT
    assert (settings.state, settings.exit_when_idle, settings.log) == (default_state_dir(), None, "info")


def test_variables_win_over_defaults(
    settings_of: SettingsOf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("PAGESIDE_PROJECT", str(other))
    monkeypatch.setenv("PAGESIDE_PORT", "7001")
    monkeypatch.setenv("PAGESIDE_STATE_DIR", "state")
    monkeypatch.setenv("PAGESIDE_LOG", "error")
    settings = settings_of()
    assert (settings.project, settings.port, settings.log) == (other.resolve(), 7001, "error")
    assert settings.state == tmp_path / "here" / "state"


def test_flags_win_over_variables(
    settings_of: SettingsOf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in (("PROJECT", "/nowhere"), ("PORT", "nonsense"), ("STATE_DIR", "/nowhere")):
        monkeypatch.setenv(f"PAGESIDE_{name}", value)
    settings = settings_of(
        *("--project", str(tmp_path), "--port", "0", "--state-dir", "/state", "--exit-when-idle", "2.5")
    )
    assert (settings.project, settings.port) == (tmp_path.resolve(), 0)
    assert (settings.state, settings.exit_when_idle) == (Path("/state"), 2.5)


@pytest.fixture
def bridged(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, dict[str, str]]]:
    """What `pageside stdio` is started with."""
    started: list[tuple[Settings, dict[str, str]]] = []

    async def record(settings: Settings, query: dict[str, str]) -> int:
        started.append((settings, query))
        return 0

    monkeypatch.setattr("pageside.web.stdio.stdio", record)
    return started


def test_stdio_tells_the_companion_who_asks_for_what(
    bridged: list[tuple[Settings, dict[str, str]]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert cli.main(["stdio"]) == 0
    monkeypatch.setenv("PAGESIDE_TOOLSETS", "inspector")
    assert cli.main(["stdio", "--state-dir", "/state", "--project", str(tmp_path)]) == 0
    assert cli.main(["stdio", "--client-id", "vscode", "--toolsets", " all , inspector "]) == 0
    assert [query for _, query in bridged] == [
        {},
        {"toolsets": "inspector"},
        {"clientId": "vscode", "toolsets": ",".join(each.name for each in TOOLSETS)},
    ]
    assert [settings.project for settings, _ in bridged[:2]] == [
        (tmp_path / "here").resolve(),
        tmp_path.resolve(),
    ]
    assert bridged[1][0].state == Path("/state")


@pytest.mark.parametrize("command", ["serve", "stdio"])
def test_an_unknown_toolset_in_the_environment_is_refused(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGESIDE_TOOLSETS", "nope")
    assert cli.main([command]) == 1
    known = ", ".join(each.name for each in TOOLSETS)
    assert f"Unknown toolset 'nope'; there are: {known}, all." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        (
            "stdio",
            {
                "--help",
                "--project",
                "--state-dir",
                "--no-chrome",
                "--script-origins",
                "--servers",
                "--tab-port",
                "--tab-origins",
                "--client-id",
                "--toolsets",
            },
        ),
        ("tools", {"--help", "--toolsets", "--json"}),
    ],
)
def test_the_help_of_a_command_names_its_flags(
    command: str, flags: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    assert set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) == flags


def test_an_empty_variable_is_no_variable() -> None:
    assert from_environment({"PAGESIDE_PORT": "", "PAGESIDE_LOG": "debug", "PATH": "/bin"}) == {
        "PAGESIDE_LOG": "debug"
    }


BAD_PORTS = ["-1", "65536", "http", "6137.0", "", " 80", "9" * 5000]


@pytest.mark.parametrize("port", BAD_PORTS)
def test_a_bad_port_is_a_usage_error(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", f"--port={port}"])
    assert ended.value.code == 2
    assert "0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("port", [port for port in BAD_PORTS if port])
def test_a_bad_port_in_the_environment_is_named(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGESIDE_PORT", port)
    assert cli.main(["serve"]) == 1
    told = capsys.readouterr().err
    assert "PAGESIDE_PORT" in told
    assert "Traceback" not in told


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon", "1e7"])
def test_a_bad_idle_time_is_a_usage_error(seconds: str) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["serve", f"--exit-when-idle={seconds}"])
    assert ended.value.code == 2


@pytest.mark.parametrize("by_variable", [False, True])
def test_a_project_that_is_no_folder_is_refused(
    by_variable: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for path in (file, tmp_path / "nowhere"):
        if by_variable:
            monkeypatch.setenv("PAGESIDE_PROJECT", str(path))
        assert cli.main(["serve", *([] if by_variable else ["--project", str(path)])]) == 1
        told = capsys.readouterr().err
        assert f"{path} is not a folder." in told
        assert "Name the project's folder." in told


def test_every_variable_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    told = capsys.readouterr().out
    assert all(name in told for name in VARIABLES)


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([])
    assert (ended.value.code, "command" in capsys.readouterr().err) == (2, True)


def test_tools_and_version_tell_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tools"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert sorted(names) == sorted(TOOLS)
    assert cli.main(["tools", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [TOOLS[name] for name in names]
    assert cli.main(["version"]) == 0
    assert capsys.readouterr().out.strip() == __version__


def test_an_interrupt_ends_with_the_shells_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_args: argparse.Namespace) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "settings_of", interrupted)
    assert cli.main(["serve"]) == 130


def test_a_refusal_while_starting_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def refuse(_settings: Settings) -> int:
        raise PagesideError("The disk is full.", code="STORE_FAILED")

    monkeypatch.setattr("pageside.web.serve.serve", refuse)
    assert cli.main(["serve"]) == 1
    assert capsys.readouterr().err.startswith("pageside: STORE_FAILED: The disk is full.\n  Free disk space")
