"""What a call is about: enough to judge it, and nothing that was typed."""

from __future__ import annotations

import pytest

from pageside.core import call_words
from pageside.core.call_words import MAX_ABOUT, MAX_WHOLE, about, whole


@pytest.mark.parametrize(
    ("tool", "args", "expected"),
    [
        ("execute_page_script", {"code": "\n  document.title\n+ 1", "timeout": 5}, "document.title"),
        ("chrome_navigate_page", {"url": "http://u:p@x.test/?token=abcdef", "type": "url"}, "http://x.test/"),
        ("chrome_click", {"selector": "#buy", "button": "left"}, "#buy"),
        ("chrome_fill", {"selector": "#card", "value": "4111 1111"}, "#card · 9 characters"),
        ("browser_type", {"ref": "1_2", "text": "hunter2"}, "1_2 · 7 characters"),
        ("chrome_press_key", {"key": "Enter"}, "Enter"),
        ("chrome_press_key", {"key": "x"}, "1 character"),
        ("chrome_fill_form", {"elements": [{"uid": "1_1", "value": "a"}]}, "1 fields"),
        ("ask_user", {"question": "Which one?"}, "Which one?"),
        ("get_page_info", {}, ""),
    ],
)
def test_one_line_says_it(tool: str, args: dict[str, object], expected: str) -> None:
    line = about(tool, args)
    assert line.startswith(expected)
    for secret in ("hunter2", "4111", "abcdef", "u:p"):
        assert secret not in line + whole(tool, args)


def test_of_a_long_script_only_its_beginning_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def look(text: str) -> str:
        looked.append(len(text))
        return text

    monkeypatch.setattr(call_words, "redact_text", look)
    assert about("execute_page_script", {"code": "\n\n  first()\n" + "x" * 190_000}) == "first()"
    assert max(looked) <= 4000


def test_a_question_shows_all_of_a_script_in_its_very_words() -> None:
    code = "const a = 1\n" * 50 + "fetch('/delete')"
    shown = whole("execute_page_script", {"code": code, "timeout": 20, "page": "Shop"})
    assert shown == f"{code}\ntimeout: 20\npage: Shop"
    assert len(about("execute_page_script", {"code": "x" * 500})) == MAX_ABOUT


def test_what_is_hidden_from_the_eye_is_spelled_out() -> None:
    assert "\\u{202e}" in whole("execute_page_script", {"code": "a\u202eb"})


def test_who_is_asked_is_told_that_there_is_more() -> None:
    shown = whole("execute_page_script", {"code": "x" * (MAX_WHOLE + 7)})
    assert shown.endswith("… and 7 more characters, which are not shown.")


def test_of_a_form_each_field_is_named_and_its_text_counted() -> None:
    elements = [{"selector": "#a", "value": "secret word"}, {"uid": "1_2", "value": "b"}, "nonsense"]
    assert whole("chrome_fill_form", {"elements": elements}) == (
        "elements: #a · 11 characters\n1_2 · 1 characters\nnot shown"
    )
