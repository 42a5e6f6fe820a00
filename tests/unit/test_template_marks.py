"""Marks in templates: at every start tag that one can point at, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, FileSystemBytecodeCache, FileSystemLoader, FunctionLoader
from jinja2.ext import Extension

from pageside.contract import CHANNEL
from pageside.middleware.jinja import PagesideExtension
from pageside.middleware.templates import TEMPLATES

ATTRIBUTE: str = CHANNEL["sourceAttribute"]
MARK = re.compile(rf' {ATTRIBUTE}="([^"]+):(\d+):(\d+)"')


@pytest.fixture(autouse=True)
def project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Templates of this folder are marked."""
    monkeypatch.setattr(TEMPLATES, "_project", tmp_path)
    return tmp_path


def environment(templates: dict[str, str], **options: Any) -> Environment:
    """With the extension; the templates seem to be files of the project."""
    root = TEMPLATES.project()
    assert root is not None

    def load(name: str) -> tuple[str, str, None] | None:
        return (templates[name], str(root / name), None) if name in templates else None

    extensions: list[str | type[Extension]] = ["jinja2.ext.do", "jinja2.ext.i18n", PagesideExtension]
    return Environment(loader=FunctionLoader(load), extensions=extensions, **options)


def rendered(templates: dict[str, str], name: str = "page.html", **values: Any) -> str:
    return environment(templates).get_template(name).render(values)


def plain(templates: dict[str, str], **values: Any) -> str:
    extensions = ["jinja2.ext.do", "jinja2.ext.i18n"]
    return (
        Environment(loader=DictLoader(templates), extensions=extensions)
        .get_template("page.html")
        .render(values)
    )


def places(text: str) -> list[str]:
    """`<tag line:column` of every mark."""
    return [
        f"{tag} {line}:{column}"
        for tag, line, column in re.findall(rf'<([\w-]+)[^<]*? {ATTRIBUTE}="[^"]+:(\d+):(\d+)"', text)
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>a</p>\n  <b>c</b>", ["p 1:1", "b 2:3"]),
        ("<a {% if x %}class='b'{% endif %}>", ["a 1:1"]),
        ("<a{% if x %} class='b'{% endif %}>", ["a 1:1"]),
        ("<a {%- if x %} class='b'{% endif %}>", ["a 1:1"]),
        ("{% if x %}<b>{% else %}<i>{% endif %}", ["b 1:11"]),
        ("{% if not x %}<b>{% else %}<i>{% endif %}", ["i 1:28"]),
        ("<div {{ attrs }}><p title='a>b <i>'>", ["div 1:1", "p 1:18"]),
        ("<{{ tag }} class='x'>y</{{ tag }}>", ["kbd 1:1"]),
        ("<h{{ 2 }}>y</h{{ 2 }}>", ["h2 1:1"]),
        ("<ul{{ {'id': 'x'}|xmlattr }}>", ["ul 1:1"]),
        ("<p class={% if x %}'a>'{% else %}\"b\"{% endif %}><i>", ["p 1:1", "i 1:49"]),
        ("a <{{ 5 }} b", []),
        ("1 < 2 <3", []),
        ("<!-- <p> --><br/><!doctype html><p>", ["br 1:13", "p 1:33"]),
        ("<script>if (a <b && c> d) x('<p>')</script><p>", ["p 1:44"]),
        ("<style>a{}</style><textarea><p></textarea><title><b></title>", ["textarea 1:19"]),
        ("<template><p></template>", ["p 1:11"]),
        ("<svg><linearGradient/><path d='M0'/></svg>", ["svg 1:1", "linearGradient 1:6", "path 1:23"]),
        ("<my-card><slot>", ["my-card 1:1", "slot 1:10"]),
        ("<unknown><i>", ["i 1:10"]),
        ("{# <p> #}{% raw %}<b>{{ x }}{% endraw %}", ["b 1:19"]),
        ("{% raw -%}\n  <b>{% endraw %}", ["b 2:3"]),
        ("{{ '<p>' }}<i>", ["i 1:12"]),
        ("{{ '}}' ~ {'a': {}}.a }}<i>", ["i 1:25"]),
        ("{% trans %}Hello <b>you</b>{% endtrans %}<i>", ["i 1:42"]),
        ("{% filter upper %}<b>you</b>{% endfilter %}<i>", ["i 1:44"]),
        ("{% set x %}<b>{% endset %}{{ x }}", ["b 1:12"]),
        ("{% set x | upper %}<b>{% endset %}{{ x }}", []),
        ("{% set x = '<b>' %}<i>", ["i 1:20"]),
        ("<p>\r\n<b>\r<i>", ["p 1:1", "b 2:1", "i 3:1"]),
        ("<ul>{% for n in 'ab' %}<li>{% endfor %}", ["ul 1:1", "li 1:24", "li 1:24"]),
    ],
)
def test_each_kind_of_tag_has_its_place(source: str, expected: list[str]) -> None:
    values: dict[str, Any] = {"x": True, "tag": "kbd", "attrs": "id='d'"}
    if "trans" in source:
        values["_"] = str
    templates = {"page.html": source}
    env = environment(templates)
    env.install_null_translations()  # type: ignore[attr-defined]
    text = env.get_template("page.html").render(values)
    assert places(text) == expected
    if "{% trans" not in source:
        assert MARK.sub("", text) == plain(templates, **values)


def test_places_go_through_macros_calls_includes_imports_and_inheritance() -> None:
    templates = {
        "base.html": "<body>{% block main %}<b>{% endblock %}\n{% include 'nav.html' %}</body>",
        "nav.html": "\n<nav>",
        "ui.html": "{% macro card(t) %}\n\n<div>{{ caller() }}{% endmacro %}",
        "page.html": "{% extends 'base.html' %}{% import 'ui.html' as ui %}\n{% block main %}{{ super() }}"
        "{% call ui.card(1) %}<em>{% endcall %}{% endblock %}",
    }
    text = rendered(templates)
    found = [(Path(file).name, int(line), int(column)) for file, line, column in MARK.findall(text)]
    assert found == [
        ("base.html", 1, 1),
        ("base.html", 1, 23),
        ("ui.html", 3, 1),
        ("page.html", 2, 51),
        ("nav.html", 2, 1),
    ]


def test_a_block_that_stands_in_a_script_of_the_template_above_is_left_alone() -> None:
    templates = {
        "base.html": "<script>{% block js %}{% endblock %}</script><p title='{% block tip %}{% endblock %}'>",
        "page.html": "{% extends 'base.html' %}{% block js %}a <b && c> d{% endblock %}"
        "{% block tip %}<i>{% endblock %}",
    }
    assert places(rendered(templates)) == ["p 1:46"]


@pytest.mark.parametrize("name", ["mail.txt", "feed.xml", "app.js", "style.css.j2", "data.json.jinja"])
def test_other_than_html_is_left_alone(name: str) -> None:
    source = "<p>not HTML</p>"
    assert rendered({name: source}, name) == source


@pytest.mark.parametrize("name", ["a.html", "a.htm", "icon.svg", "a.html.j2", "a.jinja2", "page"])
def test_html_is_known_by_its_name_or_its_look(name: str) -> None:
    assert "data-pageside" in rendered({name: "<p>HTML</p>"}, name)


def test_what_the_app_wants_left_alone_is() -> None:
    env = environment({"emails/hello.html": "<p>"})
    env.pageside_ignore = ("emails/*",)  # type: ignore[attr-defined]
    assert env.get_template("emails/hello.html").render() == "<p>"


def test_other_delimiters_and_line_statements_are_read() -> None:
    env = environment(
        {"page.html": "# if x\n<p [[ y ]]>\n# endif\n<% if x %><b>//<i>\n<% endif %>"},
        variable_start_string="[[",
        variable_end_string="]]",
        block_start_string="<%",
        block_end_string="%>",
        line_statement_prefix="#",
        line_comment_prefix="//",
        trim_blocks=True,
        lstrip_blocks=True,
    )
    assert places(env.get_template("page.html").render(x=1, y="id='y'")) == ["p 2:1", "b 4:11"]


def test_errors_keep_their_lines(project: Path) -> None:
    (project / "page.html").write_text("<p>\n<b>\n<i>{{ missing.deeper }}")
    env = Environment(loader=FileSystemLoader(project), extensions=[PagesideExtension])
    with pytest.raises(Exception, match="missing") as caught:
        env.get_template("page.html").render()
    lines = [entry.lineno + 1 for entry in caught.traceback if str(entry.path).endswith("page.html")]
    assert lines == [3]


def test_a_parent_that_cannot_be_read_and_is_not_shown_breaks_nothing(project: Path) -> None:
    (project / "old.html").write_bytes(b"<p>\xe9")
    (project / "page.html").write_text(
        "{% if old %}{% extends 'old.html' %}{% endif %}\n<p>{% block a %}<b>{% endblock %}"
    )
    env = Environment(loader=FileSystemLoader(project), extensions=[PagesideExtension])
    assert f'<p {ATTRIBUTE}="page.html:2:1">' in env.get_template("page.html").render(old=False)


def test_a_lexer_that_makes_up_text_leaves_its_templates_unmarked(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "page.html").write_text("<p>{{ v }}")
    env = Environment(loader=FileSystemLoader(project), extensions=[PagesideExtension])
    tokeniter = env.lexer.tokeniter
    made_up = (1, "data", "made up")
    monkeypatch.setattr(env.lexer, "tokeniter", lambda *given: [*tokeniter(*given), made_up])
    assert env.get_template("page.html").render(v=1) == "<p>1made up"


def test_marked_templates_stay_out_of_the_apps_bytecode_cache(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "page.html").write_text("<p>")
    kept = tmp_path_factory.mktemp("bytecode")

    def page() -> str:
        cache = FileSystemBytecodeCache(str(kept))
        loader = FileSystemLoader(project)
        env = Environment(loader=loader, bytecode_cache=cache, extensions=[PagesideExtension])
        return env.get_template("page.html").render()

    assert "data-pageside" in page()
    assert not list(kept.iterdir())
    monkeypatch.setattr(TEMPLATES, "_project", None)
    assert page() == "<p>"
    assert list(kept.iterdir())
    monkeypatch.setattr(TEMPLATES, "_project", project)
    assert "data-pageside" in page()


@pytest.mark.parametrize("is_page_asked", [True, False])
def test_a_bytecode_cache_that_is_set_later_gets_no_marked_template_either(
    project: Path, tmp_path_factory: pytest.TempPathFactory, is_page_asked: bool
) -> None:
    for name in ("first.html", "second.html"):
        (project / name).write_text("<p>")
    kept = tmp_path_factory.mktemp("bytecode")
    env = Environment(loader=FileSystemLoader(project), extensions=[PagesideExtension])
    env.bytecode_cache = FileSystemBytecodeCache(str(kept))
    if is_page_asked:
        TEMPLATES.prepare()
    first, second = (env.get_template(name).render() for name in ("first.html", "second.html"))
    assert ("data-pageside" in first, "data-pageside" in second) == (is_page_asked, True)
    assert len(list(kept.iterdir())) == (0 if is_page_asked else 1)
    assert b"data-pageside" not in b"".join(file.read_bytes() for file in kept.iterdir())


def test_without_a_middleware_nothing_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    env = environment({"page.html": "<p>"})
    monkeypatch.setattr(TEMPLATES, "_project", None)
    assert env.get_template("page.html").render() == "<p>"


NAMES = st.sampled_from(["p", "div", "a", "li", "my-tag", "svg", "textarea", "script", "odd", "H1"])
VALUES = st.sampled_from(["x", "a>b", "{{ v }}", "{% if v %}y{% endif %}", "<b>", ""])
ATTRIBUTES = st.one_of(
    st.builds("{}='{}'".format, st.sampled_from(["class", "title"]), VALUES),
    st.builds('{}="{}"'.format, st.sampled_from(["id", "data-x"]), VALUES),
    st.sampled_from(
        ["hidden", "{{ w }}", "{% if v %}hidden{% endif %}", "{% for n in 'ab' %}d{{ n }}=1 {% endfor %}"]
    ),
)
START = st.builds(
    lambda name, attributes, end: f"<{' '.join([name, *attributes])}{end}",
    NAMES,
    st.lists(ATTRIBUTES, max_size=3),
    st.sampled_from([">", " >", "\n>", "/>"]),
)
LEAVES = st.one_of(
    START,
    st.builds("</{}>".format, NAMES),
    st.sampled_from(
        [
            "text",
            " ",
            "\n",
            "{{ v }}",
            "{# <p> #}",
            "<!-- <p> {{ v }} -->",
            "1 < 2",
            "<{{ t }} >x</{{ t }}>",
            "&lt;",
        ]
    ),
)
BODIES = st.recursive(
    st.lists(LEAVES, max_size=5).map("".join),
    lambda inner: st.one_of(
        st.builds("{{% if v %}}{}{{% else %}}{}{{% endif %}}".format, inner, inner),
        st.builds("{{%- for n in 'ab' -%}}{}{{% endfor %}}".format, inner),
        st.builds("{{% macro m() %}}{}{{% endmacro %}}{{{{ m() }}}}".format, inner),
        st.builds("{{% set s %}}{}{{% endset %}}{{{{ s }}}}".format, inner),
        st.builds("{{% filter upper %}}{}{{% endfilter %}}".format, inner),
        st.builds("{}{}".format, inner, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=80, deadline=None)
@given(source=BODIES, v=st.sampled_from(["", "1"]))
def test_marking_changes_nothing_but_the_attributes_and_each_names_a_tag(source: str, v: str) -> None:
    values = {"v": v, "w": "hidden", "t": "kbd"}
    text = rendered({"page.html": source}, **values)
    assert MARK.sub("", text) == plain({"page.html": source}, **values)
    lines = source.split("\n")
    for _, line, column in MARK.findall(text):
        assert re.match(r"<[\w{]", lines[int(line) - 1][int(column) - 1 :])
