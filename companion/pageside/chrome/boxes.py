"""The boxes of an element: where content, padding, border and margin lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pageside.chrome.documents import Handle
from pageside.chrome.session import CommandFailed

EDGES = ("content", "padding", "border", "margin")

Quad = tuple[float, ...]
"""Four corners, clockwise from the upper left one of the untransformed box: x1, y1, x2, y2 …"""


@dataclass(frozen=True, slots=True)
class Boxes:
    """In CSS px from the upper left corner of the viewport; of a frame's, if that has a process of its own."""

    quads: dict[str, Quad]

    def rectangles(self) -> dict[str, dict[str, float]]:
        """Each box, or what encloses it if it is turned: `{"content": {"x", "y", "width", "height"}, …}`."""
        return {edge: rectangle(self.quads[edge]) for edge in EDGES}

    def rounded(self) -> dict[str, list[float]]:
        """The corners, to the hundredth of a px."""
        return {edge: [round(value, 2) for value in self.quads[edge]] for edge in EDGES}

    def is_turned(self) -> bool:
        """True if the boxes do not lie straight, so that their rectangles say too little."""
        x1, y1, x2, y2, _, _, x4, _ = self.quads["border"]
        return abs(y1 - y2) > 0.01 or abs(x1 - x4) > 0.01 or x2 < x1


def rectangle(quad: Sequence[float]) -> dict[str, float]:
    """What encloses four corners, to the hundredth of a px."""
    left, top = min(quad[::2]), min(quad[1::2])
    width, height = max(quad[::2]) - left, max(quad[1::2]) - top
    sides = {"x": left, "y": top, "width": width, "height": height}
    return {side: round(value, 2) for side, value in sides.items()}


async def boxes_of(element: Handle, zoom: float = 1.0) -> Boxes | None:
    """None if the element has no box; `zoom` is that of its frame (`frames.zoom_of`), which Chrome leaves out."""
    try:
        model = (await element.session("DOM.getBoxModel", objectId=element.object_id))["model"]
    except CommandFailed as error:
        if "box model" not in error.reason:
            raise
        return None
    quads = {edge: tuple(value * zoom for value in model[edge]) for edge in EDGES}
    return Boxes(quads)
