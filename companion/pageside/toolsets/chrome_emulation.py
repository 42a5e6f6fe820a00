"""Chrome tools that change what a tab pretends to be."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pageside.chrome.emulated import Emulated, Geolocation, Viewport, check_locale, check_time_zone
from pageside.errors import InvalidArguments
from pageside.operations.choose_tab import choose_tab
from pageside.toolsets.base import Answer, Args, Context

_VIEWPORT = re.compile(r"(\d+)x(\d+)(?:x(\d+(?:\.\d+)?))?((?:,\s*(?:mobile|touch|landscape))*)")
_GEOLOCATION = re.compile(r"(-?\d+(?:\.\d+)?)\s*[x,]\s*(-?\d+(?:\.\d+)?)")


async def resize_page(context: Context, args: Args) -> Answer:
    tab = await choose_tab(context.world, context.watcher)
    width, height = await tab.emulation.resize(args["width"], args["height"])
    return Answer(said=f"The viewport has {width}x{height} CSS px.")


async def emulate(context: Context, args: Args) -> Answer:
    changes = {field: convert(args[name]) for name, (field, convert) in _FIELDS.items() if name in args}
    tab = await choose_tab(context.world, context.watcher)
    if changes.get("time_zone"):
        await check_time_zone(changes["time_zone"])
    if changes.get("locale"):
        await check_locale(tab, changes["locale"])
    now = await tab.emulation.change(**changes) if changes else tab.emulation.now
    return Answer(said=_said(now))


def _viewport(given: Any) -> Viewport | None:
    if given in (None, "auto", ""):
        return None
    if isinstance(given, dict):
        return Viewport(
            given["width"],
            given["height"],
            given.get("deviceScaleFactor", 1.0),
            given.get("isMobile", False),
            given.get("hasTouch", False),
            given.get("isLandscape", False),
        )
    match = _VIEWPORT.fullmatch(given.strip())
    if match is None:
        raise _wrong("viewport", given, "'<width>x<height>x<dpr>[,mobile][,touch][,landscape]'")
    width, height, ratio, flags = match.groups()
    return Viewport(
        int(width), int(height), float(ratio or 1), "mobile" in flags, "touch" in flags, "landscape" in flags
    )


def _geolocation(given: Any) -> Geolocation | None:
    if given in (None, "auto", ""):
        return None
    if isinstance(given, dict):
        return Geolocation(given["latitude"], given["longitude"], given.get("accuracy", 1.0))
    match = _GEOLOCATION.fullmatch(given.strip())
    if match is None:
        raise _wrong("geolocation", given, "'<latitude>x<longitude>'")
    return Geolocation(float(match.group(1)), float(match.group(2)))


def _wrong(name: str, given: str, allowed: str) -> InvalidArguments:
    return InvalidArguments(
        f"'{name}': {given!r} is not {allowed}.", data={"argument": name, "allowed": allowed}
    )


def _text(given: Any) -> str:
    return "" if given in (None, "auto") else str(given)


_FIELDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "networkConditions": ("network", str),
    "cpuThrottlingRate": ("cpu_rate", float),
    "geolocation": ("geolocation", _geolocation),
    "colorScheme": ("color_scheme", str),
    "reducedMotion": ("reduced_motion", lambda given: given == "reduce"),
    "userAgent": ("user_agent", _text),
    "viewport": ("viewport", _viewport),
    "timezone": ("time_zone", _text),
    "locale": ("locale", _text),
}


def _said(now: Emulated) -> str:
    default = Emulated()
    changed = [
        f"{name}: {_shown(getattr(now, field))}"
        for name, (field, _) in _FIELDS.items()
        if getattr(now, field) != getattr(default, field)
    ]
    return f"The tab pretends {'; '.join(changed)}." if changed else "The tab pretends nothing."


def _shown(value: Any) -> str:
    if isinstance(value, Viewport):
        return f"{value.width}x{value.height}x{value.device_scale_factor:g}"
    if isinstance(value, Geolocation):
        return f"{value.latitude:g}x{value.longitude:g}"
    return f"{value:g}" if isinstance(value, float) else str(value)


HANDLERS = {"resize_page": resize_page, "emulate": emulate}
