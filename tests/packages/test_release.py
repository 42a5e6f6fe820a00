"""One version for both packages, the extension and the registry's entry; and what keeps a tag from being released."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from pageside.arguments import command_line
from release import against_release, faults, places, repository_of, set_version, version_of
from support.app import REPOSITORY


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files that name a version or a repository, and the changelog."""
    for file in {place.file for place in places(REPOSITORY)} | {"pyproject.toml", "CHANGELOG.md"}:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / file, tmp_path / file)
    return tmp_path


def test_all_files_name_the_same_version_and_the_same_repository() -> None:
    assert faults(REPOSITORY) == []


def test_a_version_is_set_everywhere_and_nothing_else_changes(copy: Path) -> None:
    old = version_of(copy)
    before = {file: file.read_text("utf-8") for file in copy.rglob("*") if file.is_file()}
    set_version(copy, "12.0.345")
    assert faults(copy) == []
    changed = {file for file, text in before.items() if file.read_text("utf-8") != text}
    assert {copy / "pyproject.toml", copy / "server.json", copy / "package-lock.json"} <= changed
    set_version(copy, old)
    assert {file: file.read_text("utf-8") for file in before} == before


def test_a_place_that_says_something_else_is_named(copy: Path) -> None:
    manifest = copy / "inspector_client/extension/static/manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace(f'"{version_of(copy)}"', '"9.9.9"'))
    (copy / "README.md").write_text("Pageside\n")
    owner, name = repository_of(copy).split("/")
    assert faults(copy) == [
        f"inspector_client/extension/static/manifest.json: 9.9.9, not {version_of(copy)}",
        f"README.md: io.github.{owner}/{name} is missing",
    ]


def test_only_the_tag_of_this_version_with_its_changes_is_released_and_only_from_the_repository(
    copy: Path,
) -> None:
    repository = repository_of(copy)
    set_version(copy, "3.2.1")
    assert against_release(copy, "v3.2.1", repository) == ["CHANGELOG.md has no `## 3.2.1 – date`"]
    log = copy / "CHANGELOG.md"
    log.write_text(log.read_text("utf-8").replace("## Unreleased", "## 3.2.1 – 2026-12-01"))
    assert against_release(copy, "v3.2.1", repository) == []
    assert against_release(copy, "v3.2.2", "somebody/else") == [
        "the tag is v3.2.2, pyproject.toml says 3.2.1",
        f"this is somebody/else, pyproject.toml says {repository}",
    ]


def test_the_registrys_entry_starts_the_bridge_with_flags_that_there_are() -> None:
    entry = json.loads((REPOSITORY / "server.json").read_text("utf-8"))
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    # The registry takes no more.
    assert 1 <= len(entry["description"]) <= 100
    (package,) = entry["packages"]
    assert (package["registryType"], package["identifier"]) == ("pypi", "pageside")
    assert package["transport"] == {"type": "stdio"}
    values = [each.get("value") or f"{each['name']}=inspector" for each in package["packageArguments"]]
    arguments = command_line().parse_args(values)
    assert (values[0], arguments.project, arguments.toolsets) == ("stdio", "inspector", "inspector")


def test_what_a_workflow_downloads_it_compares_with_a_sum_before_it_unpacks_it() -> None:
    texts = [file.read_text("utf-8") for file in (REPOSITORY / ".github/workflows").glob("*.yml")]
    steps = [step for text in texts for step in re.split(r"(?m)^ {6}- ", text) if "curl " in step]
    assert steps
    for step in steps:
        assert step.index("curl ") < step.index("sha256sum --check") < step.index("tar ")
        assert "curl" not in step.partition("sha256sum")[2]
    sums = re.findall(r"_SHA256: (\S+)", "".join(texts))
    assert [each for each in sums if not re.fullmatch(r"[0-9a-f]{64}", each)] == []
    assert len(sums) == len(steps)


def test_workflows_run_code_that_is_named_by_its_commit_on_every_python_that_the_package_names() -> None:
    texts = {file.name: file.read_text("utf-8") for file in (REPOSITORY / ".github/workflows").glob("*.yml")}
    used = [name for text in texts.values() for name in re.findall(r"uses: (\S+)", text)]
    assert used
    assert [name for name in used if not re.search(r"@[0-9a-f]{40}$", name)] == []
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    assert sorted(set(re.findall(r'python: "(3\.\d+)"', texts["ci.yml"]))) == named
    assert f">={named[0]}" == project["requires-python"]
    targets = re.findall(r"(?m)^([a-z-]+):", (REPOSITORY / "Makefile").read_text("utf-8"))
    called = re.findall(
        r"run: make ([a-z-]+)|target: \[([^\]]+)\]|target: ([a-z-]+)", "".join(texts.values())
    )
    assert {word for group in called for word in " ".join(group).replace(",", " ").split()} <= set(targets)
