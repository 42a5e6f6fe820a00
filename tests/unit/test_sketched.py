"""What the user drew, on the picture."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pytest
from PIL import Image

from pageside.core.pictures import MAX_PICTURE_BYTES, Margins, Picture
from pageside.core.remarks import checked_sketch
from pageside.operations.sketched import HALO, INK, OUTSIDE, fits, room_for, sketched
from support.pictures import png

GREY = (120, 120, 120)
BOX = {"kind": "box", "points": [[10, 10], [50, 40]]}
ARROW = {"kind": "arrow", "points": [[10, 20], [60, 20]]}


def sketch(*shapes: dict[str, Any]) -> dict[str, Any]:
    return checked_sketch({"shapes": list(shapes)}, "sketch")


def grey(width: int, height: int, *, scale: float = 1, left: float = 0, top: float = 0) -> Picture:
    """A grey picture of so many CSS px; the element's box is at `left`, `top`."""
    data = png(round(width * scale), round(height * scale), GREY[0])
    return Picture("image/png", width, height, scale, "page", 1, data, left, top)


def shown(picture: Picture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    assert abs(image.width - picture.width * picture.scale) <= 1
    assert abs(image.height - picture.height * picture.scale) <= 1
    return image


def near(found: Any, colour: tuple[int, int, int], tolerance: int = 40) -> bool:
    return all(abs(one - other) <= tolerance for one, other in zip(found, colour, strict=True))


@pytest.mark.parametrize("scale", [0.5, 1, 2])
@pytest.mark.parametrize("margin", [0, 20])
def test_shapes_are_where_they_were_drawn(scale: float, margin: int) -> None:
    before = grey(100 + 2 * margin, 60 + 2 * margin, scale=scale, left=margin, top=margin)
    after = sketched(before, sketch(BOX))
    image = shown(after)
    assert (after.width, after.height, after.scale) == (before.width, before.height, scale)

    def at(x: float, y: float) -> Any:
        return image.getpixel((round((x + margin) * scale), round((y + margin) * scale)))

    for x, y in ((10, 10), (30, 10), (50, 25), (30, 40), (10, 25)):
        assert near(at(x, y), INK), (x, y, at(x, y))
    for x, y in ((30, 25), (80, 30), (30, 55)):
        assert near(at(x, y), GREY, 4), (x, y, at(x, y))


def test_ink_has_a_halo_so_that_it_is_seen_on_any_ground() -> None:
    image = shown(sketched(grey(80, 40, scale=2), sketch(ARROW)))
    column = [image.getpixel((60, y)) for y in range(80)]
    inked = [y for y, colour in enumerate(column) if near(colour, INK)]
    white = [y for y, colour in enumerate(column) if near(colour, HALO, 10)]
    assert 4 <= len(inked) <= 7
    assert min(white) < min(inked) < max(inked) < max(white)


def test_an_arrow_points_at_its_second_end() -> None:
    image = shown(sketched(grey(80, 40), sketch(ARROW)))
    beside = [[near(image.getpixel((x, 20 + side)), INK, 60) for side in (-5, 5)] for x in range(80)]
    assert any(all(both) for both in beside[45:60])
    assert not any(any(both) for both in beside[:40])


def test_a_dot_of_the_pen_is_seen() -> None:
    image = shown(sketched(grey(40, 40), sketch({"kind": "pen", "points": [[20, 20]]})))
    assert near(image.getpixel((20, 20)), INK)


def test_the_picture_grows_where_the_sketch_goes_beyond() -> None:
    pen = {"kind": "pen", "points": [[-50, 10], [130, 90]]}
    after = sketched(grey(100, 60, scale=2), sketch(pen))
    image = shown(after)
    assert (after.left, after.top) == (57, 0)
    assert (after.width, after.height) == (57 + 100 + 37, 60 + 37)
    assert near(image.getpixel((2 * (57 - 50), 2 * 10)), INK)
    assert near(image.getpixel((2, image.height - 2)), OUTSIDE, 2)
    assert near(image.getpixel((2 * (57 + 90), 10)), GREY, 4)


def test_what_is_drawn_miles_away_makes_no_giant() -> None:
    far = {"kind": "pen", "points": [[-20000, -20000], [20000, 20000]]}
    after = sketched(grey(100, 60), sketch(far, BOX))
    assert after.width <= 100 + 1200
    assert near(shown(after).getpixel((round(after.left) + 30, round(after.top) + 10)), INK)


def test_a_whole_sketch_of_wild_lines_is_drawn() -> None:
    wild = [{"kind": "pen", "points": [[n * 7 % 90, n * 13 % 50] for n in range(30)]} for _ in range(40)]
    assert len(sketched(grey(100, 60), sketch(*wild)).data) <= MAX_PICTURE_BYTES


def test_what_becomes_too_much_for_png_is_a_jpeg_that_fits() -> None:
    noise = Image.effect_noise((1280, 1000), 90).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "JPEG", quality=60)
    before = Picture("image/jpeg", 1280, 1000, 1, "chrome", 1, out.getvalue())
    after = sketched(before, sketch(BOX))
    assert after.mime == "image/jpeg"
    assert len(after.data) <= MAX_PICTURE_BYTES
    assert near(shown(after).getpixel((round(30 * after.scale), round(10 * after.scale))), INK, 90)


def test_transparent_parts_of_a_picture_are_white() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (100, 60), (0, 0, 0, 0)).save(out, "PNG")
    after = sketched(Picture("image/png", 100, 60, 1, "page", 1, out.getvalue()), sketch(BOX))
    assert shown(after).getpixel((30, 25)) == HALO


def claims(width: int, height: int) -> bytes:
    """A PNG of two rows that says it is of that size."""
    data = png(width, 2)
    header = b"IHDR" + struct.pack(">II", width, height) + data[24:29]
    return data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        png()[:40],
        b"\xff\xd8\xff" + bytes(50),
        claims(9000, 9000),
        claims(40000, 30000),
    ],
    ids=["nothing", "a beginning", "cut", "no JPEG", "too many px", "a bomb"],
)
def test_a_picture_that_cannot_be_read_stays_as_it_is(data: bytes) -> None:
    before = Picture("image/png", 100, 60, 1, "page", 1, data)
    assert sketched(before, sketch(BOX)) is before


def test_a_page_that_tells_a_wrong_size_makes_no_giant() -> None:
    for size in (1e-3, 1e5):
        after = sketched(Picture("image/png", size, size, 1, "page", 1, png(50, 50)), sketch(BOX))
        assert len(after.data) <= MAX_PICTURE_BYTES


def test_room_is_what_the_sketch_needs_beyond_the_box() -> None:
    assert room_for(sketch(BOX), 100, 60) == Margins(0, 0, 0, 0)
    assert room_for(sketch(BOX), 50, 30) == Margins(0, 0, 7, 17)
    far = sketch({"kind": "arrow", "points": [[-9000, -3], [10, 10]]})
    assert room_for(far, 100, 60) == Margins(600, 10, 0, 0)
    assert fits(grey(100, 60), sketch(BOX))
    assert not fits(grey(100, 60), far)
    assert fits(grey(100, 60, left=40, top=20), sketch({"kind": "box", "points": [[-40, -20], [60, 40]]}))
