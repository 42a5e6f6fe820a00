"""Which folder is the project, and its id."""

from __future__ import annotations

import json
import os
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from pageside.processes.project import project_id, project_root

VECTORS = json.loads((Path(__file__).parent / "project-ids.json").read_text("utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["path"] for vector in VECTORS])
def test_a_path_has_the_id_that_the_vite_plugin_gives_it_too(vector: dict[str, str]) -> None:
    assert project_id(PurePosixPath(vector["path"])) == vector["id"]


def test_windows_paths_count_with_forward_slashes() -> None:
    ids = {vector["path"]: vector["id"] for vector in VECTORS}
    assert project_id(PureWindowsPath("C:\\Users\\Ada\\shop")) == ids["C:/Users/Ada/shop"]


def folder(root: Path, *marks: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    for mark in marks:
        (root / mark).mkdir() if mark == ".git" else (root / mark).write_text("{}")
    return root


def test_the_nearest_git_folder_wins_over_a_nearer_package(tmp_path: Path) -> None:
    repository = folder(tmp_path / "repo", ".git", "package.json")
    package = folder(repository / "packages" / "shop", "package.json")
    assert project_root(folder(package / "src"), home=tmp_path / "elsewhere") == repository


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    folder(tmp_path / "repo", ".git")
    submodule = folder(tmp_path / "repo" / "sub")
    (submodule / ".git").write_text("gitdir: ../.git/modules/sub")
    assert project_root(folder(submodule / "src"), home=tmp_path / "elsewhere") == submodule


def test_without_git_the_nearest_package_is_the_project(tmp_path: Path) -> None:
    folder(tmp_path / "outer", "package.json")
    inner = folder(tmp_path / "outer" / "inner", "package.json")
    assert project_root(folder(inner / "src" / "ui"), home=tmp_path / "elsewhere") == inner


def test_without_any_mark_the_folder_itself_is_the_project(tmp_path: Path) -> None:
    start = folder(tmp_path / "home" / "plain" / "src")
    assert project_root(start, home=tmp_path / "home") == start


def test_below_home_the_marks_of_home_and_above_do_not_count(tmp_path: Path) -> None:
    folder(tmp_path, ".git")
    home = folder(tmp_path / "home", ".git", "package.json")
    start = folder(home / "shop" / "src")
    assert project_root(start, home=home) == start
    folder(home / "shop", "package.json")
    assert project_root(start, home=home) == home / "shop"


def test_a_start_at_home_or_outside_it_may_use_marks_above(tmp_path: Path) -> None:
    folder(tmp_path, "package.json")
    home = folder(tmp_path / "home")
    assert project_root(home, home=home) == tmp_path
    assert project_root(folder(tmp_path / "srv" / "shop"), home=home) == tmp_path


@pytest.mark.skipif(os.name == "nt", reason="needs a privilege there")
def test_the_root_is_a_real_path(tmp_path: Path) -> None:
    real = folder(tmp_path / "real", ".git")
    (tmp_path / "link").symlink_to(real)
    assert project_root(tmp_path / "link", home=tmp_path / "elsewhere") == real
    home = folder(tmp_path / "realhome")
    (tmp_path / "homelink").symlink_to(home)
    assert project_root(folder(home / "plain"), home=tmp_path / "homelink") == home / "plain"
