"""What CSS says of properties: which are inherited, and which side a logical one means."""

from __future__ import annotations

import re

INHERITED = frozenset(
    """
    accent-color border-collapse border-spacing caption-side caret-animation caret-color caret-shape
    clip-rule color color-interpolation color-interpolation-filters color-rendering color-scheme cursor
    direction dominant-baseline dynamic-range-limit empty-cells fill fill-opacity fill-rule font-family
    font-feature-settings font-kerning font-language-override font-optical-sizing font-palette font-size
    font-size-adjust font-stretch font-style font-synthesis-small-caps font-synthesis-style
    font-synthesis-weight font-variant-alternates font-variant-caps font-variant-east-asian
    font-variant-emoji font-variant-ligatures font-variant-numeric font-variant-position
    font-variation-settings font-weight forced-color-adjust hyphenate-character hyphenate-limit-chars
    hyphens image-orientation image-rendering interactivity interpolate-size letter-spacing line-break
    line-height list-style-image list-style-position list-style-type marker-end marker-mid marker-start
    math-depth math-shift math-style orphans overflow-wrap paint-order pointer-events print-color-adjust
    quotes ruby-align ruby-overhang ruby-position scrollbar-color shape-rendering speak stroke
    stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
    stroke-width tab-size text-align text-align-last text-anchor text-autospace text-box-edge
    text-combine-upright text-decoration-skip-ink text-emphasis-color text-emphasis-position
    text-emphasis-style text-indent text-justify text-orientation text-rendering text-shadow
    text-size-adjust text-spacing-trim text-transform text-underline-offset text-underline-position
    text-wrap-mode text-wrap-style user-select visibility white-space-collapse widows word-break
    word-spacing writing-mode -webkit-border-horizontal-spacing -webkit-border-vertical-spacing
    -webkit-font-smoothing -webkit-line-break -webkit-locale -webkit-print-color-adjust
    -webkit-rtl-ordering -webkit-ruby-position -webkit-tap-highlight-color -webkit-text-combine
    -webkit-text-fill-color -webkit-text-orientation -webkit-text-security -webkit-text-stroke-color
    -webkit-text-stroke-width -webkit-user-modify -webkit-writing-mode
    """.split()
)
"""Longhands that children take from their parents; `tests/chrome` compares it with Chrome."""

_SIDES = {
    ("horizontal-tb", "ltr"): ("top", "bottom", "left", "right"),
    ("horizontal-tb", "rtl"): ("top", "bottom", "right", "left"),
    ("vertical-rl", "ltr"): ("right", "left", "top", "bottom"),
    ("vertical-rl", "rtl"): ("right", "left", "bottom", "top"),
    ("vertical-lr", "ltr"): ("left", "right", "top", "bottom"),
    ("vertical-lr", "rtl"): ("left", "right", "bottom", "top"),
    ("sideways-lr", "ltr"): ("left", "right", "bottom", "top"),
    ("sideways-lr", "rtl"): ("left", "right", "top", "bottom"),
}
"""Block start, block end, inline start and inline end of each writing mode."""
_EDGES = ("block-start", "block-end", "inline-start", "inline-end")
_EDGE = re.compile(
    r"(margin|padding|inset|border|scroll-margin|scroll-padding)-(block|inline)-(start|end)(-.+)?"
)
_CORNER = re.compile(r"border-(start|end)-(start|end)-radius")
_SIZE = re.compile(r"(|min-|max-|contain-intrinsic-)(block|inline)-size")
_AXIS = re.compile(r"(overflow|overscroll-behavior)-(block|inline)")


def is_inherited(name: str) -> bool:
    """True for custom properties too, unless they are registered otherwise."""
    return name.startswith("--") or name in INHERITED


def physical(name: str, writing_mode: str, direction: str) -> str:
    """`margin-inline-start` -> `margin-left` and so on, where lines run that way."""
    if "block" not in name and "inline" not in name and not name.endswith("-radius"):
        return name
    mode = "vertical-rl" if writing_mode == "sideways-rl" else writing_mode
    sides = dict(zip(_EDGES, _SIDES.get((mode, direction), _SIDES["horizontal-tb", "ltr"]), strict=True))
    is_vertical = sides["block-start"] in ("left", "right")
    if found := _EDGE.fullmatch(name):
        return _edge(found, sides)
    if found := _CORNER.fullmatch(name):
        pair = {sides[f"block-{found[1]}"], sides[f"inline-{found[2]}"]}
        return f"border-{'top' if 'top' in pair else 'bottom'}-{'left' if 'left' in pair else 'right'}-radius"
    if found := _SIZE.fullmatch(name):
        return found[1] + ("width" if (found[2] == "inline") != is_vertical else "height")
    if found := _AXIS.fullmatch(name):
        return f"{found[1]}-{'x' if (found[2] == 'inline') != is_vertical else 'y'}"
    return name


def _edge(found: re.Match[str], sides: dict[str, str]) -> str:
    side = sides[f"{found[2]}-{found[3]}"]
    return side if found[1] == "inset" else f"{found[1]}-{side}{found[4] or ''}"
