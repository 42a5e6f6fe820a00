"""What is compared: no plugin, ours, and another inspector from npm in a folder that git ignores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench import peers

NONE, OURS, OTHER = "no plugin", "Pageside", "code-inspector-plugin"
FOLDER = peers.FOLDER.parent / "inspectors"
VERSIONS = {OTHER: "2.0.8"}
ATTRIBUTE = "data-insp-path"
"""`file:line:column:tag`, which the other one writes at each element."""


@dataclass(frozen=True)
class Inspector:
    """A Vite plugin, as its documentation says to use it."""

    name: str
    imported: str
    before: str
    """Its call, before the framework's plugin."""
    after: str


def inspectors(*, other: bool) -> list[Inspector]:
    """Those that are there."""
    module = FOLDER / "node_modules" / OTHER / "dist" / "index.mjs"
    known = [
        Inspector(NONE, "", "", ""),
        Inspector(OURS, "import { pageside } from 'vite-plugin-pageside';", "", "pageside()"),
        Inspector(
            OTHER,
            f"import {{ codeInspectorPlugin }} from '{module.as_uri()}';",
            "codeInspectorPlugin({ bundler: 'vite' })",
            "",
        ),
    ]
    return known if other else known[:2]


async def install() -> dict[str, str]:
    """Have the other one; its name and the reason, where that cannot be."""
    return await peers.install(FOLDER, VERSIONS)


def configure(project: Path, plugin: tuple[str, str], inspector: Inspector) -> str:
    """Write Vite's config for that inspector; the file's name."""
    name = f"vite.{inspector.name.replace(' ', '-')}.config.mjs"
    calls = ", ".join(call for call in (inspector.before, plugin[1], inspector.after) if call)
    text = f"{plugin[0]}\n{inspector.imported}\n\nexport default {{ plugins: [{calls}] }};\n"
    (project / name).write_text(text, "utf-8")
    return name
