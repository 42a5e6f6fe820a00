"""The situations of `sureness`, as data: a page with a button 'Go', and what a click must come to."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from support.site import Site

Kind = Literal["effect", "refused", "dialog", "tab"]

_PAGE = """<!doctype html><html lang=en><title>Before</title><style>{style}</style>
<button id=go{more}>Go</button><p id=out>nothing</p>{body}
<script>const done = () => {{ out.textContent = 'effect' }};
go.onclick = () => {{ window.clicked = true; {click} }};
{script}</script>"""
_AFTER = "<!doctype html><html lang=en><title>After</title><p id=out>effect</p>"


@dataclass(frozen=True, slots=True)
class Situation:
    """`click` is what the button's handler does; {path} in it is made by `path`."""

    name: str
    click: str = "done()"
    kind: Kind = "effect"
    path: Callable[[Site], str] = lambda _site: ""
    style: str = ""
    more: str = ""
    body: str = ""
    script: str = ""
    start: str = ""
    """JavaScript of the witness right before the click."""
    late: bool = False
    """The effect comes after the click: thinking may help."""
    holds: str = "document.getElementById('out')?.textContent === 'effect'"
    shows: str = "effect"


@dataclass(slots=True)
class Made:
    """A situation that is served."""

    situation: Situation
    url: str
    path: str
    """What is fetched, or gone to."""
    count: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def fresh_url(self) -> str:
        return f"{self.url}?try={next(self.count)}"


def make(one: Situation, site: Site) -> Made:
    """Serve it."""
    path = one.path(site)
    html = _PAGE.format(
        style=one.style,
        more=one.more,
        body=one.body,
        click=one.click.replace("{path}", path),
        script=one.script.replace("{path}", path),
    )
    return Made(one, site.page(html), path)


def _slow(ms: int) -> Callable[[Site], str]:
    return lambda site: site.slow(ms / 1000)


def _after(ms: int = 0) -> Callable[[Site], str]:
    return lambda site: site.slow(ms / 1000, _AFTER, "text/html")


_COVER = "position:fixed;inset:0;background:#ccc8;z-index:9"

SITUATIONS: tuple[Situation, ...] = (
    *(
        Situation(f"timer of {ms} ms", f"setTimeout(done, {ms})", late=True)
        for ms in (0, 30, 80, 150, 300, 600)
    ),
    *(
        Situation(
            f"fetch of {ms} ms, then the DOM",
            "fetch('{path}').then((r) => r.json()).then(done)",
            path=_slow(ms),
            late=True,
        )
        for ms in (30, 150, 300, 600)
    ),
    *(
        Situation(
            f"timer of {ms} ms, then a navigation",
            f"setTimeout(() => {{ location.href = '{{path}}' }}, {ms})",
            path=_after(),
            late=True,
        )
        for ms in (0, 80, 150, 300)
    ),
    Situation(
        "navigation whose server takes 300 ms", "location.href = '{path}'", path=_after(300), late=True
    ),
    Situation(
        "moving for 1.5 s",
        style="#go { position: relative } @keyframes move { from { left: 0 } to { left: 600px } }",
        start="go.style.animation = 'move 1.5s linear', null",
    ),
    Situation(
        "enabled after 200 ms",
        more=" disabled",
        start="setTimeout(() => { go.disabled = false }, 200), null",
    ),
    Situation("outside the viewport", style="#go { position: absolute; top: 3000px }"),
    Situation("covered: must not be clicked", kind="refused", body=f"<div style='{_COVER}'></div>"),
    Situation("alert()", "alert('stop')", kind="dialog"),
    Situation("a new tab", "open('{path}')", kind="tab", path=_after()),
    Situation(
        "page ticks every 50 ms",
        body="<p id=tick></p>",
        script="setInterval(() => { tick.textContent = Date.now() }, 50);",
    ),
    Situation(
        "page polls every 100 ms",
        path=_slow(20),
        script="setInterval(() => fetch('{path}').then((r) => r.json()), 100);",
    ),
)
