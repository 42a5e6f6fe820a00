"""The cascade as pure rules; `tests/chrome/test_cascade_agrees.py` compares it with Chrome's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pageside.chrome.cascade import Block, Cascade, Declaration, Origin
from pageside.chrome.matched import read_rules
from pageside.chrome.properties import physical

values = st.sampled_from(["1", "2", "inherit", "unset", "initial", "revert", "revert-layer", "revert-rule"])
declarations = st.builds(Declaration, st.sampled_from(["color", "order", "all"]), values, st.booleans())
blocks = st.builds(
    Block,
    st.lists(declarations, max_size=3).map(tuple),
    st.sampled_from(Origin),
    tree=st.integers(0, 2),
    attached=st.booleans(),
    layer=st.integers(0, 2),
    order=st.integers(0, 9),
    depth=st.integers(0, 2),
)


def one(value: str = "1", important: bool = False) -> tuple[Declaration, ...]:
    return (Declaration("order", value, important),)


def winner(*blocks: Block, name: str = "order") -> int:
    return Cascade(blocks).effective(name)[0][0]


@given(st.lists(blocks, max_size=8), st.sampled_from(["color", "order"]))
def test_what_takes_effect_is_declared_and_each_only_once(given_blocks: list[Block], name: str) -> None:
    used = Cascade(given_blocks).effective(name)
    for index, declared in used:
        assert declared in (name, "all")
        assert declared in {each.name for each in given_blocks[index].declarations}
    is_declared = any(each.name in (name, "all") for block in given_blocks for each in block.declarations)
    assert used or not is_declared or name == "order" or max(b.depth for b in given_blocks) > 0


@given(st.lists(blocks, max_size=8))
def test_only_inherited_properties_look_at_ancestors(given_blocks: list[Block]) -> None:
    assert all(given_blocks[index].depth == 0 for index, _ in Cascade(given_blocks).effective("order"))


@given(st.lists(blocks, min_size=1, max_size=8))
def test_nothing_is_used_beyond_a_value_that_stands_for_itself(given_blocks: list[Block]) -> None:
    def value(index: int, name: str) -> set[str]:
        return {each.value for each in given_blocks[index].declarations if each.name == name}

    used = Cascade(given_blocks).effective("color")
    for index, name in used[:-1]:
        assert value(index, name) & {"inherit", "unset", "revert", "revert-layer", "revert-rule"}


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 9), st.integers(0, 9))
def test_importance_turns_layers_around_but_not_the_order_within(
    a: int, b: int, first: int, then: int
) -> None:
    normal = [Block(one(), layer=a, order=first), Block(one(), layer=b, order=then)]
    important = [Block(one(important=True), layer=each.layer, order=each.order) for each in normal]
    if a != b:
        assert winner(*normal) == int(b > a)
        assert winner(*important) == int(b < a)
    elif first != then:
        assert winner(*normal) == winner(*important) == int(then > first)


def test_origins_and_importance_stand_in_the_order_of_the_specification() -> None:
    weakest_first = [
        Block(one(), Origin.USER_AGENT),
        Block(one(), Origin.USER),
        Block(one(), Origin.HINTS),
        Block(one(), Origin.AUTHOR, layer=1),
        Block(one(), Origin.AUTHOR, layer=2),
        Block(one(), Origin.AUTHOR, attached=True, layer=2),
        Block(one(), Origin.ANIMATION),
        Block(one(important=True), Origin.AUTHOR, layer=2),
        Block(one(important=True), Origin.AUTHOR, layer=1),
        Block(one(important=True), Origin.AUTHOR, attached=True, layer=2),
        Block(one(important=True), Origin.USER),
        Block(one(important=True), Origin.USER_AGENT),
        Block(one(), Origin.TRANSITION),
    ]
    for index, stronger in enumerate(weakest_first):
        for weaker in weakest_first[:index]:
            assert winner(stronger, weaker) == 0
            assert winner(weaker, stronger) == 1


def test_outer_trees_win_until_it_is_important() -> None:
    inner, outer = Block(one(), tree=0, attached=True), Block(one(), tree=1)
    assert winner(inner, outer) == 1
    assert winner(Block(one(important=True), tree=0), Block(one(important=True), tree=1, attached=True)) == 0


def test_a_reverted_layer_lets_the_one_below_take_effect() -> None:
    blocks = [
        Block(one("1"), layer=0),
        Block(one("2"), layer=1),
        Block(one("revert-layer"), layer=1, order=1),
    ]
    assert Cascade(blocks).effective("order") == [(2, "order"), (0, "order")]


def test_what_is_unset_is_looked_for_in_the_parent() -> None:
    blocks = [
        Block((Declaration("all", "unset"),)),
        Block((Declaration("color", "red"), Declaration("order", "1")), depth=1),
        Block((Declaration("color", "blue"),), depth=2),
    ]
    assert Cascade(blocks).effective("color") == [(0, "all"), (1, "color")]
    assert Cascade(blocks).effective("order") == [(0, "all")]
    assert Cascade(blocks).effective("direction") == []


def test_logical_sides_follow_the_writing_mode() -> None:
    assert physical("margin-inline-start", "horizontal-tb", "rtl") == "margin-right"
    assert physical("border-block-end-width", "vertical-rl", "ltr") == "border-left-width"
    assert physical("inset-inline-end", "sideways-lr", "ltr") == "top"
    assert physical("border-start-end-radius", "horizontal-tb", "ltr") == "border-top-right-radius"
    assert physical("max-inline-size", "vertical-lr", "ltr") == "max-height"
    assert physical("overflow-block", "horizontal-tb", "ltr") == "overflow-y"
    assert physical("overscroll-behavior-inline", "vertical-rl", "ltr") == "overscroll-behavior-y"
    assert physical("color", "vertical-rl", "ltr") == "color"
    assert physical("scroll-margin-block-start", "nonsense", "ltr") == "scroll-margin-top"


def matched(selectors: list[str], **rule: object) -> dict[str, object]:
    listed = [{"text": each, "specificity": {"a": 0, "b": 1, "c": 0}} for each in selectors]
    style = {"cssProperties": [{"name": "order", "value": "1"}], "shorthandEntries": []}
    made = {"selectorList": {"selectors": listed}, "origin": "regular", "style": style, **rule}
    return {"rule": made, "matchingSelectors": list(range(len(listed)))}


def selector_of(selectors: list[str], nesting: list[str]) -> str:
    return read_rules({"matchedCSSRules": [matched(selectors, nestingSelectors=nesting)]})[0].selector


def test_nested_selectors_are_written_out() -> None:
    assert selector_of(["& .b"], [".a"]) == ".a .b"
    assert selector_of([".b"], ["& .a", ".x, .y"]) == ":is(.x, .y) .a .b"
    assert selector_of(["> .b", "&:hover"], [".a"]) == ".a > .b, .a:hover"
    assert selector_of(['[href="a&b"]&'], [".a"]) == '[href="a&b"].a'
    assert selector_of([], ["& .b", ".a"]) == ".a .b"
