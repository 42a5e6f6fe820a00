"""What is told of the rules that bear on an element: which, of what they say what, and what of it loses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pageside.chrome.cascade import Cascade, Origin
from pageside.chrome.documents import Handle, call
from pageside.chrome.matched import Rule
from pageside.chrome.properties import is_inherited, physical
from pageside.chrome.sheets import Sheets
from pageside.errors import InvalidArguments

_VAR = re.compile(r"var\(\s*(--[^\s,)]+)")

Used = Mapping[str, Sequence[tuple[int, str]]]
"""For each longhand the declarations that make up its value, as (index of the rule, longhand)."""


@dataclass(slots=True)
class Reading:
    """One inspection while it goes on."""

    sheets: Sheets
    element: Handle
    ancestors: Sequence[str]
    computed: Mapping[str, str]
    wanted: tuple[str, ...] | None
    not_inherited: frozenset[str]
    _parts: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def inherits(self, name: str) -> bool:
        return is_inherited(name) and name not in self.not_inherited

    async def styles(self) -> dict[str, str]:
        """The computed styles: all of them, or those wanted, in the order asked for."""
        if self.wanted is None:
            return dict(self.computed)
        await self._learn(self.wanted)
        unknown = [name for name in self.wanted if not self._is_known(name)]
        if unknown:
            raise InvalidArguments(
                f"'properties': {unknown[0]!r} is no CSS property that this Chrome knows.",
                data={"argument": "properties", "unknown": unknown},
            )
        names = dict.fromkeys(
            each for name in self.wanted for each in ([name] if name in self.computed else self._parts[name])
        )
        return {name: self.computed[name] for name in names if name in self.computed}

    def _is_known(self, name: str) -> bool:
        return name.startswith("--") or name in self.computed or self._parts[name] != ()

    async def rules(self, rules: list[Rule]) -> list[dict[str, Any]]:
        """Strongest first, each with what it loses."""
        await self._learn(
            name
            for rule in rules
            for name in rule.written
            if name not in rule.parts and not name.startswith("--")
        )
        rules = [self._physical(rule) for rule in rules]
        cascade = Cascade([rule.block for rule in rules], self.inherits)
        used: dict[str, list[tuple[int, str]]] = {}
        for rule in rules:
            for names in rule.parts.values():
                for name in names:
                    if name not in used:
                        used[name] = cascade.effective(name)
        told = self._told(rules, used)
        order = sorted(told, key=lambda index: _strength(rules[index], index), reverse=True)
        return [await self._row(rules[index], index, told[index], used) for index in order]

    async def _learn(self, names: Iterable[str]) -> None:
        """What shorthands consist of, as far as it is not known yet."""
        unknown = sorted({name for name in names if name not in self._parts})
        if unknown:
            found = await call(self.element.document, "longhands", unknown)
            self._parts |= {name: tuple(found[name]) for name in unknown}

    def _physical(self, rule: Rule) -> Rule:
        mode, direction = self.computed.get("writing-mode", ""), self.computed.get("direction", "")

        def side(name: str) -> str:
            return physical(name, mode, direction)

        parts = {
            name: tuple(side(part) for part in rule.parts.get(name) or self._parts.get(name) or (name,))
            for name in rule.written
        }
        made = tuple(replace(each, name=side(each.name)) for each in rule.block.declarations)
        return replace(rule, parts=parts, block=replace(rule.block, declarations=made))

    def _told(self, rules: Sequence[Rule], used: Used) -> dict[int, list[str]]:
        """Index of a rule -> the properties of it that matter here."""
        wanted = self._wanted_parts()
        told: dict[int, list[str]] = {}
        for index, rule in enumerate(rules):
            names = [name for name in rule.written if self._matters(rule, name, wanted)]
            if _is_foreign(rule) and not any(self._is_used(index, rule, name, used) for name in names):
                continue
            told[index] = names
        named = self._named_variables(rules, told)
        for index, names in told.items():
            if rules[index].block.depth:
                # Themes define hundreds of custom properties on :root; those in use are enough.
                told[index] = [name for name in names if not name.startswith("--") or name in named]
        return {index: names for index, names in told.items() if names or self._has_invalid(rules[index])}

    def _wanted_parts(self) -> frozenset[str] | None:
        if self.wanted is None:
            return None
        mode, direction = self.computed.get("writing-mode", ""), self.computed.get("direction", "")
        return frozenset(
            physical(part, mode, direction)
            for name in self.wanted
            for part in self._parts.get(name) or (name,)
        )

    def _matters(self, rule: Rule, name: str, wanted: frozenset[str] | None) -> bool:
        parts = rule.parts[name]
        if rule.block.depth and not any(self.inherits(part) for part in parts):
            return False
        return wanted is None or name == "all" or not wanted.isdisjoint(parts)

    def _named_variables(self, rules: Sequence[Rule], told: Mapping[int, Sequence[str]]) -> set[str]:
        """The custom properties that are asked for, or used in what is told, directly or by one another."""
        left = [name for name in self.wanted or () if name.startswith("--")]
        definitions: dict[str, list[str]] = {}
        for index, names in told.items():
            for name in names:
                value = rules[index].written[name]
                if name.startswith("--"):
                    definitions.setdefault(name, []).append(value)
                if not name.startswith("--") or not rules[index].block.depth:
                    left += _VAR.findall(value)
        found: set[str] = set()
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += [each for value in definitions.get(name, ()) for each in _VAR.findall(value)]
        return found

    def _is_used(self, index: int, rule: Rule, name: str, used: Used) -> bool:
        """True if the property has an effect; of a shorthand, on what was asked for."""
        if name == "all":
            return True
        wanted = self._wanted_parts()
        return any(
            (index, part) in used.get(part, ()) and _sets(rule, part) == name
            for part in rule.parts[name]
            if wanted is None or part in wanted
        )

    def _has_invalid(self, rule: Rule) -> bool:
        return bool(rule.invalid) and not rule.block.depth and self.wanted is None

    async def _row(self, rule: Rule, index: int, names: Sequence[str], used: Used) -> dict[str, Any]:
        row: dict[str, Any] = {
            "selector": rule.selector,
            "source": rule.source
            or await self.sheets.source(rule.sheet_id, *rule.place, rule.selector_as_written),
            "specificity": rule.specificity,
            "properties": {name: rule.written[name] for name in names},
        }
        if rule.at:
            row["at"] = rule.at
        if rule.block.depth:
            row["inherited_from"] = self._ancestor(rule.block.depth)
        lost = [name for name in names if not self._is_used(index, rule, name, used)]
        if lost:
            row["overridden"] = lost
        if self._has_invalid(rule):
            row["invalid"] = rule.invalid
        return row

    def _ancestor(self, depth: int) -> str:
        return self.ancestors[depth - 1] if depth <= len(self.ancestors) else f"ancestor {depth}"


def _is_foreign(rule: Rule) -> bool:
    """What the browser itself says of ancestors is told only where it has an effect."""
    return rule.block.depth > 0 and rule.block.origin is Origin.USER_AGENT


def _sets(rule: Rule, part: str) -> str:
    """Which property of the rule has the say on a longhand: one may be in several shorthands."""
    names = [name for name in rule.written if part in rule.parts[name]]
    important = [name for name in names if rule.written[name].endswith("!important")]
    return (important or names)[-1]


def _strength(rule: Rule, index: int) -> tuple[int, ...]:
    block = rule.block
    return (-block.depth, block.origin, block.tree, int(block.attached), block.layer, block.order, index)
