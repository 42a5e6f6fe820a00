"""What a note says besides its text: what is wanted, how much it matters, and what was drawn over the page."""

from __future__ import annotations

import json
import math
from typing import Any

from pageside.contract import NOTE
from pageside.core.given import bad

INTENTS: tuple[str, ...] = tuple(NOTE["intents"])
SEVERITIES: tuple[str, ...] = tuple(NOTE["severities"])
_WORDS = {"intent": INTENTS, "severity": SEVERITIES}
_SKETCH: dict[str, Any] = NOTE["sketch"]
_ENDS = 2
"""How many points an arrow and a box have."""

Point = tuple[float, float]
Sketch = dict[str, Any]


def checked_words(source: dict[str, Any], name: str = "") -> dict[str, str]:
    """Its `intent` and `severity`, where it has them; `name` is what `source` is called in errors."""
    told = {field: source[field] for field in _WORDS if field in source}
    for field, value in told.items():
        if value not in _WORDS[field]:
            raise bad(f"{name}{field}", f"must be one of {', '.join(_WORDS[field])}")
    return told


def checked_sketch(raw: object, name: str) -> Sketch:
    """`{"shapes": [{"kind", "points": [[x, y]…]}…]}`, in CSS px to one decimal; nothing else is kept."""
    shapes = raw.get("shapes") if isinstance(raw, dict) else None
    if not isinstance(shapes, list) or not 1 <= len(shapes) <= _SKETCH["shapes"]:
        raise bad(f"{name}.shapes", f"must be a list of 1–{_SKETCH['shapes']} shapes")
    sketch = {"shapes": [_shape(shape, f"{name}.shapes[{n}]") for n, shape in enumerate(shapes)]}
    if len(json.dumps(sketch, separators=(",", ":"))) > _SKETCH["bytes"]:
        raise bad(name, f"is larger than {_SKETCH['bytes']} bytes")
    return sketch


def _shape(raw: object, name: str) -> dict[str, Any]:
    if not isinstance(raw, dict) or raw.get("kind") not in _SKETCH["kinds"]:
        raise bad(f"{name}.kind", f"must be one of {', '.join(_SKETCH['kinds'])}")
    kind, points = raw["kind"], raw.get("points")
    fewest, most = (1, _SKETCH["points"]) if kind == "pen" else (_ENDS, _ENDS)
    if not isinstance(points, list) or not fewest <= len(points) <= most:
        count = f"{fewest}–{most}" if fewest < most else str(most)
        raise bad(f"{name}.points", f"must be a list of {count} points")
    return {"kind": kind, "points": [_point(point, f"{name}.points[{n}]") for n, point in enumerate(points)]}


def _point(raw: object, name: str) -> list[float]:
    if not isinstance(raw, list) or len(raw) != _ENDS or not all(map(_is_coordinate, raw)):
        raise bad(name, f"must be two numbers from -{_SKETCH['px']} to {_SKETCH['px']}")
    # What JSON writes shorter.
    return [int(each) if float(each).is_integer() else round(each, 1) for each in raw]


def _is_coordinate(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    # An integer of JSON may be too large for a float.
    return abs(value) <= _SKETCH["px"] if isinstance(value, int) or math.isfinite(value) else False


def told_sketch(sketch: Sketch) -> list[dict[str, Any]]:
    """Its shapes in few numbers, for agents: an arrow's ends, and of all else the box around it."""
    return [_told(shape) for shape in sketch["shapes"]]


def _told(shape: dict[str, Any]) -> dict[str, Any]:
    kind, points = shape["kind"], shape["points"]
    if kind == "arrow":
        return {"kind": kind, "from": _rounded(points[0]), "to": _rounded(points[1])}
    left, top, right, bottom = extent([shape])
    return {
        "kind": kind,
        "x": round(left),
        "y": round(top),
        "width": round(right - left),
        "height": round(bottom - top),
    }


def _rounded(point: list[float]) -> list[int]:
    return [round(each) for each in point]


def extent(shapes: list[dict[str, Any]]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all points."""
    xs = [point[0] for shape in shapes for point in shape["points"]]
    ys = [point[1] for shape in shapes for point in shape["points"]]
    return min(xs), min(ys), max(xs), max(ys)
