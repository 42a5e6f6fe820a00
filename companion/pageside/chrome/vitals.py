"""What the document in a tab cost to load and to use, measured by the page's own observers; no trace needed."""

from __future__ import annotations

from typing import Any

from pageside.chrome.documents import call, is_gone
from pageside.chrome.session import CommandFailed
from pageside.chrome.sources import Sources
from pageside.chrome.tab import Tab
from pageside.core.redaction import redact

Vitals = dict[str, Any]
"""As `vitals.ts` makes it: times in ms since the navigation began, rounded to 2 decimals, sizes in bytes.

Each script has `source`, its authored place, besides its URL; elements are `{"uid", "name", "selector"}`.
"""


async def read(tab: Tab, sources: Sources) -> Vitals:
    """The vitals of what the tab shows, without secrets."""
    try:
        told = await call(await tab.top(), "vitals")
    except CommandFailed as error:
        if not is_gone(error):
            raise
        # The document was replaced just now; its successor is asked.
        told = await call(await tab.top(), "vitals")
    vitals: Vitals = redact(rounded(told))
    scripts = list(_scripts(vitals))
    places = await sources.positions(
        (each["url"], each["position"]) for each in scripts if each["url"] != vitals["url"]
    )
    for script in scripts:
        script["source"] = places.get((script["url"], script["position"]), _inline(script))
    return vitals


def _scripts(vitals: Vitals) -> list[dict[str, Any]]:
    frames = [*vitals["longTasks"]["worst"], vitals["inp"] or {}]
    shifts = [suspect for shift in vitals["cls"]["worst"] for suspect in shift["suspects"]]
    return [
        *(script for frame in frames for script in frame.get("scripts", ())),
        *(suspect["script"] for suspect in shifts if "script" in suspect),
    ]


def _inline(script: dict[str, Any]) -> str:
    return f"{script['url']} (an inline script)" if script["url"] else ""


def rounded(value: Any) -> Any:
    """The same JSON value with fractions of two decimals at most; four for scores of layout shifts."""
    if isinstance(value, float):
        return round(value, 2 if abs(value) >= 1 else 4)
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value
