"""What becomes of an element's lines while the file changes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.drift import drift, fingerprint

CARD = """import { Price } from './Price';

export function Card({ dish, chosen }) {
  const total = dish.price * 2;

  return (
    <article className="card">
      <h2>{dish.name}</h2>
      <p className="text">
        {dish.description} is cooked
        on the spot.
      </p>
      <Price
        value={total}
        onChange={(next) => next > 2 && save("a > b")}
      />
      <button type="button" onClick={choose}>
        Choose
      </button>
    </article>
  );
}
"""


def mark(text: str = CARD, tag: str = "<p ") -> dict[str, object]:
    """The fingerprint of the element whose tag begins so."""
    before = text[: text.index(tag)]
    found = fingerprint(text, before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert found is not None
    return found


def line_of(text: str, tag: str) -> int:
    return text[: text.index(tag)].count("\n") + 1


def test_nothing_changed() -> None:
    assert drift(mark(), CARD) == {"state": "unchanged", "line": 9}


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("  ", "\t"),
        lambda text: text.replace("dish.price * 2", "dish.price * 3"),
        lambda text: text.replace("<h2>{dish.name}</h2>", "<h2>Another</h2>"),
        lambda text: text + "\nexport const more = 1;\n",
        lambda text: text.replace("        Choose\n", "        Take it\n"),
    ],
)
def test_what_changes_around_it_on_as_many_lines_leaves_it_unchanged(change: object) -> None:
    assert callable(change)
    assert drift(mark(), change(CARD)) == {"state": "unchanged", "line": 9}


def test_lines_above_move_it() -> None:
    assert drift(mark(), f"// one\n\n// two\n{CARD}") == {"state": "moved", "line": 12, "was": 9}
    assert drift(mark(), CARD.replace("\n\n", "\n")) == {"state": "moved", "line": 7, "was": 9}


def test_what_is_moved_into_a_block_is_the_same_with_another_indentation() -> None:
    inner = "\n".join(f"    {line}" for line in CARD.split("\n"))
    assert drift(mark(), f"if (true) {{\n{inner}\n}}")["state"] == "moved"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('className="text"', 'className="text small"'),
        ("on the spot.", "in a minute."),
        ('<p className="text">', '<div className="text">'),
    ],
)
def test_a_change_in_the_tag_or_inside_the_element_is_an_edit(old: str, new: str) -> None:
    assert drift(mark(), CARD.replace(old, new)) == {"state": "edited", "line": 9}
    moved = drift(mark(), f"// above\n{CARD.replace(old, new)}")
    assert moved == {"state": "edited", "line": 10, "was": 9}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<p className="text">', '<p\n        className="text"\n      >'),
        ('<p className="text">\n        {', '<p className="text">{'),
        (" is cooked\n        on the spot.", " is\n        cooked on\n        the spot."),
        ('"', "'"),
    ],
)
def test_another_format_is_no_edit(old: str, new: str) -> None:
    assert drift(mark(), CARD.replace(old, new)) == {"state": "unchanged", "line": 9}
    above = drift(mark(), f"// above\n{CARD.replace(old, new)}")
    assert above == {"state": "moved", "line": 10, "was": 9}


@pytest.mark.parametrize(
    ("old", "new"), [(" is cooked\n", " iscooked\n"), ("{dish.description} is", "{dish.description}is")]
)
def test_a_blank_that_shows_on_the_page_is_an_edit(old: str, new: str) -> None:
    assert drift(mark(), CARD.replace(old, new)) == {"state": "edited", "line": 9}


def test_a_tag_over_several_lines_counts_as_a_whole() -> None:
    before = mark(tag="<Price")
    assert drift(before, CARD.replace("save(", "store("))["state"] == "edited"
    assert drift(before, CARD.replace("Choose", "Take"))["state"] == "unchanged"


def test_an_element_that_is_taken_out_is_gone() -> None:
    without = re.sub(r" +<p [\s\S]*?</p>\n", "", CARD)
    assert "<p " not in without
    assert drift(mark(), without) == {
        "state": "gone",
        "was": 9,
        "why": "Nothing like it stands in the file any more.",
    }
    assert drift(mark(), "") == drift(mark(), "something\nelse\n") == drift(mark(), without)


def test_a_file_that_is_taken_away_is_gone() -> None:
    assert drift(mark(), None) == {"state": "gone", "was": 9, "why": "The file is not there any more."}


STATS = """<dl>
  <Stat label="Orders" />
  <Stat label="Total" />
  <Stat label="Closes" />
</dl>
"""


def test_a_neighbour_of_the_same_name_is_not_taken_for_it() -> None:
    total = mark(STATS, '<Stat label="Total"')
    assert drift(total, STATS.replace('  <Stat label="Total" />\n', ""))["state"] == "gone"
    renamed = STATS.replace('"Total"', '"Sum"')
    assert drift(total, renamed) == {"state": "edited", "line": 3}
    swapped = STATS.replace('  <Stat label="Orders" />\n', "") + '<Stat label="Orders" />\n'
    assert drift(total, swapped) == {"state": "moved", "line": 2, "was": 3}


def test_of_several_that_are_alike_the_nearest_is_meant_and_the_doubt_is_told() -> None:
    row = "<li>same</li>\n"
    text = "<ul>\n" + row * 9 + "</ul>\n"
    found = drift(mark(text, "<li>"), "<ul>\n" + row * 10 + "</ul>\n")
    assert found["ambiguous"] is True
    assert drift(mark(text, "<li>"), f"\n{text}") == {"state": "moved", "line": 3, "was": 2}


def test_of_hundreds_that_are_alike_the_one_between_the_same_lines_is_found() -> None:
    rows = [f"  <div>\n    <b>{n}</b>\n  </div>" for n in range(300)]
    text = "\n".join(rows)
    found = fingerprint(text, 3 * 200 + 1, 3)
    assert found is not None
    above = "\n".join(["<i>new</i>"] * 150)
    assert drift(found, f"{above}\n{text}") == {"state": "moved", "line": 751, "was": 601}


def test_two_elements_on_one_line_are_told_apart() -> None:
    text = "<b>one</b> <b>\n  two\n</b>\n"
    second = fingerprint(text, 1, 12)
    assert second is not None
    assert second["nth"] == 1
    assert drift(second, text.replace("two", "three"))["state"] == "edited"
    first = fingerprint(text, 1, 1)
    assert first is not None
    assert drift(first, text.replace("two", "three"))["state"] == "unchanged"


@pytest.mark.parametrize(("line", "column"), [(3, 1), (9, 1), (0, 1), (2, 5)])
def test_where_no_line_says_anything_there_is_no_fingerprint(line: int, column: int) -> None:
    assert fingerprint("<p>\n\n", line, column) is None


def test_a_line_without_a_tag_has_a_fingerprint_too() -> None:
    text = "const a = 1;\nconst node = document.createElement('p');\nnode.append(a);\n"
    node = fingerprint(text, 2, 14)
    assert node is not None
    assert drift(node, f"\n{text}") == {"state": "moved", "line": 3, "was": 2}
    assert drift(node, text.replace("'p'", "'b'")) == {"state": "edited", "line": 2}


def test_a_fingerprint_holds_no_line_of_the_source() -> None:
    shown = repr(mark())
    assert not re.search("dish|class|text|return", shown)


LINES = st.lists(st.text("ab<>/{}\"'= \t", max_size=12), max_size=12)


@given(LINES, LINES, st.integers(0, 14), st.integers(0, 14))
def test_any_text_has_an_answer_within_the_file(
    old: list[str], new: list[str], line: int, column: int
) -> None:
    found = fingerprint("\n".join(old), line, column)
    if found is None:
        return
    told = drift(found, "\n".join(new))
    assert told["state"] in ("unchanged", "moved", "edited", "gone")
    if "line" in told:
        assert new[told["line"] - 1].strip()
    assert drift(found, "\n".join(old))["state"] == "unchanged"


WORDS = st.text("abcdefgh", min_size=3, max_size=8)


@given(st.lists(WORDS, max_size=6), st.lists(WORDS, unique=True, min_size=3, max_size=12), st.data())
def test_lines_put_above_move_it_by_as_many(above: list[str], lines: list[str], data: st.DataObject) -> None:
    old = [f"<{word}>{word}</{word}>" for word in lines]
    line = data.draw(st.integers(1, len(old)))
    found = fingerprint("\n".join(old), line, 1)
    assert found is not None
    told = drift(found, "\n".join([*(f"// {word}" for word in above), *old]))
    assert told == {
        "state": "moved" if above else "unchanged",
        "line": line + len(above),
        **({"was": line} if above else {}),
    }
