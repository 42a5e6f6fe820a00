"""What is in the wheel, in the sdist and in the npm tarball."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

from notices import FILE, IN_THE_WHEEL
from packages.conftest import Built
from pageside.contract import SCRIPTS
from release import repository_of, version_of
from support.app import REPOSITORY
from support.markdown import Document

SOURCES = REPOSITORY / "companion" / "pageside"
TARBALL_BYTES = 256 * 1024
WHEEL_BYTES = 1536 * 1024


def wheel_files(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def tar_files(archive: Path) -> dict[str, bytes]:
    """Without the folder that everything is in."""
    files = {}
    with tarfile.open(archive) as members:
        for member in members:
            content = members.extractfile(member)
            if content is not None:
                files[member.name.partition("/")[2]] = content.read()
    return files


def tracked() -> set[str]:
    """The package's files that are kept in the repository, as the wheel calls them."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "."]
    listed = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, check=True).stdout.split()
    return {f"pageside/{name}" for name in listed if (SOURCES / name).is_file()}


def unlinked(markdown: str) -> list[str]:
    """Links that lead nowhere without the repository around."""
    links = [target for _, target in Document("README.md", markdown).links()]
    return [each for each in links if not each.startswith(("https://", "#"))]


def test_the_wheel_has_one_top_level_name_with_every_source_and_everything_built(built: Built) -> None:
    files = wheel_files(built.wheel)
    tops = {name.partition("/")[0] for name in files}
    assert tops == {"pageside", f"pageside-{version_of(REPOSITORY)}.dist-info"}
    package = {name for name in files if name.startswith("pageside/")}
    made = {f"pageside/web/static/{name}" for name in [*SCRIPTS.values(), "console.js", "console.css"]}
    made |= {f"pageside/chrome/static/{name}.js" for name in ("reader", "serialise", "toolkit", "tracker")}
    made |= {"pageside/setup/static/edit.mjs"}
    extension = {name for name in package if name.startswith("pageside/web/static/extension/")}
    assert package - extension == tracked() | made
    manifest = json.loads(files["pageside/web/static/extension/manifest.json"])
    named = [manifest["background"]["service_worker"], manifest["devtools_page"], *manifest["icons"].values()]
    assert {f"pageside/web/static/extension/{name}" for name in named} < extension
    assert manifest["version"] == version_of(REPOSITORY)
    assert built.wheel.stat().st_size < WHEEL_BYTES


def test_the_wheel_of_the_sdist_is_that_of_the_checkout_and_needs_nothing_built(built: Built) -> None:
    assert wheel_files(built.wheel) == wheel_files(built.direct)
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"} < tar_files(built.sdist).keys()


def test_the_page_of_the_package_index_names_the_registrys_entry_and_links_to_this_version(
    built: Built,
) -> None:
    (metadata,) = (data for name, data in wheel_files(built.wheel).items() if name.endswith("/METADATA"))
    message = message_from_bytes(metadata)
    page = metadata.partition(b"\n\n")[2].decode()
    assert message["Description-Content-Type"] == "text/markdown"
    assert unlinked(page) == []
    version = version_of(REPOSITORY)
    ours = f"https://github.com/{repository_of(REPOSITORY)}"
    assert f"{ours}/blob/v{version}/docs/" in page
    # A page of the repository would be no picture.
    pictures = re.findall(r'<(?:img|source) [^>]*?(?:src|srcset)="([^"]+)"', page)
    assert pictures
    assert [each for each in pictures if not each.startswith(f"{ours}/raw/v{version}/docs/pictures/")] == []
    entry = json.loads((REPOSITORY / "server.json").read_text("utf-8"))
    assert f"<!-- mcp-name: {entry['name']} -->" in page


def test_the_tarball_has_what_the_plugin_exports_its_page_scripts_and_its_papers(built: Built) -> None:
    files = tar_files(built.tarball)
    package = json.loads(files["package.json"])
    exported = [path for each in package["exports"].values() for path in each.values()]
    assert {path.removeprefix("./") for path in exported} < files.keys()
    assert {f"client/{name}" for name in SCRIPTS.values()} < files.keys()
    tops = {name.partition("/")[0] for name in files}
    assert tops == {"README.md", "LICENSE", FILE, "package.json", "dist", "client"}
    sources = {
        str(file.relative_to(REPOSITORY / "vite-plugin" / "src").with_suffix(""))
        for file in (REPOSITORY / "vite-plugin" / "src").rglob("*.ts")
    }
    compiled = {name.removeprefix("dist/") for name in files if name.startswith("dist/")}
    assert compiled == {f"{name}{end}" for name in sources for end in (".js", ".d.ts")}
    assert built.tarball.stat().st_size < TARBALL_BYTES


def test_links_of_the_plugins_page_lead_to_files_that_there_are(built: Built) -> None:
    page = tar_files(built.tarball)["README.md"].decode()
    assert unlinked(page) == []
    main = rf"https://github\.com/{repository_of(REPOSITORY)}/(?:blob|raw(?=\S+\.webp$))/main/([^#]+)(?:#.*)?"
    ours = [target for _, target in Document("README.md", page).links() if "github.com" in target]
    assert ours
    found = [(each, re.fullmatch(main, each)) for each in ours]
    assert [each for each, match in found if match is None or not (REPOSITORY / match[1]).is_file()] == []


def test_the_licence_of_all_that_is_built_in_comes_along(built: Built) -> None:
    files = wheel_files(built.wheel)
    (ours,) = (data.decode() for name, data in files.items() if name.endswith(f"licenses/{FILE}"))
    entries = [entry.strip() for entry in ours.split("=" * 100)[1:]]
    assert set(IN_THE_WHEEL) < {entry.partition(" ")[0] for entry in entries}
    assert [entry for entry in entries if "ermission" not in entry] == []
    theirs = tar_files(built.tarball)[FILE].decode()
    assert "Copyright (c) 2021-present wxm" in theirs
