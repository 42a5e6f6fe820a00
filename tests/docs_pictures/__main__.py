"""`make docs`: the README's recording; docs/overlay-states.md with a picture of each state; extension and console.

The example app, its dev server, the companion and an agent are real; only what a clock says is written over, so that
a run changes no picture whose subject has not changed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from playwright.async_api import Browser, async_playwright

from docs_pictures import console, extension, recording
from docs_pictures.stage import PICTURES, SCHEMES, Shot, Stage, noon
from docs_pictures.states import play
from support import chromium
from support.app import REPOSITORY

PAGE = REPOSITORY / "docs" / "overlay-states.md"
HEAD = """# The overlay, state by state

Made by `make docs` from the example app in `examples/vite-react` with its real dev server, companion and agent; each
state light and dark. How to use it all: [overlay.md](overlay.md).
"""


def page(shots: list[Shot]) -> str:
    """The whole page."""
    return "\n".join([HEAD, *(_part(shot) for shot in shots)])


def _part(shot: Shot) -> str:
    cells = " | ".join(f"![{shot.title}, {scheme}](pictures/{shot.name}-{scheme}.webp)" for scheme in SCHEMES)
    return f"## {shot.title}\n\n{shot.caption}\n\n| light | dark |\n| --- | --- |\n| {cells} |\n"


async def _overlay(browser: Browser, only: str) -> list[Shot]:
    async with noon() as server:
        stage = Stage(browser, server, only)
        await play(stage)
    return stage.shots


def _is_of(only: str, names: list[str]) -> bool:
    """Nothing else is asked for."""
    return bool(only) and any(only in name for name in names)


async def main() -> int:
    """Take them all, or with `--only` those whose name holds that, which leaves the page as it is."""
    parser = argparse.ArgumentParser(prog="python -m docs_pictures")
    parser.add_argument("--only", default="", help="take just the pictures whose name holds this")
    asked = parser.parse_args()
    PICTURES.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium.find(), args=[*chromium.flags(), "--headless=new", "--hide-scrollbars"]
        )
        others = await recording.play(browser, asked.only)
        async with noon() as server:
            others += await extension.play(server.url, asked.only)
            others += await console.play(browser, server, asked.only)
        shots = [] if _is_of(asked.only, others) else await _overlay(browser, asked.only)
        await browser.close()
    if not asked.only:
        PAGE.write_text(page(shots), "utf-8")
        names = [*(shot.name for shot in shots), *others]
        kept = {f"{name}-{scheme}.webp" for name in names for scheme in SCHEMES}
        for file in PICTURES.iterdir():
            if file.name not in kept:
                file.unlink()
    total = sum(file.stat().st_size for file in PICTURES.iterdir())
    print(f"{len(shots) + len(others)} states, {total / 1024:.0f} KiB in {PICTURES.relative_to(REPOSITORY)}")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
