"""Links between the docs: the file is there, and so is the heading."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import unquote

import pytest

from support.app import REPOSITORY
from support.markdown import Document, documents

DOCUMENTS = {document.file: document for document in documents()}


@pytest.mark.parametrize("file", DOCUMENTS)
def test_every_link_leads_somewhere(file: str) -> None:
    broken = [
        f"{file}:{line} {target}" for line, target in DOCUMENTS[file].links() if not _leads(file, target)
    ]
    assert not broken


def _leads(file: str, target: str) -> bool:
    if "://" in target or target.startswith("mailto:"):
        return True
    path, _, anchor = unquote(target).partition("#")
    place = _normal(PurePosixPath(file).parent / path) if path else file
    if not (REPOSITORY / place).exists():
        return False
    return not anchor or (place in DOCUMENTS and anchor in DOCUMENTS[place].anchors)


def _normal(path: PurePosixPath) -> str:
    """Without `..`, as a browser follows it; what leads out of the repository is nowhere."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            if not parts:
                return "outside/of/the/repository"
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_headings_have_the_anchors_that_a_reader_is_sent_to() -> None:
    text = "# A `code_name`, and: more!\n\n## Twice\n\n## Twice\n\n```sh\n# no heading\n```\n"
    document = Document("a.md", text)
    assert document.anchors == {"a-code_name-and-more", "twice", "twice-1"}
