"""`make reference`: docs/reference/ from the code; with `--check` it says what is stale and writes nothing."""

from __future__ import annotations

import argparse
import sys

from docs_reference import lists, options, tools, variables
from docs_reference.typescript import modules
from support.app import REPOSITORY

FOLDER = REPOSITORY / "docs" / "reference"
NOTE = "<!-- Made by `make reference` from the code: change it there. -->\n"


def pages() -> dict[str, str]:
    """Every page by its file name."""
    page_api = list(modules()["page"].own.values())
    made = {
        "tools": tools.page(),
        "variables": variables.page(),
        "options": options.page(),
        "errors": lists.errors_page(),
        "prompts": lists.prompts_page(),
        "resources": lists.resources_page(),
        "events": lists.events_page(page_api),
    }
    return {f"{name}.md": f"{NOTE}\n{text.rstrip()}\n" for name, text in made.items()}


def main() -> int:
    """Write the pages that differ, or name them."""
    parser = argparse.ArgumentParser(prog="python -m docs_reference")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if something is stale")
    asked = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = pages()
    there = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.md")}
    stale = sorted(name for name in {*made, *there} if made.get(name) != there.get(name))
    for name in [] if asked.check else stale:
        if name in made:
            (FOLDER / name).write_text(made[name], "utf-8")
        else:
            (FOLDER / name).unlink()
    if asked.check and stale:
        sys.stderr.write(f"Stale in docs/reference: {', '.join(stale)}. Run 'make reference'.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
