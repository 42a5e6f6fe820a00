"""Chrome tools that look at a tab: snapshot, screenshot, script; and that change how it is seen."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

from pageside.chrome.activity import settled
from pageside.chrome.axtree import full_tree
from pageside.chrome.capture import Image
from pageside.chrome.find import Target
from pageside.chrome.scripts import run
from pageside.chrome.snapshot import Snapshot, snapshot
from pageside.chrome.tab import Tab
from pageside.errors import InvalidArguments
from pageside.operations import whole_pictures
from pageside.operations.choose_tab import choose_tab
from pageside.operations.files import output_path
from pageside.operations.gate import script_permit
from pageside.operations.shots import Shot, shoot, shoot_fitting
from pageside.toolsets.base import Answer, Args, Context, Picture
from pageside.toolsets.chrome_answers import still_under_way, target
from pageside.toolsets.chrome_input import uid


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
    wanted = Shot(mime, args["quality"], element, full_page=args["fullPage"])
    if "filePath" in args:
        suffixes = (".jpg", ".jpeg") if mime == "image/jpeg" else (f".{args['format']}",)
        path = await asyncio.to_thread(output_path, context.world, args["filePath"], suffixes)
        image = await shoot(tab, wanted)
        await asyncio.to_thread(_write, path, image)
        return Answer(said=f"Written to {path} ({image.width}x{image.height}).{left}")
    fitting = await shoot_fitting(tab, wanted, context.room())
    image, whole = fitting.image, fitting.whole
    size = f"{image.width}x{image.height} px, {image.scale:.3g} px for each CSS px."
    where = (
        f" {whole_pictures.told(whole, await whole_pictures.keep(context.world, whole))} Or take it with filePath."
        if whole is not None
        else ""
    )
    return Answer(
        said=f"{image.mime.removeprefix('image/')}, {size}{where}{left}",
        pictures=(Picture(image.data, image.mime),),
    )


def _write(path: Path, image: Image) -> None:
    path.write_bytes(base64.b64decode(image.data))


async def evaluate_script(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    value = await run(
        tab,
        args["function"],
        [uid(each) for each in args.get("args", [])],
        seconds=args["timeout"] / 1000,
        permit=script_permit(),
    )
    return Answer(shown=_json(value), from_page=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value is not None else "null"


HANDLERS = {
    "take_snapshot": take_snapshot,
    "take_screenshot": take_screenshot,
    "evaluate_script": evaluate_script,
}
