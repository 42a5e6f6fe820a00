"""Versions compare by number, and setup knows a Vite for which the plugin is not made before it changes anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pageside.core.versions import major_of_range, numbers
from pageside.errors import ViteTooOld
from pageside.setup.vite import LEAST_VITE, check_vite, installed_version, is_too_old
from support.app import REPOSITORY


def has_vite(folder: Path, content: str) -> None:
    file = folder / "node_modules" / "vite" / "package.json"
    file.parent.mkdir(parents=True)
    file.write_text(content)


def is_refused(folder: Path, *wanted: object) -> bool:
    packages: list[dict[str, Any]] = [{"devDependencies": {"vite": each}} for each in wanted]
    try:
        check_vite(folder, packages, "npm install")
    except ViteTooOld:
        return True
    return False


def test_versions_compare_by_number() -> None:
    assert numbers("3.9.2") < numbers("3.14.5") < numbers("v4.0.0-rc.1")
    assert numbers("unreadable") == ()


@pytest.mark.parametrize(
    ("wanted", "major"),
    [
        ("^6.2.0", 6),
        ("~6.2", 6),
        ("6", 6),
        (" v6.x ", 6),
        ("=6.0.0-beta.1", 6),
        ("^10.0.1", 10),
        (">=5", None),
        ("<7", None),
        ("^6 || ^7", None),
        ("5 - 8", None),
        ("6.2.0 7", None),
        ("*", None),
        ("latest", None),
        ("catalog:", None),
        ("workspace:^6", None),
        ("npm:rolldown-vite@6", None),
        ("", None),
        (6, None),
        (None, None),
    ],
)
def test_a_plain_range_allows_one_major_version(wanted: object, major: int | None) -> None:
    assert major_of_range(wanted) == major


@pytest.mark.parametrize(
    ("version", "refused"), [("6.99.9", True), ("7.0.0", False), ("10.0.0", False), ("7.0.0-beta.2", False)]
)
def test_the_installed_vite_decides_whatever_is_wanted(tmp_path: Path, version: str, refused: bool) -> None:
    has_vite(tmp_path, json.dumps({"version": version}))
    app = tmp_path / "packages" / "app"
    assert installed_version(app, "vite") == version
    assert is_refused(app, "^5" if not refused else "^8") is refused
    assert is_too_old(version) is refused
    assert not is_too_old("unreadable")


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"version": null}'])
def test_where_none_says_its_version_the_nearest_plain_range_decides(tmp_path: Path, content: str) -> None:
    has_vite(tmp_path, content)
    assert is_refused(tmp_path, "^6.0.0", "^8")
    assert not is_refused(tmp_path, "^8", "^6.0.0")
    assert not is_refused(tmp_path, ">=5", "^6.0.0")
    assert not is_refused(tmp_path)


def test_a_refusal_says_what_why_and_what_to_do(tmp_path: Path) -> None:
    package = {"dependencies": {"vite": "~5.4"}, "devDependencies": ["odd"]}
    with pytest.raises(
        ViteTooOld, match=r"wants Vite ~5\.4, and the plugin works with Vite 7 and above"
    ) as caught:
        check_vite(tmp_path, [{}, package], "pnpm add -D vite@latest")
    assert caught.value.error_code == "VITE_TOO_OLD"
    assert "`pnpm add -D vite@latest`" in caught.value.fix
    assert "--no-plugin" in caught.value.fix


def test_the_least_version_is_that_of_the_plugins_own_package() -> None:
    package = json.loads((REPOSITORY / "vite-plugin" / "package.json").read_text("utf-8"))
    assert package["peerDependencies"] == {"vite": f">={LEAST_VITE}"}
