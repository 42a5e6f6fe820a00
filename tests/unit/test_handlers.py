"""What the page and Chrome tell of event handlers becomes one list."""

from __future__ import annotations

from typing import Any

from pageside.chrome.listeners import Listener
from pageside.operations.handlers import MAX_HANDLERS, merged


def _told(event: str, name: str, file: str, line: int, via: str, **more: Any) -> dict[str, Any]:
    return {"event": event, "name": name, "file": file, "line": line, "column": 3, "via": via, **more}


def test_a_handler_that_both_know_is_told_once_in_the_frameworks_words() -> None:
    told = [_told("click", "", "src/A.tsx", 4, "solid")]
    assert merged(told, [Listener("click", "onClick", "", "src/A.tsx:4:20")]) == told


def test_the_place_of_a_property_is_chromes() -> None:
    told = [_told("click", "go", "", 0, "dom", on="main"), _told("click", "go", "", 0, "react")]
    found = merged(told, [Listener("click", "go", "main", "src/main.ts:7:1")])
    assert found == [
        {**told[0], "file": "src/main.ts", "line": 7, "column": 1},
        told[1],
    ]


def test_what_only_chrome_knows_comes_last_with_what_listens() -> None:
    listeners = [
        Listener("keydown", "onKey", "document", "src/keys.ts:2:9"),
        Listener("click", "", "", "http://cdn/x.js"),
    ]
    told = [_told("click", "a", "src/A.tsx", 4, "react")]
    assert merged(told, listeners) == [
        *told,
        {
            "event": "keydown",
            "name": "onKey",
            "file": "src/keys.ts",
            "line": 2,
            "column": 9,
            "via": "chrome",
            "on": "document",
        },
        {"event": "click", "name": "", "file": "http://cdn/x.js", "line": 0, "column": 0, "via": "chrome"},
    ]


def test_the_list_stays_short_and_what_is_no_handler_is_left_out() -> None:
    listeners = [Listener("click", "", "", f"src/A.tsx:{line}:1") for line in range(1, 100)]
    assert len(merged(["nonsense", None], listeners)) == MAX_HANDLERS
