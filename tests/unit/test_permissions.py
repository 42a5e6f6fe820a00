"""What the user allows: tools, groups of tools, and everything that acts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageside.contract import GATE, TOOLS
from pageside.core import permissions as p

TOOL_NAMES = sorted(TOOLS)
words = st.sampled_from(p.DECISIONS)
policies = st.dictionaries(st.sampled_from(sorted(p.NAMES)), words, max_size=6)


def test_every_tool_stands_in_one_group_and_no_group_names_what_there_is_not() -> None:
    named = [tool for tools in GATE["groups"].values() for tool in tools]
    assert len(named) == len(set(named))
    assert set(TOOLS) <= set(named), "a new tool needs its group in contract/gate.json"
    assert set(GATE["acting"]) | set(GATE["unpaused"]) <= set(GATE["groups"])
    assert {*GATE["placeless"], *GATE["typed"]} <= set(named)


@pytest.mark.parametrize("tool", TOOL_NAMES)
def test_what_changes_a_page_is_in_no_group_that_only_reads(tool: str) -> None:
    hints = TOOLS[tool]["annotations"]
    if p.group_of(tool) == "reading":
        assert hints["readOnlyHint"] is True
    if p.acts(p.group_of(tool)):
        assert hints["readOnlyHint"] is False


def test_what_runs_agents_code_is_a_script() -> None:
    code = {"code", "function", "expression", "script"}
    runs = {name for name, tool in TOOLS.items() if code & set(tool["inputSchema"]["properties"])}
    assert runs == set(GATE["groups"][p.SCRIPTS])


def test_a_tool_nobody_has_put_anywhere_counts_as_one_that_acts() -> None:
    assert p.group_of("invented_yesterday") == "input"


def test_the_closest_word_holds() -> None:
    policy: dict[str, p.Decision] = {"acting": "ask", "scripts": "deny", "chrome_click": "allow"}
    assert p.decide(policy, "execute_page_script") == "deny"
    assert p.decide(policy, "chrome_click") == "allow"
    assert p.decide(policy, "chrome_hover") == "ask"
    assert p.decide(policy, "chrome_take_snapshot") == "allow"
    assert p.decide({"free": "deny"}, "list_inspections") == "allow", "the queue is always open"


@given(policies, policies)
def test_releasing_is_noticed_and_taking_words_back_too(before: p.Policy, changes: p.Policy) -> None:
    after = p.changed(before, changes)
    is_looser = any(
        p.DECISIONS.index(p.decide(after, tool)) < p.DECISIONS.index(p.decide(before, tool)) for tool in TOOLS
    )
    assert p.loosens(before, changes) or not is_looser
    assert p.changed(after, dict.fromkeys(after)) == {}
    assert p.loosens(before, dict.fromkeys(before)) == any(
        p.decide(before, tool) != "allow" for tool in [each for g in GATE["groups"].values() for each in g]
    )


@given(st.dictionaries(st.text(max_size=5), st.one_of(words, st.integers(), st.none(), st.text(max_size=5))))
def test_a_stored_policy_is_taken_as_a_whole_or_not_at_all(stored: dict[str, object]) -> None:
    makes_sense = all(word in p.DECISIONS for word in stored.values())
    assert p.read(stored) == (stored if makes_sense else None)
    assert p.read([stored]) is p.read(None) is None
