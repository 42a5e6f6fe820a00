"""What a tab can pretend, and the commands that make Chrome do so."""

from __future__ import annotations

import asyncio
import difflib
import json
import re
import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pageside.errors import InvalidArguments

if TYPE_CHECKING:
    from pageside.chrome.tab import Tab

NO_NETWORK_EMULATION = "No emulation"
MAX_CPU_RATE = 20.0
_MAX_SIDE_PX = 10_000
_TOUCH_POINTS = 5
_LOCALE = re.compile(
    r"(?i)[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*"
    r"(?:-[a-z](?:-[a-z\d]{1,8})+)*"
)


@dataclass(frozen=True, slots=True)
class NetworkConditions:
    """Latency in ms that each request takes longer, throughputs in bytes a second; -1: not limited."""

    latency: float = 0
    download: float = -1
    upload: float = -1
    offline: bool = False


NETWORK_PRESETS: dict[str, NetworkConditions] = {
    NO_NETWORK_EMULATION: NetworkConditions(),
    "Offline": NetworkConditions(offline=True),
    "Slow 3G": NetworkConditions(2_000, 50_000, 50_000),
    "Fast 3G": NetworkConditions(562.5, 180_000, 84_375),
    "Slow 4G": NetworkConditions(562.5, 180_000, 84_375),
    "Fast 4G": NetworkConditions(165, 1_012_500, 168_750),
}
"""DevTools' own numbers."""


@dataclass(frozen=True, slots=True)
class Geolocation:
    """Degrees, and metres of accuracy."""

    latitude: float
    longitude: float
    accuracy: float = 1.0


@dataclass(frozen=True, slots=True)
class Viewport:
    """CSS px; `device_scale_factor` 0: that of the machine."""

    width: int
    height: int
    device_scale_factor: float = 1.0
    is_mobile: bool = False
    has_touch: bool = False
    is_landscape: bool = False


@dataclass(frozen=True, slots=True)
class Emulated:
    """Everything that a tab pretends; the defaults pretend nothing."""

    cpu_rate: float = 1.0
    """How many times slower."""
    network: str = NO_NETWORK_EMULATION
    geolocation: Geolocation | None = None
    color_scheme: str = "auto"
    """dark, light or auto."""
    reduced_motion: bool = False
    user_agent: str = ""
    viewport: Viewport | None = None
    time_zone: str = ""
    locale: str = ""


Command = tuple[str, dict[str, Any]]


def _cpu(wanted: Emulated) -> list[Command]:
    return [("Emulation.setCPUThrottlingRate", {"rate": wanted.cpu_rate})]


def _network(wanted: Emulated) -> list[Command]:
    conditions = NETWORK_PRESETS[wanted.network]
    return [
        (
            "Network.emulateNetworkConditions",
            {
                "offline": conditions.offline,
                "latency": conditions.latency,
                "downloadThroughput": conditions.download,
                "uploadThroughput": conditions.upload,
            },
        )
    ]


def _geolocation(wanted: Emulated) -> list[Command]:
    place = wanted.geolocation
    setting = "prompt" if place is None else "granted"
    allow = ("Browser.setPermission", {"permission": {"name": "geolocation"}, "setting": setting})
    if place is None:
        return [("Emulation.clearGeolocationOverride", {}), allow]
    where = {"latitude": place.latitude, "longitude": place.longitude, "accuracy": place.accuracy}
    return [allow, ("Emulation.setGeolocationOverride", where)]


def _media(wanted: Emulated) -> list[Command]:
    scheme = "" if wanted.color_scheme == "auto" else wanted.color_scheme
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce" if wanted.reduced_motion else ""},
    ]
    return [("Emulation.setEmulatedMedia", {"features": features})]


def _user_agent(wanted: Emulated) -> list[Command]:
    told = {"userAgent": wanted.user_agent, "acceptLanguage": _languages(wanted.locale)}
    return [("Emulation.setUserAgentOverride", told)]


def _languages(locale: str) -> str:
    """What a browser of that locale asks servers for: `de-DE,de`; Chrome adds the weights."""
    language = locale.partition("-")[0]
    return ",".join(dict.fromkeys(filter(None, (locale, language))))


def _viewport(wanted: Emulated) -> list[Command]:
    view = wanted.viewport
    touch: dict[str, Any] = {"enabled": bool(view and view.has_touch)}
    if view is None:
        return [
            ("Emulation.clearDeviceMetricsOverride", {}),
            ("Emulation.setTouchEmulationEnabled", touch),
        ]
    orientation = (
        {"type": "landscapePrimary", "angle": 90}
        if view.is_landscape
        else {
            "type": "portraitPrimary",
            "angle": 0,
        }
    )
    metrics = {
        "width": view.width,
        "height": view.height,
        "deviceScaleFactor": view.device_scale_factor,
        "mobile": view.is_mobile,
        "screenOrientation": orientation,
    }
    if view.has_touch:
        touch["maxTouchPoints"] = _TOUCH_POINTS
    return [
        ("Emulation.setDeviceMetricsOverride", metrics),
        ("Emulation.setTouchEmulationEnabled", touch),
    ]


def _time_zone(wanted: Emulated) -> list[Command]:
    # While it has one, Chrome says nothing against a name that it does not know, and keeps the one it has.
    names = ("", wanted.time_zone) if wanted.time_zone else ("",)
    return [("Emulation.setTimezoneOverride", {"timezoneId": name}) for name in names]


def _locale(wanted: Emulated) -> list[Command]:
    return [("Emulation.setLocaleOverride", {"locale": wanted.locale}), *_user_agent(wanted)]


COMMANDS: dict[str, Callable[[Emulated], list[Command]]] = {
    "cpu_rate": _cpu,
    "network": _network,
    "geolocation": _geolocation,
    "color_scheme": _media,
    "reduced_motion": _media,
    "user_agent": _user_agent,
    "viewport": _viewport,
    "time_zone": _time_zone,
    "locale": _locale,
}
"""How each field of `Emulated` is told."""


def check(wanted: Emulated) -> None:
    """Raise `InvalidArguments` for what cannot be."""
    if not 1 <= wanted.cpu_rate <= MAX_CPU_RATE:
        raise _wrong(
            "cpuThrottlingRate", f"is {wanted.cpu_rate:g}", f"1 to {MAX_CPU_RATE:g}; 1 is not throttled"
        )
    if wanted.network not in NETWORK_PRESETS:
        raise _wrong("networkConditions", f"is {wanted.network!r}", f"one of {', '.join(NETWORK_PRESETS)}")
    if wanted.color_scheme not in ("dark", "light", "auto"):
        raise _wrong("colorScheme", f"is {wanted.color_scheme!r}", "dark, light or auto")
    place = wanted.geolocation
    if place is not None and not (-90 <= place.latitude <= 90 and -180 <= place.longitude <= 180):
        raise _wrong(
            "geolocation", "is not on Earth", "a latitude of -90 to 90 and a longitude of -180 to 180"
        )
    view = wanted.viewport
    if view is not None and not (0 < view.width <= _MAX_SIDE_PX and 0 < view.height <= _MAX_SIDE_PX):
        raise _wrong("viewport", f"is {view.width} x {view.height}", f"1 to {_MAX_SIDE_PX} CSS px a side")
    if wanted.locale and _LOCALE.fullmatch(wanted.locale) is None:
        raise _wrong("locale", f"is {wanted.locale[:40]!r}", _LOCALES)


_LOCALES = "a language tag (BCP 47) that Chrome knows, such as de-DE, en or zh-Hans-CN"
_ZONES = "a name of the IANA time zone database, such as Europe/Berlin or UTC"


async def check_time_zone(name: str) -> None:
    """Raise `InvalidArguments`, with similar names, for one that the system's database does not have."""
    known = await asyncio.to_thread(zoneinfo.available_timezones)
    if not known or name in known:
        # Where there is no database, Chrome alone decides.
        return
    near = difflib.get_close_matches(name, known, 3) or [each for each in sorted(known) if name in each][:3]
    similar = f"; there is {', '.join(near)}" if near else ""
    raise _wrong("timezone", f"is {name!r}", f"{_ZONES}{similar}")


async def check_locale(tab: Tab, name: str) -> None:
    """Raise `InvalidArguments` for a tag that is none, or that Chrome has no data for and would ignore."""
    check(Emulated(locale=name))
    if not await tab.evaluate(f"Intl.DateTimeFormat.supportedLocalesOf([{json.dumps(name)}]).length"):
        raise _wrong("locale", f"is {name!r}", _LOCALES)


def _wrong(argument: str, why: str, allowed: str) -> InvalidArguments:
    return InvalidArguments(f"'{argument}' {why}; allowed: {allowed}.", data={"argument": argument})
