"""What programs write to terminals becomes lines of plain text, however it arrives."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.terminal import MAX_LINE, TerminalLines

ESC = "\x1b"

CASES = {
    "plain": ("one\ntwo\n", ["one", "two"]),
    "windows ends": ("one\r\ntwo\r\n", ["one", "two"]),
    "no last end": ("one\ntwo", ["one", "two"]),
    "empty lines": ("\n\na\n\n", ["", "", "a", ""]),
    "tabs stay": ("a\tb\n", ["a\tb"]),
    "colours": (f"{ESC}[1;32mVITE{ESC}[0m v8{ESC}[38;2;1;2;3m!{ESC}[m\n", ["VITE v8!"]),
    "a title ended by a bell": (f"{ESC}]0;my app\x07ready\n", ["ready"]),
    "a link ended by ST": (f"{ESC}]8;;http://localhost:1/{ESC}\\here{ESC}]8;;{ESC}\\\n", ["here"]),
    "a title that nobody ends": (f"{ESC}]0;my app\nready\n", ["", "ready"]),
    "a colour in a title": (f"{ESC}]0;{ESC}[31mred\x07ready\n", ["redready"]),
    "cursor and screen": (f"{ESC}[2J{ESC}[H{ESC}[?25lok{ESC}7{ESC}8{ESC}(B{ESC}c\n", ["ok"]),
    "progress": ("10 %\r50 %\r100 %\ndone\n", ["100 %", "done"]),
    "progress by column": (f"10 %{ESC}[2K{ESC}[1G100 %\n", ["100 %"]),
    "progress that ends with CR": ("50 %\r100 %\r\n", ["100 %"]),
    "a longer text below": ("Building, please wait\rDone\n", ["Done"]),
    "bells and nulls": ("a\x07b\x00c\x08\x7f\x0bd\n", ["abcd"]),
    "C1 characters": ("a\x9b31mb\x85\n", ["a31mb"]),
    "a sequence cut by a line's end": (f"a{ESC}[3\nb{ESC}\nc\n", ["a", "b", "c"]),
}


def lines_of(*chunks: bytes) -> list[str]:
    terminal = TerminalLines()
    return [*(line for chunk in chunks for line in terminal.feed(chunk)), *terminal.finish()]


@pytest.mark.parametrize("case", CASES)
def test_what_is_to_be_read_is_left(case: str) -> None:
    written, lines = CASES[case]
    assert lines_of(written.encode()) == lines


@pytest.mark.parametrize("case", CASES)
def test_one_byte_at_a_time_gives_the_same(case: str) -> None:
    written, lines = CASES[case]
    assert lines_of(*(bytes([byte]) for byte in written.encode())) == lines


PIECES = st.sampled_from(
    [
        *"ab 0;[]?\\(mGKHJ\n\r\t\x07\x00\x7f\x18",
        ESC,
        ESC,
        ESC + "[",
        ESC + "]0;",
        "é",
        "👩",
        "\x9c",
        "x" * (MAX_LINE - 3),
    ]
)
BYTES = st.one_of(
    st.lists(PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode()), st.binary(max_size=60)
)


@given(BYTES, st.lists(st.integers(min_value=0, max_value=MAX_LINE * 2), max_size=12))
def test_any_cut_gives_the_same_lines(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    assert lines_of(*(data[start:end] for start, end in pairwise(edges))) == lines_of(data)


@given(BYTES)
def test_a_line_has_no_control_characters_and_an_end(data: bytes) -> None:
    for line in lines_of(data):
        assert not re.search(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]", line)
        assert len(line) <= MAX_LINE + 40


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=50)))
def test_plain_text_stays_as_it_is(lines: list[str]) -> None:
    assert lines_of("".join(f"{line}\n" for line in lines).encode()) == lines


def test_bytes_that_are_no_text_are_marked() -> None:
    assert lines_of(b"a\xffb\n", "é".encode()[:1]) == ["a�b", "�"]


@pytest.mark.parametrize("colour", ["", f"{ESC}[31m"])
def test_a_line_without_end_is_cut_and_takes_no_memory(colour: str) -> None:
    terminal = TerminalLines()
    for _ in range(100):
        assert terminal.feed((colour + "x" * MAX_LINE).encode()) == []
    assert len(terminal.unfinished) < MAX_LINE + 40
    (line,) = terminal.feed(b"\n")
    assert line == "x" * MAX_LINE + f"… [{99 * MAX_LINE} more characters]"
    assert terminal.feed(b"next\n") == ["next"]


def test_the_line_being_written_can_be_looked_at() -> None:
    terminal = TerminalLines()
    assert (terminal.feed(b"done\nPort: "), terminal.unfinished) == (["done"], "Port: ")
    assert (terminal.feed(b"80\n"), terminal.unfinished) == (["Port: 80"], "")
