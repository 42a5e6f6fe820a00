"""The skill for agents: a file that agents load, which leads through the loop in its order."""

from __future__ import annotations

import re

from pageside.contract import STATUS
from support.app import REPOSITORY

SKILL = (REPOSITORY / "companion" / "pageside" / "skill" / "SKILL.md").read_text("utf-8")
LOOP = (
    "wait_for_inspection",
    "update_inspection_status",
    "get_inspection",
    "wait_for_update",
    "inspect_element",
)


def test_its_head_has_a_name_and_says_when_to_use_it() -> None:
    _, head, body = SKILL.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert set(fields) == {"name", "description"}
    assert re.fullmatch(r"[a-z0-9-]{1,64}", fields["name"])
    assert "Use it when" in fields["description"]
    assert len(fields["description"]) <= 1024
    # Agents have it in their context as a whole.
    assert len(body) < 8_000


def test_the_loop_names_its_tools_in_the_order_in_which_they_are_called() -> None:
    loop = SKILL[SKILL.index("## The loop") : SKILL.index("## Asking")]
    places = [loop.index(f"`{tool}`") for tool in LOOP]
    assert places == sorted(places)
    for status in STATUS["needsMessage"]:
        assert f"`{status}`" in loop
