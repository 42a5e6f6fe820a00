"""The commands around the console and the extension: what is printed where, and what is said when there is none."""

from __future__ import annotations

import tomllib
import webbrowser
from fnmatch import fnmatch
from pathlib import Path

import pytest

from pageside import cli
from pageside.settings import VARIABLES, Settings
from pageside.web.console_pages import EXTENSION

LINK = "http://127.0.0.1:6137/__pageside__/console#code"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Settings]:
    """For which projects a link was asked; no variable of whoever runs the tests."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    found: list[Settings] = []

    async def fresh_link(settings: Settings) -> str:
        found.append(settings)
        return LINK

    monkeypatch.setattr("pageside.web.console_link.fresh_link", fresh_link)
    return found


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was opened in the browser."""
    links: list[str] = []

    def note(link: str) -> bool:
        links.append(link)
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    return links


def test_console_prints_nothing_but_the_link_and_opens_nothing(
    asked: list[Settings], opened: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "shop").mkdir()
    assert cli.main(["console", "--project", "shop", "--state-dir", "state"]) == 0
    assert tuple(capsys.readouterr()) == (f"{LINK}\n", "")
    assert [(each.project, each.state) for each in asked] == [(tmp_path / "shop", tmp_path / "state")]
    assert opened == []


def test_open_opens_it_in_the_browser(asked: list[Settings], opened: list[str]) -> None:
    assert cli.main(["console", "--open"]) == 0
    assert (len(asked), opened) == (1, [LINK])


@pytest.mark.usefixtures("asked")
def test_a_machine_without_a_browser_still_gets_the_link(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _link: False)
    assert cli.main(["console", "--open"]) == 1
    output, errors = capsys.readouterr()
    assert (output, errors) == (f"{LINK}\n", "No browser could be opened: open the link yourself.\n")


def test_a_project_that_is_no_folder_has_no_console(
    asked: list[Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["console", "--project", "/nowhere"]) == 1
    assert "/nowhere is not a folder" in capsys.readouterr().err
    assert asked == []


def test_extension_prints_its_folder_and_beside_it_how_to_load_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("pageside.web.console_pages.EXTENSION", tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    assert cli.main(["extension"]) == 0
    output, errors = capsys.readouterr()
    assert output == f"{tmp_path}\n"
    assert ("chrome://extensions" in errors, "Load unpacked" in errors) == (True, True)


def test_skill_prints_what_an_agent_loads_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["skill"]) == 0
    output, errors = capsys.readouterr()
    assert (output[:19], output[-2:] == "\n\n", errors) == ("---\nname: pageside\n", False, "")
    # A terminal without letters for it would change it.
    assert output.isascii()


def test_an_extension_that_is_not_built_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("pageside.web.console_pages.EXTENSION", tmp_path / "none")
    assert cli.main(["extension"]) == 1
    output, errors = capsys.readouterr()
    assert (output, "is not built" in errors, "make build" in errors) == ("", True, True)


def test_the_wheel_takes_the_extension_and_what_else_is_built() -> None:
    package = Path(cli.__file__).parent
    repository = package.parents[1]
    settings = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    artifacts = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["artifacts"]
    assert EXTENSION.is_relative_to(package)
    static = package / "web" / "static"
    names = [
        static / "console.js",
        static / "console.css",
        EXTENSION / "manifest.json",
        EXTENSION / "icons" / "16.png",
    ]
    built = [*names, *(path for path in static.rglob("*") if path.is_file())]
    taken = [any(fnmatch(str(path.relative_to(repository)), each) for each in artifacts) for path in built]
    assert all(taken), built
