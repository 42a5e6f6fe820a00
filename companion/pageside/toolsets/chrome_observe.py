"""Chrome tools that look at a tab: snapshot, screenshot, script; and that change how it is seen."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

from pageside.chrome.activity import settled
from pageside.chrome.axtree import full_tree
from pageside.chrome.capture import MAX_BYTES, Image, metrics, screenshot
from pageside.chrome.element_clip import element_clip, without_secrets
from pageside.chrome.find import Target, find
from pageside.chrome.scripts import run
from pageside.chrome.snapshot import Snapshot, snapshot
from pageside.chrome.tab import Tab
from pageside.errors import InvalidArguments
from pageside.operations.choose_tab import choose_tab
from pageside.operations.files import output_path
from pageside.toolsets.base import Answer, Args, Context, Picture
from pageside.toolsets.chrome_answers import still_under_way, target
from pageside.toolsets.chrome_input import uid

# Each as a share of the one before.
_SMALLER = (("image/jpeg", 80, 1.0), ("image/jpeg", 60, 0.5), ("image/jpeg", 50, 0.25))
MAX_SIDE_PX = 2000
"""Of an image of the viewport or an element in an answer."""


async def take_snapshot(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    left = await settled(tab)
    taken = await _snapshot(tab, args)
    said = still_under_way(left).strip()
    if "filePath" in args:
        path = await asyncio.to_thread(output_path, context.world, args["filePath"], (".txt", ".md"))
        await asyncio.to_thread(path.write_text, taken.text, "utf-8")
        return Answer(said=f"Written to {path}. {said}".strip())
    return Answer(said=said, shown=taken.text, from_page=True)


async def _snapshot(tab: Tab, args: Args) -> Snapshot:
    root = Target(uid=args["uid"]) if "uid" in args else None
    if not args["verbose"]:
        return await snapshot(
            tab, root=root, interactive=args["interactive"], max_chars=args["maxChars"], start=args["from"]
        )
    if root is not None or args["interactive"]:
        raise InvalidArguments(
            "'verbose' is Chrome's tree of the whole tab: 'uid' and 'interactive' do not go with it.",
            data={"argument": "verbose"},
        )
    return await full_tree(tab, max_chars=args["maxChars"], start=args["from"])


async def take_screenshot(context: Context, args: Args) -> Answer:
    named = any(name in args for name in ("uid", "selector", "text"))
    if named and args["fullPage"]:
        raise InvalidArguments(
            "'fullPage' and an element exclude one another.", data={"argument": "fullPage"}
        )
    element = target(args) if named else None
    tab = await choose_tab(context.world, context.watcher)
    left = still_under_way(await settled(tab))
    mime = f"image/{args['format']}"
    if "filePath" in args:
        suffixes = (".jpg", ".jpeg") if mime == "image/jpeg" else (f".{args['format']}",)
        path = await asyncio.to_thread(output_path, context.world, args["filePath"], suffixes)
        image = await _shoot(tab, element, args["fullPage"], mime, args["quality"])
        await asyncio.to_thread(_write, path, image)
        return Answer(said=f"Written to {path} ({image.width}x{image.height}).{left}")
    image = await _shoot(tab, element, args["fullPage"], mime, args["quality"], _limit(args["fullPage"]))
    for smaller, quality, share in _SMALLER:
        if image.size <= MAX_BYTES:
            break
        limit = (image.width * share, image.height * share)
        image = await _shoot(tab, element, args["fullPage"], smaller, quality, limit)
    size = f"{image.width}x{image.height} px, {image.scale:.3g} px for each CSS px."
    return Answer(
        said=f"{image.mime.removeprefix('image/')}, {size}{left}", pictures=(Picture(image.data, image.mime),)
    )


def _limit(full_page: bool) -> tuple[float, float]:
    return (MAX_SIDE_PX, 16_384) if full_page else (MAX_SIDE_PX, MAX_SIDE_PX)


async def _shoot(
    tab: Tab,
    element: Target | None,
    full_page: bool,
    mime: str,
    quality: int,
    limit: tuple[float, float] = (16_384, 16_384),
) -> Image:
    clip = await element_clip(tab, await find(tab, element)) if element is not None else None
    seen = asyncio.ensure_future(metrics(tab))
    try:
        async with without_secrets(tab):
            return await screenshot(
                tab, mime=mime, quality=quality, clip=clip, full_page=full_page, limit=limit, view=await seen
            )
    finally:
        seen.cancel()


def _write(path: Path, image: Image) -> None:
    path.write_bytes(base64.b64decode(image.data))


async def evaluate_script(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    value = await run(
        tab, args["function"], [uid(each) for each in args.get("args", [])], seconds=args["timeout"] / 1000
    )
    return Answer(shown=_json(value), from_page=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value is not None else "null"


HANDLERS = {
    "take_snapshot": take_snapshot,
    "take_screenshot": take_screenshot,
    "evaluate_script": evaluate_script,
}
