import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.chrome.sourcemap import (
    BadSourceMap,
    Place,
    SourceMap,
    decode_vlq,
    mapping_url,
    parse,
)

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def encode(values: list[int]) -> str:
    text = ""
    for value in values:
        rest = (-value << 1) | 1 if value < 0 else value << 1
        while True:
            digit, rest = rest & 31, rest >> 5
            text += DIGITS[digit | (32 if rest else 0)]
            if not rest:
                break
    return text


def mapped(mappings: str, **more: Any) -> dict[str, Any]:
    return {"version": 3, "sources": ["a.scss"], "mappings": mappings, **more}


@given(st.lists(st.integers(-(2**30), 2**30), min_size=1, max_size=5))
def test_numbers_survive_their_encoding(values: list[int]) -> None:
    assert list(decode_vlq(encode(values))) == values


places = st.tuples(st.integers(0, 3), st.integers(0, 500), st.integers(0, 200))


@given(st.dictionaries(st.tuples(st.integers(0, 6), st.integers(0, 300)), places, max_size=40))
def test_every_generated_place_finds_the_mapping_at_or_before_it(
    mappings: dict[tuple[int, int], tuple[int, int, int]],
) -> None:
    before = [0, 0, 0]
    lines = []
    for line in range(7):
        column, segments = 0, []
        for (at_line, at_column), place in sorted(mappings.items()):
            if at_line == line:
                segments.append(
                    encode([at_column - column, *(a - b for a, b in zip(place, before, strict=True))])
                )
                column, before = at_column, list(place)
        lines.append(",".join(segments))
    read = SourceMap(mapped(";".join(lines), sources=list("wxyz")), "http://h/")
    for line in range(7):
        for column in (0, 1, 150, 300, 10_000):
            known = [key for key in mappings if key[0] == line and key[1] <= column]
            found = mappings[max(known)] if known else None
            expected = found and Place(f"http://h/{'wxyz'[found[0]]}", found[1] + 1, found[2] + 1)
            assert read.original(line, column) == expected


@given(st.text())
def test_rubbish_raises_one_clear_error(text: str) -> None:
    with pytest.raises(BadSourceMap):
        parse(text, "http://h/x.map")


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.fixed_dictionaries(
        {"version": st.just(3)},
        optional={
            "sources": json_values,
            "sourceRoot": json_values,
            "mappings": json_values | st.text("AC;,DgBz9/", max_size=30),
            "sections": json_values
            | st.lists(
                st.fixed_dictionaries({"offset": json_values, "map": json_values}), min_size=1, max_size=2
            ),
        },
    )
)
def test_well_formed_rubbish_is_read_or_refused(data: dict[str, Any]) -> None:
    try:
        read = parse(json.dumps(data), "http://h/x.map")
    except BadSourceMap:
        return
    assert read.original(0, 0) is None or read.sources


def test_too_many_mappings_are_refused_before_they_take_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pageside.chrome.sourcemap.MAX_SEGMENTS", 100)
    assert SourceMap(mapped(";" * 100), "").original(0, 0) is None
    with pytest.raises(BadSourceMap, match="100 mappings"):
        SourceMap(mapped(";" * 101), "")


def test_a_mapping_without_a_source_ends_the_one_before() -> None:
    read = SourceMap(mapped("AAAA,EAAE,E"), "http://h/")
    assert read.original(0, 3) == Place("http://h/a.scss", 1, 3)
    assert read.original(0, 4) is None


def test_sections_begin_where_they_say() -> None:
    read = SourceMap(
        {
            "version": 3,
            "sections": [
                {"offset": {"line": 0, "column": 0}, "map": mapped("AAAA", sources=["one.css"])},
                {"offset": {"line": 0, "column": 10}, "map": mapped("AAAA;AACA", sources=["two.css"])},
                {"offset": {"line": 5, "column": 0}, "map": mapped("AAAA", sources=["three.css"])},
            ],
        },
        "http://h/css/all.map",
    )
    assert read.original(0, 9) == Place("http://h/css/one.css", 1, 1)
    assert read.original(0, 10) == Place("http://h/css/two.css", 1, 1)
    assert read.original(1, 0) == Place("http://h/css/two.css", 2, 1)
    assert read.original(5, 0) == Place("http://h/css/three.css", 1, 1)
    assert read.original(4, 0) is None


@pytest.mark.parametrize(
    ("root", "source", "url"),
    [
        ("", "a.scss", "http://h/css/a.scss"),
        ("../src", "a.scss", "http://h/src/a.scss"),
        ("/src/", "a.scss", "http://h/src/a.scss"),
        ("src", "/abs/a.scss", "http://h/abs/a.scss"),
        ("src", "file:///abs/a.scss", "file:///abs/a.scss"),
        ("", "webpack:///./src/a.ts", "webpack:///./src/a.ts"),
    ],
)
def test_sources_are_relative_to_their_root_and_the_map(root: str, source: str, url: str) -> None:
    read = SourceMap(mapped("AAAA", sourceRoot=root, sources=[source]), "http://h/css/all.css.map")
    assert read.sources == [url]


def test_a_data_url_and_a_guarded_file_are_read() -> None:
    text = json.dumps(mapped("AAAA"))
    encoded = base64.b64encode(text.encode()).decode()
    for form in (f"data:application/json;charset=utf-8;base64,{encoded}", f")]}}'\n{text}", f"\ufeff{text}"):
        assert parse(form, "http://h/").original(0, 0) == Place("http://h/a.scss", 1, 1)


def test_the_last_mapping_comment_of_a_script_counts() -> None:
    script = (
        "const a = 'sourceMappingURL=no'\n//# sourceMappingURL=old.map\nb()\n//# sourceMappingURL=new.map\n"
    )
    assert mapping_url(script) == "new.map"
    assert mapping_url("const a = 'sourceMappingURL=x'") is None
    assert mapping_url("//@ sourceMappingURL=legacy.map") == "legacy.map"
    assert mapping_url("") is None


def test_names_belong_to_the_mappings_that_begin_with_them() -> None:
    first = ",".join([encode([0, 0, 0, 0, 1]), encode([5, 0, 0, 5]), encode([2, 0, 0, 2, -1]), encode([3])])
    read = SourceMap(mapped(f"{first};;{encode([4, 0, 1, 0, 7])}", names=["total", "render"]), "http://h/")
    named = {(0, 0): "render", (0, 7): "total"}
    for line in range(3):
        for column in range(12):
            assert read.name(line, column) == named.get((line, column))


def test_names_of_sections_are_their_own() -> None:
    part = {"version": 3, "sources": ["a"], "mappings": encode([0, 0, 0, 0, 0])}
    sections = [
        {"offset": {"line": 0, "column": 0}, "map": {**part, "names": ["one"]}},
        {"offset": {"line": 0, "column": 9}, "map": {**part, "names": ["two"]}},
    ]
    read = SourceMap({"version": 3, "sections": sections}, "http://h/")
    assert (read.name(0, 0), read.name(0, 9), read.name(0, 8)) == ("one", "two", None)
