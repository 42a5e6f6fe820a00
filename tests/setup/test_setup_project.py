"""`pageside setup` and the project: its bundler's config, its package manager, and the pages that Python serves."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from pageside import __version__
from pageside.setup.python_pages import LINES
from setup.conftest import Machine

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs of our own are shell scripts")

REPOSITORY = Path(__file__).resolve().parents[2]
_LOCKS = {"npm": "package-lock", "pnpm": "pnpm-lock", "yarn": "yarn.lock", "bun": "bun.lock"}
CONFIG = "import { defineConfig } from 'vite';\n\nexport default defineConfig({\n  plugins: [],\n});\n"
PACKAGE = '{\n  "name": "shop",\n  "devDependencies": { "vite": "^8.0.0" }\n}\n'


def has_vite(folder: Path, config: str = CONFIG, name: str = "vite.config.ts") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(PACKAGE)
    (folder / name).write_text(config)
    return folder / name


def has_manager(machine: Machine, name: str, *, fails: bool = False) -> Path:
    """A package manager that notes what it was asked, and does to package.json what one would do."""
    log = machine.home / "calls"
    program = machine.has_program(name)
    end = "echo 'ERR! 404 not there' >&2; exit 7" if fails else "exit 0"
    program.write_text(
        f"""#!/bin/sh
echo "$(basename "$PWD"): {name} $*" >> "{log}"
{end if fails else ""}
case "$1" in
  install|add) printf '{{"name": "shop", "devDependencies": {{"vite-plugin-pageside": "1"}}}}' > package.json
    for lock in {_LOCKS[name]}*; do test ! -e "$lock" || echo locked >> "$lock"; done ;;
  *) printf '{{"name": "shop"}}' > package.json ;;
esac
{end}
"""
    )
    return log


@pytest.mark.parametrize(
    ("lock", "said", "added", "removed"),
    [
        ("package-lock.json", "", "npm install --save-dev", "npm uninstall"),
        ("pnpm-lock.yaml", "", "pnpm add -D", "pnpm remove"),
        ("yarn.lock", "", "yarn add -D", "yarn remove"),
        ("bun.lock", "", "bun add -d", "bun remove"),
        ("package-lock.json", "pnpm@10.1.0", "pnpm add -D", "pnpm remove"),
    ],
)
def test_the_plugin_is_installed_by_the_projects_own_manager_and_removed_again(
    machine: Machine, lock: str, said: str, added: str, removed: str
) -> None:
    config = has_vite(machine.project)
    if said:
        (machine.project / "package.json").write_text(json.dumps({"packageManager": said}))
    (machine.project / lock).write_text("lock: 1\n")
    log = has_manager(machine, added.split()[0])
    before = machine.files()
    assert machine.setup("--yes", "--plugin", "./spec", "--agents", "") == 0
    assert f"$ {added} ./spec" in machine.said
    assert "plugins: [pageside()]," in config.read_text()
    assert machine.setup("--yes") == 0
    assert "Nothing to do." in machine.said
    assert machine.setup("--undo") == 0
    assert log.read_text().splitlines() == [
        f"shop: {added} ./spec",
        f"shop: {removed} vite-plugin-pageside",
    ]
    log.unlink()
    assert machine.files() == before


def test_what_was_written_into_package_json_since_is_not_overwritten(machine: Machine) -> None:
    has_vite(machine.project)
    lock = machine.project / "package-lock.json"
    lock.write_text("lock: 1\n")
    log = has_manager(machine, "npm")
    assert machine.setup("--yes") == 0
    lock.write_text(lock.read_text() + "theirs\n")
    assert machine.setup("--undo") == 0
    assert log.read_text().splitlines()[-1] == "shop: npm uninstall vite-plugin-pageside"
    assert "theirs" in lock.read_text()
    assert (machine.project / "package.json").read_text() != PACKAGE


def test_a_failed_install_is_told_with_its_last_lines_and_the_rest_is_kept(machine: Machine) -> None:
    config = has_vite(machine.project)
    has_manager(machine, "npm", fails=True)
    assert machine.setup("--agents", "claude", "--yes") == 1
    assert "failed with exit code 7" in machine.said
    assert "ERR! 404 not there" in machine.said
    assert f"vite-plugin-pageside@{__version__}" in machine.said
    assert (machine.project / ".mcp.json").is_file()
    # It would not start with an import of what is not there.
    assert config.read_text() == CONFIG
    assert "vite.config.ts is left alone" in machine.said


def test_a_manager_that_is_not_there_is_named(machine: Machine) -> None:
    has_vite(machine.project)
    (machine.project / "pnpm-lock.yaml").touch()
    before = machine.files()
    assert machine.setup("--yes") == 1
    assert "uses pnpm, which is not on PATH" in machine.said
    assert machine.files() == before


@pytest.mark.parametrize("flag", ["--yes", "--dry-run"])
def test_a_vite_that_is_too_old_for_the_plugin_is_refused_before_anything_is_written(
    machine: Machine, flag: str
) -> None:
    has_vite(machine.project)
    (machine.project / "yarn.lock").touch()
    has_manager(machine, "yarn")
    installed = machine.project / "node_modules" / "vite" / "package.json"
    installed.parent.mkdir(parents=True)
    installed.write_text('{"version": "6.4.1"}')
    before = machine.files()
    assert machine.setup("--agents", "claude", flag) == 1
    assert f"VITE_TOO_OLD: Vite 6.4.1 is installed for {machine.project}" in machine.said
    assert "works with Vite 7 and above" in machine.said
    assert "`yarn add -D vite@latest`" in machine.said
    assert machine.files() == before
    # The agents alone need no Vite, and a newer one is all that was missing.
    assert machine.setup("--agents", "claude", "--no-plugin", flag) == 0
    installed.write_text('{"version": "7.0.0"}')
    assert machine.setup("--agents", "claude", flag) == 0


def test_only_our_part_goes_from_a_config_that_was_changed_since(machine: Machine) -> None:
    config = has_vite(machine.project)
    has_manager(machine, "npm")
    assert machine.setup("--yes") == 0
    config.write_text(config.read_text().replace("pageside()", "pageside(), other()") + "// more\n")
    assert machine.setup("--undo") == 0
    assert "took our part out of vite.config.ts" in machine.said
    assert config.read_text() == CONFIG.replace("[]", "[other()]") + "// more\n"


def test_while_a_config_needs_it_the_plugin_stays_installed(machine: Machine) -> None:
    config = has_vite(machine.project)
    log = has_manager(machine, "npm")
    assert machine.setup("--yes") == 0
    config.write_text(config.read_text().replace("pageside()", "pageside({ lan: true })"))
    changed = config.read_text()
    assert machine.setup("--undo") == 1
    assert "by hand" in machine.said
    assert "stays installed" in machine.said
    assert config.read_text() == changed
    assert "uninstall" not in log.read_text()
    # Once that is done by hand, the rest goes.
    config.write_text(CONFIG)
    assert machine.setup("--undo") == 0
    assert (machine.project / "package.json").read_text() == PACKAGE


def test_in_a_workspace_the_package_is_asked_for_or_named(machine: Machine) -> None:
    (machine.project / "package.json").write_text('{"workspaces": ["packages/*"]}')
    (machine.project / "package-lock.json").write_text("{}")
    shop, admin = (has_vite(machine.project / "packages" / name) for name in ("shop", "admin"))
    has_vite(machine.project / "node_modules" / "x")
    log = has_manager(machine, "npm")
    assert machine.setup("--yes") == 1
    assert "--project (packages/admin, packages/shop)" in machine.said
    assert machine.setup("--project", "packages/admin", "--yes") == 0
    assert "pageside" in admin.read_text()
    assert machine.setup_at_terminal("2", "y", agents="claude", plugin=True) == 0
    assert "1  packages/admin/vite.config.ts" in machine.asked[0]
    assert "pageside" in shop.read_text()
    assert [line.split(":")[0] for line in log.read_text().splitlines()] == ["admin", "shop"]
    # What a package above depends on can be imported too.
    (machine.project / "package.json").write_text('{"devDependencies": {"vite-plugin-pageside": "1"}}')
    has_vite(machine.project / "packages" / "third")
    assert machine.setup("--project", "packages/third", "--yes") == 0
    assert len(log.read_text().splitlines()) == 2
    # The agents' files belong to the whole project.
    assert (machine.project / ".mcp.json").is_file()


@pytest.mark.parametrize(
    ("config", "why"),
    [
        ("import base from './base'\nexport default base\n", "`base` is not written in this file"),
        ("export default {\n  plugins: [\n", "line 3, column 1"),
    ],
)
def test_a_config_that_is_not_understood_is_left_alone_with_what_to_paste(
    machine: Machine, config: str, why: str
) -> None:
    file = has_vite(machine.project, config)
    has_manager(machine, "npm")
    assert machine.setup("--yes") == 1
    assert why in machine.said
    assert "import { pageside } from 'vite-plugin-pageside'" in machine.said
    assert file.read_text() == config


def test_without_node_the_lines_to_paste_are_told(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(machine.bin))
    file = has_vite(machine.project)
    has_manager(machine, "npm")
    (machine.bin / "node").unlink()
    assert machine.setup("--yes") == 1
    assert "there is no `node` on PATH" in machine.said
    assert file.read_text() == CONFIG


@pytest.mark.parametrize("name", ["nuxt.config.ts", "astro.config.mjs"])
def test_frameworks_have_it_in_their_own_config(machine: Machine, name: str) -> None:
    file = has_vite(machine.project, "export default defineConfig({\n  site: 'x',\n});\n", name)
    has_vite(machine.project)
    has_manager(machine, "npm")
    assert machine.setup("--yes") == 0
    assert "  vite: { plugins: [pageside()] },\n" in file.read_text()
    assert (machine.project / "vite.config.ts").read_text() == CONFIG


def test_an_app_of_vite_without_a_config_gets_one_and_loses_it_again(machine: Machine) -> None:
    has_vite(machine.project).unlink()
    (machine.project / "index.html").touch()
    (machine.project / "tsconfig.json").touch()
    has_manager(machine, "npm")
    assert machine.setup("--yes") == 0
    made = (machine.project / "vite.config.ts").read_text()
    assert "plugins: [pageside()]" in made
    assert machine.setup("--yes") == 0
    assert "Nothing to do." in machine.said
    assert machine.setup("--undo") == 0
    assert not (machine.project / "vite.config.ts").exists()


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_config_keeps_its_mark_and_line_ends(machine: Machine, line_end: str) -> None:
    file = machine.project / "vite.config.ts"
    has_vite(machine.project)
    file.write_bytes(("\ufeff" + CONFIG).replace("\n", line_end).encode())
    before = file.read_bytes()
    has_manager(machine, "npm")
    assert machine.setup("--yes") == 0
    after = file.read_bytes()
    assert after.startswith(b"\xef\xbb\xbfimport")
    assert after.count(b"\n") == after.count(line_end.encode()) == before.count(b"\n") + 1
    assert machine.setup("--undo") == 0
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("file", "content", "title"),
    [
        ("requirements.txt", "# web\nFlask>=3\n", "Flask"),
        ("requirements-dev.txt", "fastapi[standard]\nhttpx\n", "FastAPI or Starlette"),
        ("pyproject.toml", '[project]\ndependencies = ["Django~=5.2", "jinja2"]\n', "Django"),
        ("pyproject.toml", '[dependency-groups]\nweb = ["aiohttp", {include-group = "x"}]\n', "aiohttp"),
        ("pyproject.toml", '[tool.poetry.dependencies]\nflask = "^3"\n', "Flask"),
    ],
)
def test_pages_that_python_serves_are_told_how_to_connect(
    machine: Machine, file: str, content: str, title: str
) -> None:
    (machine.project / file).write_text(content)
    assert machine.setup("--agents", "claude", "--yes") == 0
    assert f"If {title} serves pages here" in machine.said
    assert "No project with Vite" not in machine.said
    told = re.sub(r"^    ", "", machine.said, flags=re.MULTILINE)
    assert LINES[title].strip() in told


def test_the_lines_for_python_are_those_of_the_docs() -> None:
    docs = (REPOSITORY / "docs" / "python-pages.md").read_text()
    wanted = [line for lines in LINES.values() for line in lines.splitlines() if not line.startswith("#")]
    assert [line for line in wanted if line not in docs.splitlines()] == []


def test_a_project_without_a_known_bundler_is_told_so(machine: Machine) -> None:
    (machine.project / "package.json").write_text('{"dependencies": {"next": "16"}}')
    assert machine.setup("--agents", "claude", "--yes") == 0
    assert "No project with Vite, Nuxt or Astro was found" in machine.said
