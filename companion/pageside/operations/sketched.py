"""What a user drew over the page, on the picture of its element. The only door to Pillow; takes time: use a thread."""

from __future__ import annotations

import io
import logging
import math
from collections.abc import Iterable
from dataclasses import replace

from PIL import Image, ImageDraw

from pageside.core.pictures import MAX_PICTURE_BYTES, Margins, Picture
from pageside.core.remarks import Sketch, extent

log = logging.getLogger(__name__)

INK = (224, 36, 60)
HALO = (255, 255, 255)
OUTSIDE = (232, 232, 232)
"""Where the sketch goes beyond what the picture shows."""
INK_PX, HALO_PX = 3.0, 7.0
"""Widths, in CSS px as in the page."""
_HEAD_PX, _HEAD_ANGLE = 14.0, 0.5
_PAD_PX = HALO_PX
MAX_ROOM_PX = 600.0
"""So much of what lies around the element is shown, in CSS px; what is drawn further out is cut."""
_MAX_PIXELS = 12_000_000
_FINE = 3
"""Lines are drawn so many times as large, and then made small."""
_FORMS = (("PNG", "image/png", 0), ("JPEG", "image/jpeg", 85), ("JPEG", "image/jpeg", 50))
_UNREADABLE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)

Line = list[tuple[float, float]]


def room_for(sketch: Sketch, width: float, height: float) -> Margins:
    """How far it goes beyond a box of that size, on each side, in CSS px; at most `MAX_ROOM_PX`."""
    left, top, right, bottom = extent(sketch["shapes"])
    beyond = (-left, -top, right - width, bottom - height)
    return Margins(*(min(MAX_ROOM_PX, max(0.0, each + _PAD_PX)) for each in beyond))


def fits(picture: Picture, sketch: Sketch) -> bool:
    """True when the picture shows all that was drawn on."""
    left, top, right, bottom = extent(sketch["shapes"])
    sides = (left + picture.left, top + picture.top)
    ends = (picture.width - picture.left - right, picture.height - picture.top - bottom)
    return min(*sides, *ends) >= 0


def sketched(picture: Picture, sketch: Sketch) -> Picture:
    """The picture with the sketch on it, larger where that goes beyond; as it is when it cannot be read."""
    try:
        base = _opened(picture)
    except _UNREADABLE as error:
        log.info("a sketch is not drawn on its picture: %s", error)
        return picture
    scale = base.width / picture.width
    size = (picture.width - picture.left, picture.height - picture.top)
    left, top, right, bottom = room_for(sketch, *size)
    more = Margins(max(0.0, left - picture.left), max(0.0, top - picture.top), right, bottom)
    canvas = _extended(base, more, scale)
    if canvas.width == base.width and canvas.height == base.height:
        more = Margins(0.0, 0.0, 0.0, 0.0)
    corner = (picture.left + more.left, picture.top + more.top)
    lines = [line for shape in sketch["shapes"] for line in _lines(shape["kind"], shape["points"])]
    placed = [[((x + corner[0]) * scale, (y + corner[1]) * scale) for x, y in line] for line in lines]
    ink = max(2.0, INK_PX * scale)
    for colour, width in ((HALO, ink + (HALO_PX - INK_PX) * max(scale, 0.5)), (INK, ink)):
        canvas.paste(colour, mask=_mask(canvas.size, placed, width))
    return _encoded(replace(picture, left=corner[0], top=corner[1]), canvas, scale)


def _opened(picture: Picture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.data), formats=("PNG", "JPEG"))
    if image.width * image.height > _MAX_PIXELS:
        raise ValueError(f"{image.width} x {image.height} px are too many")
    if image.mode in ("RGB", "L"):
        return image.convert("RGB")
    whole = image.convert("RGBA")
    opaque = Image.new("RGB", whole.size, HALO)
    opaque.paste(whole, mask=whole)
    return opaque


def _extended(base: Image.Image, more: Margins, scale: float) -> Image.Image:
    left, top, right, bottom = (round(each * scale) for each in more)
    size = (base.width + left + right, base.height + top + bottom)
    if size == base.size or size[0] * size[1] > 2 * _MAX_PIXELS:
        return base
    canvas = Image.new("RGB", size, OUTSIDE)
    canvas.paste(base, (left, top))
    return canvas


def _lines(kind: str, points: list[list[float]]) -> Iterable[Line]:
    """What the page draws for it, in its coordinates."""
    line = [(x, y) for x, y in points]
    first, last = line[0], line[-1]
    if kind == "box":
        yield [first, (last[0], first[1]), last, (first[0], last[1]), first]
        return
    yield line
    if kind == "arrow":
        length = min(_HEAD_PX, math.dist(first, last) * 0.6)
        angle = math.atan2(last[1] - first[1], last[0] - first[0])
        wings = [
            (last[0] - length * math.cos(angle + side), last[1] - length * math.sin(angle + side))
            for side in (_HEAD_ANGLE, -_HEAD_ANGLE)
        ]
        yield [wings[0], last, wings[1]]


def _mask(size: tuple[int, int], lines: list[Line], width: float) -> Image.Image:
    """Where ink of that width is, with soft edges and round ends."""
    fine = _FINE if size[0] * size[1] < _MAX_PIXELS // 2 else 1
    mask = Image.new("L", (size[0] * fine, size[1] * fine), 0)
    draw = ImageDraw.Draw(mask)
    thick, radius = max(1, round(width * fine)), width * fine / 2
    for line in lines:
        at = [(x * fine, y * fine) for x, y in line]
        if len(at) > 1:
            draw.line(at, fill=255, width=thick)
        for x, y in at:
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return mask.reduce(fine) if fine > 1 else mask


def _encoded(picture: Picture, canvas: Image.Image, scale: float) -> Picture:
    width, height = canvas.width / scale, canvas.height / scale
    while True:
        for form, mime, quality in _FORMS:
            out = io.BytesIO()
            canvas.save(out, form, **({"quality": quality} if quality else {}))
            if out.tell() <= MAX_PICTURE_BYTES:
                smaller = canvas.width / width
                return replace(
                    picture, mime=mime, width=width, height=height, scale=smaller, data=out.getvalue()
                )
        canvas = canvas.resize((max(1, canvas.width // 2), max(1, canvas.height // 2)))
