"""What people say for parts of a page, and which element they mean by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.core.ui_words import KINDS, SAME
from pageside.core.word_match import Candidate, rank

ROLES = ("button", "link", "textbox", "heading", "img", "main", "")
WORDS = st.text(max_size=30) | st.sampled_from([*SAME, *KINDS])
candidates = st.builds(
    Candidate,
    role=st.sampled_from(ROLES),
    name=WORDS,
    label=WORDS,
    text=WORDS,
    hints=WORDS,
    around=WORDS,
    acts=st.booleans(),
    seen=st.booleans(),
    in_view=st.booleans(),
    disabled=st.booleans(),
)


def button(name: str = "", **more: object) -> Candidate:
    return Candidate(role="button", name=name, acts=True, **more)  # type: ignore[arg-type]


def names(query: str, *there: Candidate) -> list[str]:
    return [there[match.index].name for match in rank(query, there)]


@given(query=WORDS, there=st.lists(candidates, max_size=30), limit=st.integers(1, 12))
def test_anything_can_be_asked_of_any_page(query: str, there: list[Candidate], limit: int) -> None:
    found = rank(query, there, limit)
    assert found == rank(query, there, limit)
    assert len(found) <= limit
    assert len({match.index for match in found}) == len(found)
    assert all(match.score > 0 for match in found)
    assert [match.score for match in found] == sorted((match.score for match in found), reverse=True)


SAID = st.from_regex(r"[a-z]{4,9}( [a-z]{4,9})?", fullmatch=True)


@given(name=SAID, others=st.lists(SAID | WORDS, max_size=8))
def test_who_is_called_so_comes_first(name: str, others: list[str]) -> None:
    there = [*map(button, others), button(name)]
    assert there[rank(name, there)[0].index].name.casefold().strip() == name


@given(there=st.lists(candidates, max_size=20))
def test_nothing_is_found_for_what_no_page_says(there: list[Candidate]) -> None:
    assert rank("zzqqxx jjkkvv", there) == []


def test_the_better_name_wins() -> None:
    there = [
        button("Save as draft"),
        button("Autosave"),
        button("Save"),
        button("Do not save"),
        button("Cancel"),
    ]
    assert names("save", *there) == ["Save", "Save as draft", "Do not save"]


def test_a_kind_of_element_in_the_words_decides_between_equals() -> None:
    heading, link = Candidate(role="heading", name="Login"), Candidate(role="link", name="Login", acts=True)
    field = Candidate(role="textbox", name="Login", acts=True)
    assert rank("login button", [heading, link, field])[0].index == 1
    assert rank("login field", [heading, link, field])[0].index == 2
    assert rank("login heading", [heading, link, field])[0].index == 0
    assert rank("login", [heading, link])[0].index == 1


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("log in", "Sign in"),
        ("sign-in button", "Login"),
        ("basket", "Cart"),
        ("close", "×"),
        ("hamburger menu", "☰"),
        ("plus button", "+"),
        ("compose tweet", "Compose Tweet"),
        ("new message", "Compose"),
        ("trash icon", "Delete"),
        ("gear", "Settings"),
        ("more options", "More options"),
        ("e-mail", "Email"),
        ("queries", "Query"),
        ("cookie", "Cookies"),
        ("button called Save", "Save"),
        ("submit", "Send"),
        ("serach", "Search"),
        ("登录", "登录按钮"),
        ("добавить", "Добавить в корзину"),
    ],
)
def test_other_words_for_the_same_are_understood(query: str, name: str) -> None:
    assert names(query, button("Lamps"), button(name), button("Candles")) == [name]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("menu", "Menü"),
        ("schliessen", "Schließen"),
        ("ログインボタン", "ログイン"),
        ("登录按钮", "登录"),
        ("搜索框", "搜索"),
    ],
)
def test_accents_and_scripts_without_blanks_are_no_hurdle(query: str, name: str) -> None:
    assert names(query, button("Other"), button("ガラス"), button(name)) == [name]
    assert names("カラス", button("ガラス")) == [], "its marks tell words of this script apart"


def test_a_button_comes_before_a_link_that_could_be_meant() -> None:
    ranked = rank("button", [Candidate(role="link", name="One", acts=True), button("Two")])
    assert [match.index for match in ranked] == [1, 0]


def test_what_cannot_be_seen_or_used_comes_last() -> None:
    there = [
        button("Save", seen=False),
        button("Save", disabled=True),
        button("Save", in_view=False),
        button("Save"),
    ]
    assert [match.index for match in rank("save", there)][:3] == [3, 2, 1]


def test_what_stands_around_tells_twins_apart() -> None:
    there = [
        button("Add to cart", around="Storm lantern €49"),
        button("Add to cart", around="Paper lantern €9"),
    ]
    assert rank("add paper lantern to cart", there)[0].index == 1


def test_a_kind_alone_finds_all_of_it() -> None:
    field = Candidate(role="textbox", name="Name", acts=True)
    assert names("text field", button("Save"), field, button("Cancel")) == ["Name"]
    assert names("button", button("Save"), field) == ["Save"]


def test_what_only_programs_read_still_counts() -> None:
    unnamed = button(hints="icon-shopping-cart")
    assert rank("cart", [button("Lamps"), unnamed])[0].index == 1
