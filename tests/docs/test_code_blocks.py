"""Every code block of the docs holds what it says: it is read by what will read it. One that nothing checks fails."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from pageside.contract import CHANNEL
from pageside.processes.server_config import permitted
from pageside.settings import ALIASES, VARIABLES
from pageside.toolsets.every import TOOLSETS
from support.app import REPOSITORY
from support.commands import fault_of, faults, harmless
from support.markdown import Block, documents
from support.node import node
from support.serve import environment

SCRIPTS = ("ts", "js", "tsx", "jsx")
BLOCKS = {block.name: block for document in documents() for block in document.blocks}

PRESUPPOSED = {
    "cart.fill(": "declare const cart: { fill(count: number, options: object): Promise<number> };",
    "app.wsgi_app": "from flask import Flask\napp = Flask(__name__)",
    "templates.env": "from fastapi import FastAPI\nfrom fastapi.templating import Jinja2Templates\n"
    "app = FastAPI()\ntemplates = Jinja2Templates('templates')",
    "get_wsgi_application()": "from django.conf import settings\nsettings.configure()\n"
    "from django.core.wsgi import get_wsgi_application",
    "FileSystemLoader(": "from aiohttp import web\nfrom jinja2 import Environment, FileSystemLoader\n"
    "app = web.Application()",
}
"""What a block that is a part of an app takes for granted, by a text that stands in it."""


WRONG = {
    block.language: block
    for block in (
        Block(
            "wrong.md",
            1,
            "ts",
            "import { pageside } from 'vite-plugin-pageside';\npageside({ lann: true });\n",
        ),
        Block("wrong.md", 2, "sh", "pageside serve --prot 6137\n"),
        Block(
            "wrong.md",
            3,
            "json",
            '{"mcpServers": {"pageside": {"command": "pageside", "args": ["studio"]}}}\n',
        ),
        Block(
            "wrong.md", 4, "jsonc", '{"url": "http://127.0.0.1:6137/__mcp__?toolset=all"} // no such key\n'
        ),
        Block("wrong.md", 5, "toml", '[tool.pageside]\nservers = ["npx serve"]\n'),
        Block(
            "wrong.md",
            6,
            "js",
            "// astro.config.mjs\nimport { defineConfig } from 'astro/config';\n"
            "import { pageside } from 'vite-plugin-pageside';\n"
            "export default defineConfig({ vite: { plugins: [pageside()], base: '/no/example/has/this' } });\n",
        ),
        Block("wrong.md", 7, "python", "from pageside.middleware.asgi import Middleware\n"),
    )
}


def _presupposed(text: str) -> str:
    return next((prelude for part, prelude in PRESUPPOSED.items() if part in text), "")


def _options_in_sentences() -> Iterator[Block]:
    """`pageside({ … })` between backticks."""
    for document in documents():
        for line, span in document.spans():
            if re.fullmatch(r"pageside\(\{.*\}\)", span) and "…" not in span:
                text = f"import {{ pageside }} from 'vite-plugin-pageside';\nexport default {span};\n"
                yield Block(f"{document.file} (in a sentence)", line, "ts", text)


@cache
def _script_faults() -> Mapping[str, list[str]]:
    blocks = [
        *(block for block in BLOCKS.values() if block.language in SCRIPTS),
        *_options_in_sentences(),
        *(block for block in WRONG.values() if block.language in SCRIPTS),
    ]
    asked = [
        {
            "name": block.name,
            "language": block.language,
            "text": block.text,
            "prelude": _presupposed(block.text),
        }
        for block in blocks
    ]
    ran = subprocess.run(
        [str(node()), str(Path(__file__).with_name("blocks.mjs"))],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("PAGESIDE_")},
    )
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


def check_script(block: Block, _folder: Path) -> None:
    """Types fit; a configuration is one of an example's, and loaded by Vite where its plugins are installed here."""
    assert _script_faults()[block.name] == []
    packages = (file.read_text("utf-8") for file in EXAMPLES.glob("*/package.json"))
    known = {name for text in packages for kind in _DEPENDENCIES for name in json.loads(text).get(kind, {})}
    imported = {_package(name) for name in re.findall(r"from '([^'.][^']*)'", block.text)}
    assert imported <= known
    name = re.fullmatch(r"// (\S+\.config\.\w+)", block.text.partition("\n")[0])
    if name:
        # Those of frameworks that are not installed here run in `make test-frameworks`.
        assert _code(block.text) in [_code(file.read_text("utf-8")) for file in EXAMPLES.glob(f"*/{name[1]}")]


EXAMPLES = REPOSITORY / "examples"
BESIDES = (
    "import adapter from '@sveltejs/adapter-node';",
    "{ adapter: adapter(), version: { name: '1' } }",
    "compatibilityDate: '2026-11-01', devtools: { enabled: false }, telemetry: false,",
    "import react from '@astrojs/react'; import vue from '@astrojs/vue';",
    "integrations: [react(), vue()],",
)
"""What the examples' configurations have besides Pageside: what their app needs, and what their tests do."""


def _code(text: str) -> str:
    """Without comments and the way it is set, and without what stands in `BESIDES`."""
    bare = "".join(re.sub(r"^\s*//.*$", "", text, flags=re.M).split())
    for part in BESIDES:
        bare = bare.replace("".join(part.split()), "")
    return re.sub(r",(?=[\]})])", "", bare)


_DEPENDENCIES = ("dependencies", "devDependencies")


def _package(specifier: str) -> str:
    return "/".join(specifier.split("/")[: 2 if specifier.startswith("@") else 1])


def check_python(block: Block, folder: Path) -> None:
    """It runs, with Pageside on."""
    ast.parse(block.text)
    program = f"{_presupposed(block.text)}\n{block.text}"
    # Where an app would start it, in development.
    there = {**os.environ, "PAGESIDE_ENABLED": "1", "PAGESIDE_STATE_DIR": str(folder / "state")}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=folder, env=there, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr


def check_shell(block: Block, folder: Path) -> None:
    """Each command is known, and takes what it is given; what of it is ours and does no harm runs."""
    assert faults(block.text) == []
    there = {
        **environment(),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "PAGESIDE_STATE_DIR": str(folder / "state"),
    }
    for command in harmless(block.text):
        ran = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=there,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stderr


def check_json(block: Block, folder: Path) -> None:
    """It is JSON, with comments where it says so, and what is for us is taken by us."""
    text = _without_comments(block.text) if block.language == "jsonc" else block.text
    _check_settings(json.loads(text), folder / "package.json", text)


def check_toml(block: Block, folder: Path) -> None:
    """It is TOML, and what is for us is taken by us."""
    _check_settings(tomllib.loads(block.text), folder / "pyproject.toml", block.text)


def _without_comments(text: str) -> str:
    """Comments and commas before a closing bracket are blanked; strings stay."""
    parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
    parts[::2] = [re.sub(r"//[^\n]*|/\*.*?\*/", "", part, flags=re.S) for part in parts[::2]]
    return re.sub(r",(\s*[}\]])", r"\1", "".join(parts))


def _check_settings(data: Any, file: Path, text: str) -> None:
    own = data.get("tool", data).get("pageside", {})
    if "servers" in own:
        file.write_text(text, "utf-8")
        found = permitted(file.parent, file.parent)
        assert found.complaints == ()
        assert list(found.listed) == [tuple(command) for command in own["servers"]]
    for entry in _entries(data):
        _check_entry(entry)


def _entries(data: Any) -> Iterator[dict[str, Any]]:
    """Every server of an agent's configuration, whatever the agent calls the list."""
    if isinstance(data, dict):
        if {"command", "url", "serverUrl", "httpUrl"} & set(data):
            yield data
        for each in data.values():
            yield from _entries(each)


def _check_entry(entry: dict[str, Any]) -> None:
    command = entry.get("command", [])
    words = [command] if isinstance(command, str) else list(command)
    assert not words or fault_of([*words, *entry.get("args", [])]) == ""
    env = entry.get("env", entry.get("environment", {}))
    assert set(env) <= {*VARIABLES, *ALIASES}
    for name in {"url", "serverUrl", "httpUrl"} & set(entry):
        _check_address(entry[name])


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    assert parts.path in (CHANNEL["mcp"], "/mcp", f"{CHANNEL['mcp']}/sse")
    query = parse_qs(parts.query)
    assert set(query) <= {"clientId", "puppetId", "toolsets", "chrome"}
    known = {toolset.name for toolset in TOOLSETS} | {"all"}
    assert {name for text in query.get("toolsets", ()) for name in text.split(",")} <= known


def check_text(block: Block, _folder: Path) -> None:
    """Pictures made of signs, whose names are checked with all others; what the dev server prints has its labels."""
    assert block.text.strip()
    announcer = (REPOSITORY / "vite-plugin" / "src" / "companion" / "announce.ts").read_text("utf-8")
    printed = ["Local", *re.findall(r"bold\('(\w+)'\)", announcer)]
    # What stands behind these is printed in trouble only.
    assert re.findall(r"➜ +(\w+):", block.text) in ([], printed[:4])


CHECKS: Mapping[str, Callable[[Block, Path], None]] = {
    **dict.fromkeys(SCRIPTS, check_script),
    "python": check_python,
    "sh": check_shell,
    "json": check_json,
    "jsonc": check_json,
    "toml": check_toml,
    "text": check_text,
}


@pytest.mark.parametrize("name", BLOCKS)
async def test_a_code_block_holds_what_it_says(name: str, tmp_path: Path) -> None:
    block = BLOCKS[name]
    assert block.language in CHECKS, (
        f"nothing checks a block of {block.language or 'no language'}: name one of CHECKS"
    )
    await asyncio.to_thread(CHECKS[block.language], block, tmp_path)


async def test_options_in_sentences_are_those_of_the_plugin() -> None:
    blocks = list(_options_in_sentences())
    found = await asyncio.to_thread(_script_faults)
    assert blocks
    assert {block.name: found[block.name] for block in blocks if found[block.name]} == {}


@pytest.mark.parametrize("language", WRONG)
async def test_a_block_that_is_wrong_is_found_out(language: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        await asyncio.to_thread(CHECKS[language], WRONG[language], tmp_path)
