"""What the middleware answers of places in templates: where they are, who uses them, and in the editor."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader

from pageside.errors import Refused
from pageside.middleware.exchange import Asked
from pageside.middleware.jinja import PagesideExtension
from pageside.middleware.options import Options
from pageside.middleware.places import MAX_PLACES, Places
from pageside.middleware.templates import TEMPLATES, package_of


def asked(body: Any) -> Asked:
    async def chunks() -> AsyncIterator[bytes]:
        yield json.dumps(body).encode()

    return Asked("POST", "/", "", [], False, "127.0.0.1", chunks())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Three templates that were rendered, one beside the project that was not."""
    templates = tmp_path / "shop" / "templates"
    templates.mkdir(parents=True)
    (tmp_path / "secret.html").write_text("<p>secret</p>")
    (templates / "base.html").write_text("<body>{% block main %}{% endblock %}</body>")
    (templates / "card.html").write_text("{% macro card() %}\n  <em>{{ caller() }}</em>{% endmacro %}\n<hr>")
    (templates / "page.html").write_text(
        "{% extends 'base.html' %}\n{% from 'card.html' import card %}\n{% block main %}<p>"
        "{% call card() %}<b>x</b>{% endcall %}{% endblock %}"
    )
    monkeypatch.setattr(TEMPLATES, "_project", tmp_path / "shop")
    monkeypatch.setattr(TEMPLATES, "_seen", {})
    monkeypatch.setattr(TEMPLATES, "_users", [])
    monkeypatch.setattr(TEMPLATES, "_reader", None)
    environment = Environment(loader=FileSystemLoader(templates), extensions=[PagesideExtension])
    environment.get_template("page.html").render()
    yield tmp_path / "shop"
    assert environment.loader is not None  # It lived until now: templates are read as long as it does.


async def resolved(project: Path, *places: Any) -> list[dict[str, Any]]:
    answer = await Places(Options(project=project)).resolve(asked({"places": places}))
    found: list[dict[str, Any]] = json.loads(answer.body)["places"]
    return found


def at(file: str, line: int, column: int, tag: str) -> dict[str, Any]:
    return {"file": file, "line": line, "column": column, "tag": tag, "via": "attribute"}


async def test_places_are_checked_and_have_the_macro_the_block_or_the_call_around_them(project: Path) -> None:
    found = await resolved(
        project,
        at("templates/card.html", 2, 3, "em"),
        at("templates/card.html", 3, 1, "hr"),
        at("templates/page.html", 3, 17, "p"),
        at("templates/page.html", 3, 37, "b"),
        at("templates/page.html", 3, 1, "b"),
        at("templates/base.html", 9, 1, "p"),
    )
    told = [(place["component"], place["column"], place["exact"]) for place in found]
    assert told == [
        ("card", 3, True),
        ("card.html", 1, True),
        ("main", 17, True),
        ("card", 37, True),
        ("card", 37, True),
        ("base.html", 1, False),
    ]
    assert "any more" in found[-1]["reason"]


async def test_nothing_outside_the_project_is_read(project: Path) -> None:
    (project / "link.html").symlink_to(project.parent / "secret.html")
    names = ["../secret.html", str(project.parent / "secret.html"), "link.html", "templates"]
    for place in await resolved(project, *(at(name, 1, 1, "p") for name in names)):
        assert (place["exact"], place["reason"]) == (False, "The template cannot be read.")
    assert package_of(Path("/x/site-packages/admin/templates/a.html")) == "admin"


async def test_bad_requests_are_refused_by_name(project: Path) -> None:
    places = Places(Options(project=project))
    bodies: list[Any] = [[], {"places": 1}, {"places": [{}] * (MAX_PLACES + 1)}]
    for body in bodies:
        with pytest.raises(Refused) as refused:
            await places.resolve(asked(body))
        assert refused.value.status == 400
    assert await resolved(
        project, 1, {"file": 1}, {"file": "a\0b", "line": 1}, {"file": "x", "line": -1}
    ) == [
        None,
        None,
        None,
        None,
    ]


async def test_a_path_that_no_file_can_have_spoils_nothing_for_the_others(project: Path) -> None:
    (project / "circle").symlink_to("circle")
    names = ["circle", "circle/x", "\ud800", "x" * 5000]
    places = await resolved(
        project, *(at(name, 1, 1, "p") for name in names), at("templates/base.html", 1, 1, "body")
    )
    assert [bool(place and place["exact"]) for place in places] == [False] * len(names) + [True]
    service = Places(Options(project=project, editor="code {file}"))
    for name in names[:3]:
        for ask in (service.usage, service.open):
            with pytest.raises(Refused) as refused:
                await ask(asked({"file": name}))
            assert refused.value.status == 404


async def test_a_file_is_read_once_for_all_its_places(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Path] = []
    read_bytes = Path.read_bytes

    def read(file: Path) -> bytes:
        reads.append(file)
        return read_bytes(file)

    monkeypatch.setattr(Path, "read_bytes", read)
    place = at("templates/base.html", 1, 1, "body")
    assert all(each["exact"] for each in await resolved(project, *[place] * MAX_PLACES))
    assert reads == [project / "templates/base.html"]


async def test_usage_counts_the_templates_that_name_one(project: Path) -> None:
    answer = await Places(Options(project=project)).usage(asked({"file": "templates/card.html"}))
    assert json.loads(answer.body) == {
        "counted": True,
        "places": 1,
        "modules": 1,
        "importers": 1,
        "importedBy": ["templates/page.html"],
    }
    with pytest.raises(Refused, match="no template"):
        await Places(Options(project=project)).usage(asked({"file": "../secret.html"}))


async def test_a_place_opens_in_the_editor_that_is_set(project: Path) -> None:
    out = project / "opened"
    os.mkfifo(out)
    code = "import sys; open(sys.argv[2], 'w').write(sys.argv[1])"
    words = [sys.executable, "-c", code, "{file}:{line}:{column}", str(out)]
    places = Places(Options(project=project, editor=shlex.join(words)))
    answer = await places.open(asked({"file": "templates/page.html", "line": 3, "column": 17}))
    assert json.loads(answer.body)["opened"]["line"] == 3
    assert await asyncio.to_thread(out.read_text) == f"{project}/templates/page.html:3:17"
    with pytest.raises(Refused, match="no file"):
        await places.open(asked({"file": "../secret.html"}))
    with pytest.raises(Refused, match="No editor is set") as refused:
        await Places(Options(project=project)).open(asked({"file": "templates/page.html"}))
    assert "PAGESIDE_EDITOR" in refused.value.fix
