"""Reads what Chrome says of the styles of an element: rules with where they stand, and as blocks of the cascade."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pageside.chrome.cascade import Block, Declaration, Origin
from pageside.chrome.session import Params

_ORIGINS = {"user-agent": Origin.USER_AGENT, "injected": Origin.USER, "inspector": Origin.AUTHOR}
_UNLAYERED = 1_000_000
_IMPORTANT = re.compile(r"\s*!\s*important\s*$", re.IGNORECASE)
_QUOTED_OR_NEST = re.compile(r"(\"[^\"]*\"|'[^']*'|&)")
_OPEN_PAREN = re.compile(r"\([^()]*\)")
_COMBINATOR = re.compile(r"[\s>+~]+")


@dataclass(slots=True)
class Rule:
    """One rule, style attribute or animation that bears on the element or on one it inherits from."""

    selector: str
    block: Block
    written: dict[str, str]
    """Properties as they were written, shorthands too."""
    parts: dict[str, tuple[str, ...]]
    """The longhands of those shorthands of which Chrome says so."""
    specificity: str = ""
    source: str = ""
    """What is known without the sheet."""
    sheet_id: str = ""
    place: tuple[int, int] = (0, 0)
    at: list[str] = field(default_factory=list)
    invalid: dict[str, str] = field(default_factory=dict)
    """What Chrome does not understand."""
    selector_as_written: str = ""


def read_rules(styles: Params, depth: int = 0) -> list[Rule]:
    """The rules of one element, weakest first: those of sheets, of attributes, and the style attribute."""
    matches: Sequence[Params] = styles.get("matchedCSSRules") or styles.get("matches") or ()
    trees, layers = _Ranks(), _Ranks()
    rules: list[Rule] = []
    specificities: dict[str, str] = {}
    for order, match in enumerate(matches):
        rule = _read_rule(match, order, depth, trees, layers)
        if rule.specificity:
            specificities[rule.selector] = rule.specificity
        rules.append(rule)
    for rule in rules:
        # Declarations after nested rules are rules of their own, of which Chrome does not tell it.
        rule.specificity = rule.specificity or specificities.get(rule.selector, "")
    hints = styles.get("attributesStyle")
    if hints:
        block = Block(read_declarations(hints), Origin.HINTS, depth=depth)
        rules.append(_plain("(attributes)", "html attributes", "0,0,0", block, hints))
    inline = styles.get("inlineStyle")
    if inline:
        block = Block(
            read_declarations(inline),
            tree=_own_tree(matches, trees),
            attached=True,
            layer=_UNLAYERED,
            depth=depth,
        )
        rules.append(_plain("(style attribute)", "style attribute", "inline", block, inline))
    return [rule for rule in rules if rule.written or rule.invalid]


def read_animations(animated: Params, depth: int = 0) -> list[Rule]:
    """What animations and transitions set at this moment."""
    rules = []
    for order, each in enumerate(animated.get("animationStyles", ())):
        block = Block(read_declarations(each["style"]), Origin.ANIMATION, order=order, depth=depth)
        name = f"@keyframes {each['name']}" if each.get("name") else "(animation)"
        rules.append(_plain(name, "animation, at this moment", "", block, each["style"]))
    transitions = animated.get("transitionsStyle")
    if transitions:
        block = Block(read_declarations(transitions), Origin.TRANSITION, depth=depth)
        rules.append(_plain("(transition)", "transition, at this moment", "", block, transitions))
    return [rule for rule in rules if rule.written]


def _plain(selector: str, source: str, specificity: str, block: Block, style: Params) -> Rule:
    written, parts, invalid = _written(style)
    return Rule(selector, block, written, parts, specificity, source, invalid=invalid)


def _read_rule(match: Params, order: int, depth: int, trees: _Ranks, layers: _Ranks) -> Rule:
    rule = match["rule"]
    origin = _ORIGINS.get(rule["origin"], Origin.AUTHOR)
    chosen = _chosen(match)
    tree = trees.of(rule.get("originTreeScopeNodeId")) if origin is Origin.AUTHOR else 0
    named = tuple(_layer_key(each) for each in rule.get("layers", ()))
    block = Block(
        read_declarations(rule["style"]),
        origin,
        tree=2 * tree,
        layer=layers.of((tree, named)) if named else _UNLAYERED,
        order=order,
        depth=depth,
    )
    written, parts, invalid = _written(rule["style"])
    ranges = [each["range"] for each in (*chosen, rule["style"]) if "range" in each]
    return Rule(
        _selector(chosen, rule.get("nestingSelectors", ())),
        block,
        written,
        parts,
        _specificity(chosen),
        "" if origin is Origin.AUTHOR else rule["origin"].replace("-", " "),
        rule.get("styleSheetId", ""),
        (ranges[0]["startLine"], ranges[0]["startColumn"]) if ranges else (0, 0),
        list(_at(rule)),
        invalid,
        chosen[0]["text"] if chosen else "",
    )


class _Ranks:
    """Ranks by first appearance: Chrome lists what is weaker first."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}

    def of(self, key: object) -> int:
        return self._known.setdefault(key, len(self._known))


def _layer_key(layer: Params) -> object:
    # Layers without a name are each one of their own.
    place = layer.get("range", {})
    return layer.get("text") or (layer.get("styleSheetId"), place.get("startLine"), place.get("startColumn"))


def _own_tree(matches: Sequence[Params], trees: _Ranks) -> int:
    """The rank of the tree that the element is in: above its own shadow tree and its slot's, below that of `::part`."""
    after_inner = 0
    for match in matches:
        if match["rule"]["origin"] != "regular":
            continue
        rank = 2 * trees.of(match["rule"].get("originTreeScopeNodeId"))
        subjects = [_subject(each["text"]) for each in _chosen(match)]
        if any("::part" in each for each in subjects):
            return rank - 1
        if not any(each.startswith(":host") or "::slotted" in each for each in subjects):
            return rank
        after_inner = rank + 1
    return after_inner


def _subject(selector: str) -> str:
    """The last compound of a selector, without what stands in parentheses."""
    before = ""
    while before != selector:
        before, selector = selector, _OPEN_PAREN.sub("", selector)
    return _COMBINATOR.split(selector.strip())[-1]


def _chosen(match: Params) -> list[Params]:
    selectors = match["rule"]["selectorList"]["selectors"]
    return [selectors[index] for index in match.get("matchingSelectors", ()) if index < len(selectors)]


def _selector(chosen: Sequence[Params], nesting: Sequence[str]) -> str:
    """With the selectors of the rules around it; the rule's own is missing where it is that of the rule around it."""
    outer = list(nesting)
    own = [each["text"] for each in chosen] or [outer.pop(0) if outer else ""]
    return ", ".join(_nested(each, outer) for each in own)


def _nested(selector: str, nesting: Sequence[str]) -> str:
    for around in nesting:
        parent = f":is({around})" if "," in around else around
        pieces = _QUOTED_OR_NEST.split(selector)
        has_nest = "&" in pieces
        selector = "".join(parent if each == "&" else each for each in pieces)
        if not has_nest:
            selector = f"{parent} {selector}"
    return selector


def _specificity(chosen: Sequence[Params]) -> str:
    known = [each["specificity"] for each in chosen if "specificity" in each]
    best = max(((each["a"], each["b"], each["c"]) for each in known), default=None)
    return ",".join(map(str, best)) if best else ""


def _at(rule: Params) -> Iterator[str]:
    """The conditions around a rule, as they stand in the sheet."""
    layers = [each.get("text") or "(anonymous)" for each in rule.get("layers", ())]
    if layers:
        yield f"@layer {'.'.join(layers)}"
    for each in reversed(rule.get("media", ())):
        if each.get("text") not in ("", "all", None):
            yield f"@media {each['text']}"
    for each in reversed(rule.get("supports", ())):
        yield f"@supports {each['text']}"
    for each in reversed(rule.get("containerQueries", ())):
        name = each.get("conditionText") or f"{each.get('name', '')} {each['text']}".strip()
        yield f"@container {name}"
    for each in reversed(rule.get("scopes", ())):
        yield f"@scope {each['text']}".strip()
    for _ in rule.get("startingStyles", ()):
        yield "@starting-style"


def read_declarations(style: Params) -> tuple[Declaration, ...]:
    """The longhands that Chrome made of a block: what the cascade works on."""
    written = {each["name"]: each for each in style["cssProperties"] if "range" in each}
    made = [each for each in style["cssProperties"] if "range" not in each and not each.get("disabled")]
    return tuple(
        Declaration(
            each["name"],
            # Of `all` Chrome repeats only the name.
            _IMPORTANT.sub("", each["value"] or _of_all(each, written)).strip().lower(),
            bool(each.get("important") or each["value"].endswith("!important")),
        )
        for each in made
    )


def _of_all(made: Params, written: dict[str, Params]) -> str:
    value: str = written.get("all", {}).get("value", "") if made["name"] == "all" else ""
    return value


def _written(style: Params) -> tuple[dict[str, str], dict[str, tuple[str, ...]], dict[str, str]]:
    """Properties as written, the parts of shorthands, and what Chrome does not understand."""
    given = [each for each in style["cssProperties"] if not each.get("disabled")]
    with_place = [each for each in given if "range" in each]
    written: dict[str, str] = {}
    parts: dict[str, tuple[str, ...]] = {}
    invalid: dict[str, str] = {}
    for each in with_place or given:
        name, value = each["name"], each["value"]
        if not each.get("parsedOk", True):
            invalid[name] = value
            continue
        if _is_important(written.get(name, "")) and not _is_important(value):
            continue
        written.pop(name, None)
        written[name] = value
        if each.get("longhandProperties"):
            parts[name] = tuple(part["name"] for part in each["longhandProperties"])
    return written, parts, invalid


def _is_important(value: str) -> bool:
    return _IMPORTANT.search(value) is not None
