"""Names of elements: those that browsers know, those that nobody sees, those that hold text alone."""

from __future__ import annotations

_HTML = frozenset(
    """
    a abbr address area article aside audio b bdi bdo blockquote body br button canvas caption center cite code col
    colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr html i iframe img input ins kbd label legend li main map mark marquee menu
    meter nav object ol optgroup option output p picture pre progress q rp rt ruby s samp search section select slot
    small source span strike strong sub summary sup table tbody td textarea tfoot th thead time tr track tt u ul var
    video wbr
    """.split()
)
_FOREIGN = frozenset(
    """
    animate animatemotion animatetransform circle clippath defs ellipse feblend filter foreignobject g image line
    lineargradient marker mask math mi mn mo mpath mrow msqrt msub msup mtext path pattern polygon polyline
    radialgradient rect stop svg switch symbol text textpath tspan use view mfrac mover munder mtable mtr mtd
    """.split()
)
TEXT_ONLY = frozenset("script style textarea title xmp iframe noembed noframes noscript".split())
"""Elements whose content is no markup for a browser that runs scripts."""


def is_visible(name: str) -> bool:
    """Whether it is an element that one can point at: one that browsers know, or a custom one."""
    lower = name.lower()
    return lower in _HTML or lower in _FOREIGN or ("-" in lower and lower[:1].isalpha())
