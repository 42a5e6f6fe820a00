"""Pictures of elements: what one is, and what is accepted as one."""

from __future__ import annotations

import base64
import binascii
import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pageside.errors import NoPicture

Source = Literal["chrome", "page"]

MAX_PICTURE_BYTES = 700_000
"""In base64, and with what is around it, below the megabyte that clients of MCP take in one event."""
WHOLE_PICTURE_BYTES = 3_500_000
"""Where an answer is no event: in base64 below 5 MB, the most that models take."""
MAX_SIDE_PX = 1280
"""CSS px: the longest side that is asked for."""
_SIGNATURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
MAX_EDGE_PX = 100_000
"""CSS px: no element is longer."""


class Margins(NamedTuple):
    """What is shown around an element's box, in CSS px."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Picture:
    """One element as it looked: `width` and `height` in CSS px, `scale` in px of the image per CSS px."""

    mime: str
    width: float
    height: float
    scale: float
    source: Source
    taken_at: int
    """In ms since 1970."""
    data: bytes
    left: float = 0.0
    """From the picture's left edge to that of the element's box, in CSS px."""
    top: float = 0.0


def from_page(answer: object, now_ms: int) -> Picture:
    """The picture in a page's answer `{"mime", "base64", "width", "height", "scale", "left"?, "top"?}`.

    Raises `NoPicture`.
    """
    told = answer if isinstance(answer, dict) else {}
    mime = told.get("mime")
    data = picture_bytes(mime, told.get("base64"))
    width, height, scale = (_positive(told.get(name), name) for name in ("width", "height", "scale"))
    left, top = (_offset(told.get(name, 0), name) for name in ("left", "top"))
    return Picture(str(mime), width, height, scale, "page", now_ms, data, left, top)


def picture_bytes(mime: object, encoded: object) -> bytes:
    """The bytes of a picture in base64 that is what it says; raises `NoPicture`."""
    if mime not in _SIGNATURES:
        raise NoPicture("The page answered with something that is neither PNG nor JPEG.")
    data = _decoded(encoded)
    if not data.startswith(_SIGNATURES[str(mime)]):
        raise NoPicture(f"The page said {mime} and sent something else.")
    return data


def _decoded(raw: Any) -> bytes:
    if not isinstance(raw, str) or len(raw) > 4 * MAX_PICTURE_BYTES // 3 + 4:
        raise NoPicture(f"The page's picture is no base64 of at most {MAX_PICTURE_BYTES} bytes.")
    try:
        return base64.b64decode(raw, validate=True)
    except (binascii.Error, ValueError):
        raise NoPicture("The page's picture is not base64.") from None


def _offset(raw: Any, name: str) -> float:
    if isinstance(raw, int | float) and not isinstance(raw, bool) and abs(raw) <= MAX_EDGE_PX:
        return float(raw)
    raise NoPicture(f"The page told no usable {name} of its picture.")


def _positive(raw: Any, name: str) -> float:
    if isinstance(raw, int | float) and not isinstance(raw, bool) and 0 < raw <= MAX_EDGE_PX:
        if math.isfinite(raw):
            return float(raw)
    raise NoPicture(f"The page told no usable {name} of its picture.")
