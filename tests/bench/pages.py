"""The pages that operations are done on."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from aiohttp import web

from support.site import Site

FIELDS = (
    *(("textbox", f"Field {number}", f"value {number}") for number in range(1, 7)),
    ("checkbox", "Check 1", "true"),
    ("checkbox", "Check 2", "true"),
    ("combobox", "Colour", "Green"),
    ("textbox", "Notes", "some words"),
)
"""Of the form: role, name, value to fill in."""

FILLED = (
    "[...document.querySelectorAll('.f')].map((e) => e.type === 'checkbox' ? String(e.checked) : e.value).join('|')"
    f" === {'|'.join(value for _, _, value in FIELDS)!r}"
)
EMPTY = "document.forms[0].reset(), null"


def _field(role: str, name: str) -> str:
    if role == "checkbox":
        return f"<p><label><input class=f type=checkbox>{name}</label></p>"
    if role == "combobox":
        return (
            f"<p><label>{name}<select class=f><option>Red</option><option>Green</option></select></label></p>"
        )
    if name == "Notes":
        return f"<p><label>{name}<textarea class=f></textarea></label></p>"
    return f"<p><label>{name}<input class=f></label></p>"


WORK = f"""<!doctype html><html lang=en><title>Work</title>
<h1>Work</h1>
<button id=go>Go</button> <button id=menu>Menu</button> <p id=out></p> <p id=late></p>
<p><label>Name<input id=name></label></p>
<button id=card style="width:300px;height:200px;background:linear-gradient(45deg,red,blue)">Card</button>
<form onsubmit="return false">{"".join(_field(role, name) for role, name, _ in FIELDS)}</form>
<script>
const say = (text) => {{ out.textContent = text }};
go.onclick = () => say('clicked');
menu.onmouseenter = () => say('hovered');
addEventListener('keydown', (event) => say(event.key));
</script>"""

TALL = """<!doctype html><html lang=en><title>Tall</title><style>div{height:400px;font:20px sans-serif}</style>
<script>for (let i = 0; i < 15; i++) document.write(
  `<div style="background:hsl(${i * 24} 80% 60%)">${`Part ${i} of a page with words. `.repeat(20)}</div>`)</script>
<div style="background:linear-gradient(45deg,teal,white)">The end</div>"""

LOGGING = """<!doctype html><html lang=en><title>Logging</title>
<script>for (let i = 1; i <= 1000; i++) console.log(`message ${i} of many`, { i })</script>"""

FETCHING = """<!doctype html><html lang=en><title>Fetching</title><p id=out></p>
<script>(async () => {{
  for (let i = 0; i < 20; i++) await Promise.all(
    Array.from({{ length: 10 }}, (_, k) => fetch(`{item}?n=${{i * 10 + k + 1}}`).then((r) => r.text())));
  out.textContent = 'done';
}})()</script>"""

SECOND = "<!doctype html><html lang=en><title>Second</title><h1>Second page</h1>"

LAST = {2000: 43, 10_000: 213}
"""The last section of many.html with so many elements."""


@dataclass(slots=True)
class Pages:
    """Where they are; every `url` is a new one, so that a document is known by its URL."""

    site: Site
    urls: dict[str, str]
    asked: set[str]
    """Of `second`: the URLs that were served."""
    count: itertools.count[int]

    def url(self, name: str) -> str:
        base = self.urls[name]
        return f"{base}{'&' if '?' in base else '?'}v={next(self.count)}"


def pages(site: Site) -> Pages:
    """All of them, served."""

    async def item(request: web.Request) -> web.Response:
        return web.json_response({"item": request.query["n"], "text": "some words " * 20})

    asked: set[str] = set()

    async def second(request: web.Request) -> web.Response:
        asked.add(str(request.url))
        return web.Response(text=SECOND, content_type="text/html")

    urls = {
        "work": site.page(WORK),
        "tall": site.page(TALL),
        "logging": site.page(LOGGING),
        "fetching": site.page(FETCHING.format(item=site.handle(item))),
        "second": site.origin + site.handle(second),
        "2000": site.url("many.html?n=2000"),
        "10000": site.url("many.html?n=10000"),
    }
    return Pages(site, urls, asked, itertools.count(1))
