"""The npm tarball, as tools see it that check what others import."""

from __future__ import annotations

from packages.conftest import Built
from support.installed import ran


def test_publint_has_nothing_to_say(built: Built) -> None:
    said = ran("npx", "--yes", "publint@0.3.25", "run", "--strict", built.tarball, cwd=built.tarball.parent)
    assert "All good" in said


def test_types_resolve_wherever_modules_do(built: Built) -> None:
    attw = ("npx", "--yes", "@arethetypeswrong/cli@0.18.5", "--profile", "esm-only", built.tarball)
    assert ran(*attw, "--no-emoji", "--format", "table-flipped", cwd=built.tarball.parent).count("(ESM)") == 2
