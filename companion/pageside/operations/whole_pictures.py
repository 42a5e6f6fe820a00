"""Pictures that are too large for an answer: they are kept, and read as resources, if need be in parts."""

from __future__ import annotations

import asyncio
import base64
import time

from pageside.chrome.capture import Image
from pageside.core.pictures import MAX_PICTURE_BYTES, Picture
from pageside.errors import PagesideError
from pageside.hubs.whole_pictures import KEEP_SECONDS
from pageside.operations.pictures import SCREENSHOTS, read
from pageside.operations.world import World


async def keep(world: World, whole: Image) -> str:
    """The URI of the resource that the picture is now, for ten minutes."""
    data = await asyncio.to_thread(base64.b64decode, whole.data)
    size = (whole.width / whole.scale, whole.height / whole.scale, whole.scale)
    picture = Picture(whole.mime, *size, "chrome", round(time.time() * 1000), data)
    return SCREENSHOTS + world.whole_pictures.keep(picture)


def told(whole: Image, uri: str) -> str:
    """What an agent is told that got a smaller one."""
    kind = whole.mime.removeprefix("image/")
    return (
        f"The {kind} of {whole.width}x{whole.height} px has {whole.size} bytes, too many for this answer: "
        f"for {KEEP_SECONDS / 60:.0f} minutes it is the resource {uri}."
    )


def part_count(picture: Picture) -> int:
    """How many parts it has that an event can carry."""
    return -(-len(picture.data) // MAX_PICTURE_BYTES)


async def read_part(world: World, name: str, number: int) -> bytes:
    """The bytes of one part of a picture, counted from 1; raises NOT_FOUND."""
    picture = await read(world, name)
    count = part_count(picture)
    if not 1 <= number <= count:
        raise PagesideError(
            f"The picture {name} has {count} part(s), counted from 1.",
            code="NOT_FOUND",
            fix=f"Read {SCREENSHOTS}{name}/parts/1 and so on, and join their bytes.",
        )
    return picture.data[(number - 1) * MAX_PICTURE_BYTES : number * MAX_PICTURE_BYTES]
