"""The wheel in a fresh virtual environment, without Node and without the checkout."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from packages.conftest import Built
from support.installed import Installed, check_agent, check_commands, check_server, installed, ran


@pytest.fixture(autouse=True)
def no_blocking() -> None:
    """Everything runs in processes of its own here."""


@pytest.fixture(scope="module")
def pageside(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """With the dependencies of this test's environment: `make test-packages` installs them, too."""
    return installed(tmp_path_factory.mktemp("installed"), built.wheel, borrowed=True)


def test_it_is_the_wheel_that_is_tested_and_no_node_is_there(pageside: Installed) -> None:
    python = Path(pageside.path) / "python"
    where = ran(python, "-c", "import pageside; print(pageside.__file__)", cwd=pageside.folder)
    assert pageside.folder.resolve() in Path(where.strip()).resolve().parents
    assert shutil.which("node", path=pageside.path) is None


def test_the_command_knows_its_version_its_tools_and_its_extension(pageside: Installed) -> None:
    check_commands(pageside)


async def test_the_companion_serves_the_page_script_and_the_console(pageside: Installed) -> None:
    await check_server(pageside)


async def test_an_agent_gets_tools_and_an_answer_from_the_bridge(pageside: Installed) -> None:
    await check_agent(pageside)
