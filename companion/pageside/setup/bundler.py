"""Where the project configures its dev server, and the plugin put there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pageside.core.jsonc import BOM
from pageside.setup.files import Trouble, read
from pageside.setup.packages import PLUGIN, depends_on, package_json, package_of
from pageside.setup.plan import Change

_TOOL = Path(__file__).with_name("static") / "edit.mjs"
_SECONDS = 60
_MAX_DEPTH = 4
_SKIPPED = frozenset(("node_modules", "dist", "build", "out", "coverage", "vendor", "venv", "__pycache__"))

_FRAMEWORKS = {
    "nuxt.config": ("ts", "js", "mjs"),
    "astro.config": ("mjs", "ts", "js", "mts", "cjs"),
}
"""They keep Vite's config under `vite` in their own, and read no other."""
_VITE = tuple(f"vite.config.{ending}" for ending in ("js", "mjs", "ts", "cjs", "mts", "cts"))
"""In the order in which Vite looks for them."""

_NEXT_STEP = "Start the dev server, open the page, press Alt+I and point at an element."
_NEW = """import {{ defineConfig }} from 'vite';
import {{ pageside }} from '{plugin}';

export default defineConfig({{
  plugins: [pageside()],
}});
"""


@dataclass(frozen=True, slots=True)
class Config:
    """A config file, there or to be made; `under` is the key of Vite's config in a framework's."""

    path: Path
    under: str | None = None
    is_new: bool = False


def find_configs(folder: Path) -> list[Config]:
    """That of the folder itself, else those of the packages below it."""
    own = _config_in(folder)
    return [own] if own else [found for each in _folders(folder, 0) if (found := _config_in(each))]


def _config_in(folder: Path) -> Config | None:
    for base, endings in _FRAMEWORKS.items():
        for ending in endings:
            if (folder / f"{base}.{ending}").is_file():
                return Config(folder / f"{base}.{ending}", "vite")
    for name in _VITE:
        if (folder / name).is_file():
            return Config(folder / name)
    if (folder / "package.json").is_file() and (folder / "index.html").is_file():
        package = package_json(folder)
        if depends_on(package, "vite"):
            typed = (folder / "tsconfig.json").is_file()
            name = "ts" if typed else "js" if package.get("type") == "module" else "mjs"
            return Config(folder / f"vite.config.{name}", is_new=True)
    return None


def _folders(folder: Path, depth: int) -> Iterator[Path]:
    try:
        below = [Path(each.path) for each in os.scandir(folder) if each.is_dir(follow_symlinks=False)]
    except OSError:
        # A folder that may not be read has nothing that could be set up.
        return
    for each in sorted(below):
        if not each.name.startswith(".") and each.name not in _SKIPPED:
            yield each
            if depth + 1 < _MAX_DEPTH:
                yield from _folders(each, depth + 1)


def plan_config(config: Config) -> Change | None:
    """How it changes; None where the plugin is in it. Raises `Trouble`, with the lines to paste."""
    source = read(config.path)
    if config.is_new:
        code = _NEW.format(plugin=PLUGIN).encode()
        return Change("Vite", source, code, {"form": "pieces", "pieces": []}, _NEXT_STEP)
    text = source.text
    answer = _edit(text.removeprefix(BOM), config)
    if answer["status"] == "present":
        return None
    if answer["status"] == "edited":
        after = (BOM if text.startswith(BOM) else "") + answer["code"]
        return Change(
            "Vite", source, after.encode(), {"form": "pieces", "pieces": answer["pieces"]}, _NEXT_STEP
        )
    why = answer["why"]
    if answer["status"] == "unreadable":
        why = f"line {answer['line']}, column {answer['column']}: {why}"
    raise Trouble(f"{config.path} is left alone: {why}. {to_paste(config)}")


def to_paste(config: Config) -> str:
    """What connects it by hand."""
    where = "`plugins` of `vite`" if config.under else "`plugins`"
    return (
        f"Connect it by hand:\n    import {{ pageside }} from '{PLUGIN}';   at the top of {config.path.name}\n"
        f"    pageside(),   first in {where}"
    )


def _edit(text: str, config: Config) -> dict[str, Any]:
    """The answer of our tool; the project's own Node runs it."""
    node = shutil.which("node")
    if node is None:
        raise Trouble(f"{config.path} is left alone: there is no `node` on PATH. {to_paste(config)}")
    arguments = [config.path.name, *([config.under] if config.under else [])]
    try:
        done = subprocess.run(
            [node, str(_TOOL), *arguments],
            input=text.encode(),
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
        answer: dict[str, Any] = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        said = (
            error.stderr.decode("utf-8", "replace")
            if isinstance(error, subprocess.CalledProcessError)
            else ""
        )
        last = (said.strip().splitlines() or [str(error)])[-1]
        raise Trouble(
            f"{config.path} is left alone: `node` could not read it ({last}). {to_paste(config)}"
        ) from None
    return answer


def package_for(config: Config, root: Path) -> Path:
    """The package that the config belongs to; raises `Trouble` if there is none."""
    folder = package_of(config.path.parent, root)
    if folder is None:
        raise Trouble(
            f"There is no package.json for {config.path}: {PLUGIN} cannot be installed. {to_paste(config)}"
        )
    return folder
