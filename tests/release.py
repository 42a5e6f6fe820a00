"""One version and one repository, in every file that names them.

pyproject.toml says which. `python -m release --check` says where another one stands, `python -m release 1.2.3` sets
the version everywhere, `python -m release --tag v1.2.3 --repository owner/name` says why that tag must not be released.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.app import REPOSITORY

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
"""Three numbers: an extension's manifest takes nothing else."""
_SOURCE = ("pyproject.toml", r'(?m)^version = "([^"]+)"$')
_VERSIONS = (
    ("companion/pageside/__init__.py", r'(?m)^__version__ = "([^"]+)"$'),
    ("vite-plugin/package.json", r'(?m)^  "version": "([^"]+)"'),
    ("inspector_client/package.json", r'(?m)^  "version": "([^"]+)"'),
    ("inspector_client/extension/static/manifest.json", r'(?m)^  "version": "([^"]+)"'),
    (
        "package-lock.json",
        r'"name": "(?:vite-plugin-pageside|pageside-inspector-client)",\s+"version": "([^"]+)"',
    ),
    ("package-lock.json", r'"vite-plugin-pageside": "([^"]+)"'),
    ("server.json", r'"version": "([^"]+)"'),
)
_REPOSITORIES = (
    ("pyproject.toml", r"https://github\.com/([\w.-]+/[\w.-]+?)(?=[/\"])"),
    ("vite-plugin/package.json", r"https://github\.com/([\w.-]+/[\w.-]+?)(?=\.git|[/\"#])"),
    ("vite-plugin/README.md", r"https://github\.com/([\w.-]+/[\w.-]+?)(?=[/)#])"),
    ("server.json", r"https://github\.com/([\w.-]+/[\w.-]+?)(?=[/\"])"),
)
_NAMES = (
    ("server.json", r'(?m)^  "name": "([^"]+)"'),
    ("README.md", r"<!-- mcp-name: (\S+) -->"),
)


@dataclass(frozen=True)
class Place:
    """Where a file says what pyproject.toml decides: every first group of the pattern."""

    file: str
    pattern: str
    expected: str

    def faults(self, root: Path) -> list[str]:
        """What stands there instead, in words; a file that says nothing is wrong, too."""
        said = re.findall(self.pattern, (root / self.file).read_text("utf-8"))
        if not said:
            return [f"{self.file}: {self.expected} is missing"]
        return [f"{self.file}: {each}, not {self.expected}" for each in said if each != self.expected]

    def set(self, root: Path) -> None:
        file = root / self.file
        text = file.read_text("utf-8")
        changed = re.sub(self.pattern, self._put, text)
        if changed != text:
            file.write_text(changed, "utf-8", newline="")

    def _put(self, match: re.Match[str]) -> str:
        start, end = (at - match.start() for at in match.span(1))
        return match[0][:start] + self.expected + match[0][end:]


def version_of(root: Path) -> str:
    """What pyproject.toml says."""
    return str(_project(root)["version"])


def repository_of(root: Path) -> str:
    """`owner/name` on GitHub."""
    urls = _project(root)["urls"]
    assert isinstance(urls, dict)
    return str(urls["Repository"]).removeprefix("https://github.com/")


def _project(root: Path) -> dict[str, object]:
    project: dict[str, object] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def places(root: Path) -> Iterator[Place]:
    """All of them, with what pyproject.toml decides now."""
    version, repository = version_of(root), repository_of(root)
    yield from (Place(file, pattern, version) for file, pattern in (*_VERSIONS, *_examples(root)))
    yield from (Place(file, pattern, repository) for file, pattern in _REPOSITORIES)
    owner, name = repository.split("/")
    yield from (Place(file, pattern, f"io.github.{owner}/{name}") for file, pattern in _NAMES)


def _examples(root: Path) -> Iterator[tuple[str, str]]:
    for file in sorted((root / "examples").glob("vite-*/package.json")):
        if '"vite-plugin-pageside"' in file.read_text("utf-8"):
            yield str(file.relative_to(root)), r'"vite-plugin-pageside": "([^"]+)"'


def faults(root: Path) -> list[str]:
    """Every place that says something else, in words."""
    return [fault for place in places(root) for fault in place.faults(root)]


def set_version(root: Path, version: str) -> None:
    """Into pyproject.toml first, then everywhere."""
    Place(*_SOURCE, version).set(root)
    for place in places(root):
        place.set(root)


def against_release(root: Path, tag: str, repository: str) -> list[str]:
    """Why that tag of that repository must not be released, in words."""
    version, found = version_of(root), faults(root)
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, pyproject.toml says {version}")
    if repository.lower() != repository_of(root).lower():
        found.append(f"this is {repository}, pyproject.toml says {repository_of(root)}")
    if f"\n## {version} " not in (root / "CHANGELOG.md").read_text("utf-8"):
        found.append(f"CHANGELOG.md has no `## {version} – date`")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m release")
    parser.add_argument("version", nargs="?", help="to be set everywhere: three numbers")
    parser.add_argument("--check", action="store_true", help="fail where files disagree")
    parser.add_argument("--tag", help="fail if that tag must not be released")
    parser.add_argument("--repository", default="", help="owner/name of where the tag is")
    arguments = parser.parse_args()
    if not (arguments.version or arguments.check or arguments.tag):
        parser.error("name a version, such as 1.2.3")
    if arguments.version:
        if not VERSION.fullmatch(arguments.version):
            parser.error(f"{arguments.version!r} is no version: write three numbers, such as 1.2.3")
        set_version(REPOSITORY, arguments.version)
    tag = arguments.tag
    found = against_release(REPOSITORY, tag, arguments.repository) if tag else faults(REPOSITORY)
    sys.stderr.write("".join(f"{fault}\n" for fault in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
