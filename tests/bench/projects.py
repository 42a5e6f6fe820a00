"""Projects of many components, written from code: the same for each inspector, and the same each time."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from support.app import copy_example

GROUP = 50
"""Components that one file imports, as folders of real projects have an index."""
HEADING = "Part 0 of many"
"""What the HMR rounds edit."""


@dataclass(frozen=True)
class Kind:
    """A framework's way to write the same components."""

    name: str
    example: str
    """Whose packages and config it takes."""
    plugin: tuple[str, str]
    """The import of its Vite plugin, and the call."""
    count: int
    part: Callable[[int, str], str]
    """The text of a component's file: its number, and its heading."""
    extension: str
    group: Callable[[list[int], str], str]
    """The text of the file that shows these, each imported from a folder."""
    main: str
    entry: str


def write(kind: Kind) -> Path:
    """The project, beside the examples' copies so that it finds their packages."""
    project = copy_example(kind.example)
    shutil.rmtree(project / "src")
    parts = project / "src" / "parts"
    parts.mkdir(parents=True)
    for number in range(kind.count):
        file = parts / f"Part{number}{kind.extension}"
        file.write_text(kind.part(number, f"Part {number} of many"), "utf-8")
    groups = [list(range(first, min(first + GROUP, kind.count))) for first in range(0, kind.count, GROUP)]
    for number, members in enumerate(groups):
        (project / "src" / f"Group{number}{kind.extension}").write_text(
            kind.group(members, "./parts/Part"), "utf-8"
        )
    (project / "src" / f"App{kind.extension}").write_text(
        kind.group(list(range(len(groups))), "./Group"), "utf-8"
    )
    (project / "src" / kind.entry).write_text(kind.main, "utf-8")
    (project / "index.html").write_text(
        '<!doctype html><html lang="en"><head><title>Many parts</title></head>'
        f'<body><div id="root"></div><script type="module" src="/src/{kind.entry}"></script></body></html>\n',
        "utf-8",
    )
    return project


def last(kind: Kind) -> str:
    """The selector of what is shown last."""
    return f"#part-{kind.count - 1}"


def _jsx(attribute: str, head: str = "") -> Callable[[int, str], str]:
    def part(number: int, heading: str) -> str:
        return f"""{head}interface Props {{
  open?: boolean;
}}

export function Part{number}({{ open = true }}: Props) {{
  const values = [{number}, {number + 1}, {number + 2}];
  return (
    <section id="part-{number}" {attribute}="part">
      <h3 {attribute}="heading">{heading}</h3>
      <p {attribute}="text">A few words about number {number}.</p>
      <ul {attribute}="values">
        {{values.map((value) => (
          <li key={{value}} {attribute}="value">
            <span>{{value}}</span>
          </li>
        ))}}
      </ul>
      {{open && <button type="button">Close</button>}}
    </section>
  );
}}
"""

    return part


def _jsx_group(name: str) -> Callable[[list[int], str], str]:
    def group(members: list[int], folder: str) -> str:
        part = folder.rsplit("/", 1)[1]
        own = "Part" if part == "Part" else "Group"
        imports = "".join(f"import {{ {_named(own, n)} }} from '{folder}{n}';\n" for n in members)
        shown = "".join(f"      <{_named(own, n)} />\n" for n in members)
        exported = "App" if own == "Group" else f"Group{members[0] // GROUP}"
        return f"{imports}\nexport function {exported}() {{\n  return (\n    <{name}>\n{shown}    </{name}>\n  );\n}}\n"

    return group


def _named(own: str, number: int) -> str:
    return f"{own}{number}"


def _vue_part(number: int, heading: str) -> str:
    return f"""<script setup lang="ts">
withDefaults(defineProps<{{ open?: boolean }}>(), {{ open: true }});
const values = [{number}, {number + 1}, {number + 2}];
</script>

<template>
  <section id="part-{number}" class="part">
    <h3 class="heading">{heading}</h3>
    <p class="text">A few words about number {number}.</p>
    <ul class="values">
      <li v-for="value in values" :key="value" class="value"><span>{{{{ value }}}}</span></li>
    </ul>
    <button v-if="open" type="button">Close</button>
  </section>
</template>
"""


def _svelte_part(number: int, heading: str) -> str:
    return f"""<script lang="ts">
  let {{ open = true }}: {{ open?: boolean }} = $props();
  const values = [{number}, {number + 1}, {number + 2}];
</script>

<section id="part-{number}" class="part">
  <h3 class="heading">{heading}</h3>
  <p class="text">A few words about number {number}.</p>
  <ul class="values">
    {{#each values as value (value)}}
      <li class="value"><span>{{value}}</span></li>
    {{/each}}
  </ul>
  {{#if open}}<button type="button">Close</button>{{/if}}
</section>
"""


def _template_group(extension: str, template: str, script: str) -> Callable[[list[int], str], str]:
    def group(members: list[int], folder: str) -> str:
        own = folder.rsplit("/", 1)[1]
        imports = "".join(f"import {own}{n} from '{folder}{n}{extension}';\n" for n in members)
        shown = "".join(f"  <{own}{n} />\n" for n in members)
        return f"<script {script}>\n{imports}</script>\n\n{template.format(shown)}"

    return group


REACT = Kind(
    "React",
    "vite-react",
    ("import react from '@vitejs/plugin-react';", "react()"),
    1000,
    _jsx("className"),
    ".tsx",
    _jsx_group("main"),
    """import { createRoot } from 'react-dom/client';
import { App } from './App';

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
""",
    "main.tsx",
)
PREACT = Kind(
    "Preact",
    "vite-preact",
    ("import preact from '@preact/preset-vite';", "preact()"),
    200,
    _jsx("class"),
    ".tsx",
    _jsx_group("main"),
    """import { render } from 'preact';
import { App } from './App';

const root = document.getElementById('root');
if (root) render(<App />, root);
""",
    "main.tsx",
)
SOLID = Kind(
    "Solid",
    "vite-solid",
    ("import solid from 'vite-plugin-solid';", "solid()"),
    200,
    _jsx("class"),
    ".tsx",
    _jsx_group("main"),
    """import { render } from 'solid-js/web';
import { App } from './App';

const root = document.getElementById('root');
if (root) render(() => <App />, root);
""",
    "main.tsx",
)
VUE = Kind(
    "Vue",
    "vite-vue",
    ("import vue from '@vitejs/plugin-vue';", "vue()"),
    200,
    _vue_part,
    ".vue",
    _template_group(".vue", "<template>\n<main>\n{}</main>\n</template>\n", 'setup lang="ts"'),
    "import { createApp } from 'vue';\nimport App from './App.vue';\n\ncreateApp(App).mount('#root');\n",
    "main.ts",
)
SVELTE = Kind(
    "Svelte",
    "vite-svelte",
    ("import { svelte } from '@sveltejs/vite-plugin-svelte';", "svelte()"),
    200,
    _svelte_part,
    ".svelte",
    _template_group(".svelte", "<main>\n{}</main>\n", 'lang="ts"'),
    """import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('root');
if (target) mount(App, { target });
""",
    "main.ts",
)
KINDS = (REACT, VUE, SOLID, PREACT, SVELTE)
