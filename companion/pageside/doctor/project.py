"""The project: its bundler's config with the plugin in it, what is installed of both, and pages that Python serves."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from pageside import __version__
from pageside.doctor.asking import aside
from pageside.doctor.report import Finding, note, ok, problem
from pageside.doctor.sight import Case
from pageside.setup.bundler import Config, find_configs, plan_config
from pageside.setup.files import Trouble
from pageside.setup.packages import PLUGIN
from pageside.setup.plan import shown_path
from pageside.setup.python_pages import find_python_pages
from pageside.setup.vite import LEAST_VITE, installed_version, is_too_old

MAX_CONFIGS = 16
MAX_FILES = 500
"""Python files that are looked through for the middleware."""
MAX_FOLDERS = 2000
MAX_BYTES = 200_000
_SKIPPED = frozenset(("node_modules", "dist", "build", "venv", "site-packages", "__pycache__"))
_SET_UP = "pageside setup"
_NAME_IT = "Name the app's folder with --project, if there is one."


async def check(case: Case) -> list[Finding]:
    return await aside(lambda: list(_check(case.settings.project)))


def _check(root: Path) -> Iterator[Finding]:
    configs = find_configs(root)
    yield from _configs(configs[:MAX_CONFIGS], root)
    if len(configs) > MAX_CONFIGS:
        yield note(f"{len(configs) - MAX_CONFIGS} more configs were not looked at.", _NAME_IT)
    pages = _python_pages(root, has_config=bool(configs))
    if pages is not None:
        yield pages
    elif not configs:
        yield note("No Vite, Nuxt or Astro config, and no web framework of Python.", _NAME_IT)


def _configs(configs: list[Config], root: Path) -> Iterator[Finding]:
    """A line for each; where one package of a workspace has the plugin, the others may well be no apps."""
    found = [(config, _config(config, root)) for config in configs]
    is_connected = any(finding.level == "ok" for _, finding in found)
    without = []
    for config, finding in found:
        if is_connected and finding.level == "problem":
            without.append(shown_path(config.path, root))
        else:
            yield from _with_packages(config, finding)
    if without:
        yield note(f"without the plugin: {', '.join(without)}", f"{_SET_UP} --project DIR, if one is an app")


def _config(config: Config, root: Path) -> Finding:
    name = shown_path(config.path, root)
    if config.is_new:
        return problem(f"The app has no {name}, so no plugin.", _SET_UP)
    try:
        change = plan_config(config)
    except Trouble as trouble:
        return note(f"{name}: whether the plugin is in it is not known.", str(trouble))
    return ok(f"{name} has the plugin") if change is None else problem(f"{name} has no plugin.", _SET_UP)


def _with_packages(config: Config, finding: Finding) -> Iterator[Finding]:
    versions = {name: installed_version(config.path.parent, name) for name in (PLUGIN, "vite")}
    wrong = list(_wrong_packages(versions[PLUGIN], versions["vite"], has_vite=config.under is None))
    if wrong or finding.level != "ok":
        yield finding
        yield from wrong
    else:
        installed = [f"{name} {version}" for name, version in versions.items() if version is not None]
        yield ok(f"{finding.text} ({', '.join(installed)})")


def _wrong_packages(plugin: str | None, vite: str | None, *, has_vite: bool) -> Iterator[Finding]:
    install = f"npm install --save-dev {PLUGIN}@{__version__}   or as the project's package manager has it"
    if plugin is None:
        yield problem(f"{PLUGIN} is not installed.", install)
    elif plugin != __version__:
        yield problem(f"{PLUGIN} is {plugin}, and pageside {__version__}.", install)
    if vite is None and has_vite:
        yield problem("Vite is not installed.", "npm install   or as the project's package manager has it")
    elif vite is not None and is_too_old(vite):
        yield problem(f"Vite {vite} is too old for {PLUGIN}.", f"Update it to {LEAST_VITE} or above.")


def _python_pages(root: Path, *, has_config: bool) -> Finding | None:
    found = next((file for file in _python_files(root) if _has_middleware(file)), None)
    if found is not None:
        return ok(f"pageside.middleware is in {shown_path(found, root)}")
    frameworks = find_python_pages(root)
    if not frameworks:
        return None
    what = f"{', '.join(frameworks)}: no pageside.middleware was found"
    if has_config:
        return ok(f"{what}; pages come from the dev server")
    return note(f"{what}.", "If it serves pages, `pageside setup` prints the lines that connect them.")


def _python_files(root: Path) -> Iterator[Path]:
    """Those nearest first; a project that is larger than the limits is not looked through to its end."""
    waiting, seen, found = deque([root]), 0, 0
    while waiting and seen < MAX_FOLDERS:
        folder, seen = waiting.popleft(), seen + 1
        for each in _content(folder):
            if each.is_dir(follow_symlinks=False):
                if each.name not in _SKIPPED and not each.name.startswith("."):
                    waiting.append(Path(each.path))
            elif each.name.endswith(".py"):
                found += 1
                if found > MAX_FILES:
                    return
                yield Path(each.path)


def _content(folder: Path) -> list[os.DirEntry[str]]:
    try:
        return sorted(os.scandir(folder), key=lambda each: each.name)
    except OSError:
        # What may not be read is not the app's.
        return []


def _has_middleware(file: Path) -> bool:
    try:
        if not file.is_file() or file.stat().st_size > MAX_BYTES:
            return False
        return b"pageside.middleware" in file.read_bytes()
    except OSError:
        # What may not be read is not the app's.
        return False
