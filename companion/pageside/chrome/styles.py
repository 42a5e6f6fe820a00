"""Why an element looks as it does: its boxes, its computed styles, and the rules that apply to it, strongest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pageside.chrome.authored import Authored
from pageside.chrome.boxes import Boxes, boxes_of
from pageside.chrome.cascade import Origin
from pageside.chrome.documents import Handle, call, handle
from pageside.chrome.frames import path_to_top, zoom_of
from pageside.chrome.loading import Maps
from pageside.chrome.matched import Rule, read_animations, read_rules
from pageside.chrome.reading import Reading
from pageside.chrome.session import Params
from pageside.chrome.sheets import open_sheets
from pageside.chrome.tab import Tab


@dataclass(frozen=True, slots=True)
class Inspected:
    """What `inspect` found out; rules and styles are JSON data as the contract has them."""

    boxes: Boxes | None
    """None if the element has no box: it is not displayed, or only its contents are."""
    computed_styles: dict[str, str]
    cascade_rules: list[dict[str, Any]]
    pseudo_elements: list[dict[str, Any]] = field(default_factory=list)


async def inspect(
    tab: Tab,
    element: Handle,
    *,
    properties: Sequence[str] | None = None,
    pseudo_elements: bool = False,
    project: Path,
    maps: Maps | None = None,
) -> Inspected:
    """The styles of an element; only those of `properties`, if given (shorthands and custom properties are fine)."""
    session = element.session
    origin = await call(element.document, "originOf", element)
    async with open_sheets(session, maps or Maps(), Authored(project, origin)) as sheets:
        node = await _node(element)
        matched = await session("CSS.getMatchedStylesForNode", nodeId=node)
        animated = await session("CSS.getAnimatedStylesForNode", nodeId=node)
        answer = await session("CSS.getComputedStyleForNode", nodeId=node)
        computed = {each["name"]: each["value"] for each in answer["computedStyle"]}
        reading = Reading(
            sheets,
            element,
            await ancestors(element, len(matched.get("inherited", ()))),
            computed,
            None if properties is None else tuple(properties),
            frozenset(_not_inherited(matched)),
        )
        return Inspected(
            await boxes_of(element, await zoom_of(await path_to_top(tab, element))),
            await reading.styles(),
            await reading.rules(_all_rules(matched, animated)),
            await _pseudo_elements(reading, matched) if pseudo_elements else [],
        )


async def _node(element: Handle) -> int:
    """CSS commands take no object ids."""
    await element.session("DOM.getDocument", depth=0)
    node: int = (await element.session("DOM.requestNode", objectId=element.object_id))["nodeId"]
    return node


async def ancestors(element: Handle, count: int) -> list[str]:
    """What those are called that the element inherits from, nearest first."""
    names: list[str] = await call(element.document, "inheritedFrom", element)
    if len(names) == count:
        return names
    # It stands in the slot of a closed shadow root, of which only Chrome knows.
    names = []
    at: Handle | None = element
    while at is not None and (at := await _inherits_from(at)) is not None:
        names.append(await call(at.document, "tagOf", at))
    return names


async def _inherits_from(element: Handle) -> Handle | None:
    node = (await element.session("DOM.describeNode", objectId=element.object_id))["node"]
    slot = node.get("assignedSlot")
    if slot is None:
        return await handle(element.document, "parentOf", element, label="parent")
    found = await element.session(
        "DOM.resolveNode", backendNodeId=slot["backendNodeId"], executionContextId=element.document.context
    )
    return Handle(element.document, found["object"]["objectId"], "slot")


def _all_rules(matched: Params, animated: Params) -> list[Rule]:
    rules = [*read_rules(matched), *read_animations(animated)]
    for depth, entry in enumerate(matched.get("inherited", ()), 1):
        rules += read_rules(entry, depth)
    for depth, entry in enumerate(animated.get("inherited", ()), 1):
        rules += read_animations(entry, depth)
    return rules


def _not_inherited(matched: Params) -> Iterable[str]:
    """Custom properties that are registered so."""
    for each in matched.get("cssPropertyRules", ()):
        said = {one["name"]: one["value"] for one in each["style"]["cssProperties"]}
        if said.get("inherits") == "false":
            yield each["propertyName"]["text"]
    for each in matched.get("cssPropertyRegistrations", ()):
        if not each.get("inherits", True):
            yield each["propertyName"]


async def _pseudo_elements(reading: Reading, matched: Params) -> list[dict[str, Any]]:
    found = []
    for each in matched.get("pseudoElements", ()):
        rules = read_rules(each)
        if any(rule.block.origin is Origin.AUTHOR for rule in rules):
            name = f"::{each['pseudoType']}"
            if each.get("pseudoIdentifier"):
                name = f"{name}({each['pseudoIdentifier']})"
            found.append({"pseudo": name, "cascade_rules": await reading.rules(rules)})
    return found
