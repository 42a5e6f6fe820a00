"""What a page's vitals mean: each finding with its cause, or an honest nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pageside.chrome.vitals import Vitals

GOOD_AND_POOR = {"lcp": (2_500, 4_000), "cls": (0.1, 0.25), "inp": (200, 500), "ttfb": (800, 1_800)}
"""Chrome's own thresholds, in ms but for CLS."""
_MUCH_TEXT_BYTES = 1_400
_SLOW_RESOURCE_MS = 100
_UNOBSERVED = (
    "no interaction was seen (of those before Pageside first looked at this document, "
    "only ones of 104 ms or more count)"
)
_HIDDEN = (
    " The tab was hidden: Chrome measures no paints and interactions then; select the tab and load it again."
)


@dataclass(frozen=True, slots=True)
class Insight:
    """One finding; `cause` is '' and `is_finding` false when there is nothing to report."""

    name: str
    summary: str
    cause: str = ""
    details: Any = None
    is_finding: bool = True

    def to_json(self) -> dict[str, Any]:
        """`{"name", "summary", "cause"?, "details"?}`."""
        more = {"cause": self.cause, "details": self.details}
        return {
            "name": self.name,
            "summary": self.summary,
            **{key: each for key, each in more.items() if each},
        }


def insights(vitals: Vitals) -> list[Insight]:
    """All of them, in a fixed order."""
    return [make(vitals) for make in _INSIGHTS.values()]


def insight(vitals: Vitals, name: str) -> Insight | None:
    """The one of that name (one of `NAMES`)."""
    make = _INSIGHTS.get(name)
    return make(vitals) if make else None


def rating(metric: str, value: float) -> str:
    """good, needs improvement or poor."""
    good, poor = GOOD_AND_POOR[metric]
    return "good" if value <= good else "poor" if value > poor else "needs improvement"


def _nothing(name: str, why: str) -> Insight:
    return Insight(name, f"Nothing to report: {why}.", is_finding=False)


# Largest Contentful Paint


def _lcp(vitals: Vitals) -> Insight:
    lcp = vitals["lcp"]
    if lcp is None:
        insight = _nothing("LCPBreakdown", "no largest contentful paint was measured")
        return (
            insight
            if vitals["visible"]
            else Insight(insight.name, insight.summary + _HIDDEN, is_finding=False)
        )
    phase = max(lcp["phases"], key=lambda each: float(lcp["phases"][each]))
    share = _ms(lcp["phases"][phase])
    what = _element(lcp["element"])
    return Insight(
        "LCPBreakdown",
        f"LCP {_ms(lcp['ms'])} ({rating('lcp', lcp['ms'])}): {what}. Longest phase: {_PHASES[phase]}, {share}.",
        _lcp_cause(vitals, phase),
        lcp,
    )


_PHASES = {
    "ttfb": "waiting for the document (time to first byte)",
    "resourceLoadDelay": "until its resource was asked for (resource load delay)",
    "resourceLoadDuration": "loading its resource",
    "elementRenderDelay": "until it was drawn (element render delay)",
}


def _lcp_cause(vitals: Vitals, phase: str) -> str:
    lcp = vitals["lcp"]
    if phase == "ttfb":
        return _document_cause(vitals) or "The server's answer and the way to it took most of the time."
    if phase == "resourceLoadDelay":
        why = (
            "it is loading=lazy"
            if lcp["lazy"]
            else f"it was found late (initiator: {lcp['initiator'] or 'unknown'})"
        )
        return f"{lcp['url']} was asked for late: {why}. Preload it, or put it into the HTML."
    if phase == "resourceLoadDuration":
        return f"{lcp['url']} takes long to arrive: make it smaller, or serve it from nearer."
    blockers = [each["url"] for each in vitals["renderBlocking"] if each["at"] + each["ms"] <= lcp["ms"] + 1]
    busy = [each for each in vitals["longTasks"]["worst"] if each["at"] < lcp["ms"] and each["scripts"]]
    causes = [f"Drawing waited for {', '.join(blockers)}."] if blockers else []
    if busy:
        causes.append(f"Scripts kept the main thread busy before it: {_scripts(busy[0])}.")
    return " ".join(causes) or "It was drawn as soon as Chrome drew at all."


# Cumulative Layout Shift


def _cls(vitals: Vitals) -> Insight:
    cls = vitals["cls"]
    if not cls["count"]:
        return _nothing("CLSCulprits", "nothing moved unexpectedly")
    worst = cls["worst"][0]
    moved = ", ".join(_element(each["element"]) for each in worst["moved"]) or "elements that are gone"
    return Insight(
        "CLSCulprits",
        f"CLS {cls['value']:g} ({rating('cls', cls['value'])}) by {cls['count']} shift{_s(cls['count'])}. "
        f"Worst: {worst['value']:g} at {_ms(worst['at'])}, moved {moved}.",
        "; ".join(_suspect(each) for each in worst["suspects"]) or "No cause was found in the page.",
        cls,
    )


def _suspect(suspect: dict[str, Any]) -> str:
    element = _element(suspect["element"]) if "element" in suspect else ""
    if suspect["kind"] == "script":
        return f"script {_script(suspect['script'])} ran just before"
    if suspect["kind"] == "font":
        return f"the font {suspect['what']} arrived just before"
    return f"{element} {suspect['what']}"


# Interaction to Next Paint


def _inp(vitals: Vitals) -> Insight:
    inp = vitals["inp"]
    if inp is None:
        return _nothing("INPBreakdown", _UNOBSERVED)
    phase = max(inp["phases"], key=lambda each: float(inp["phases"][each]))
    scripts = ", ".join(_script(each) for each in inp["scripts"])
    return Insight(
        "INPBreakdown",
        f"INP {_ms(inp['ms'])} ({rating('inp', inp['ms'])}) of {inp['count']} interaction{_s(inp['count'])}: "
        f"{inp['event']} on {_element(inp['target'])}. "
        f"Longest phase: {_INP_PHASES[phase]}, {_ms(inp['phases'][phase])}.",
        f"Ran meanwhile: {scripts}." if scripts else "No script ran long enough to be named.",
        inp,
    )


_INP_PHASES = {
    "inputDelay": "waiting for the main thread (input delay)",
    "processing": "its handlers (processing)",
    "presentationDelay": "drawing the result (presentation delay)",
}


# Resources and scripts


def _render_blocking(vitals: Vitals) -> Insight:
    blockers = vitals["renderBlocking"]
    if not blockers:
        return _nothing("RenderBlocking", "no resource kept the page from being drawn")
    end = max(each["at"] + each["ms"] for each in blockers)
    named = ", ".join(
        f"{each['url']} ({_ms(each['ms'])}, {_element(each['element'])})" for each in blockers[:5]
    )
    return Insight(
        "RenderBlocking",
        f"Nothing was drawn before {len(blockers)} resource{_s(len(blockers))} arrived, the last at {_ms(end)}.",
        f"{named}. Load scripts with defer or type=module, and put only the CSS that the first view needs in the way.",
        blockers,
    )


def _long_tasks(vitals: Vitals) -> Insight:
    tasks = vitals["longTasks"]
    if not tasks["count"]:
        return _nothing("LongTasks", "no task of the main thread took longer than 50 ms")
    cause = "; ".join(f"{_ms(each['ms'])} at {_ms(each['at'])}: {_scripts(each)}" for each in tasks["worst"])
    return Insight(
        "LongTasks",
        f"{tasks['count']} long task{_s(tasks['count'])}, "
        f"{_ms(tasks['ms'])} in all, {_ms(tasks['blockingMs'])} blocking.",
        cause or "Chrome names no scripts for them.",
        tasks,
    )


def _latency(vitals: Vitals) -> Insight:
    document = vitals["document"]
    if document is None:
        return _nothing("DocumentLatency", "the document was not loaded from a server")
    cause = _document_cause(vitals)
    summary = (
        f"The document's first byte came after {_ms(document['ttfb'])} ({rating('ttfb', document['ttfb'])})"
    )
    if not cause:
        return Insight(
            "DocumentLatency", f"Nothing to report: {summary}.", details=document, is_finding=False
        )
    return Insight("DocumentLatency", f"{summary}.", cause, document)


def _document_cause(vitals: Vitals) -> str:
    document = vitals["document"]
    if document is None:
        return ""
    causes = []
    if document["redirects"]:
        causes.append(
            f"{document['redirects']} redirect{_s(document['redirects'])} took {_ms(document['redirectMs'])}"
        )
    if document["waitMs"] > GOOD_AND_POOR["ttfb"][0]:
        causes.append(f"the server took {_ms(document['waitMs'])} to answer")
    if not document["encoding"] and document["bytes"] == document["decodedBytes"] > _MUCH_TEXT_BYTES:
        causes.append(f"the HTML is not compressed ({document['bytes']} bytes)")
    text = "; ".join(causes)
    return text and f"{text[0].upper()}{text[1:]}."


def _slowest(vitals: Vitals) -> Insight:
    slow = [each for each in vitals["slowest"] if each["ms"] >= _SLOW_RESOURCE_MS]
    if not slow:
        return _nothing("SlowestResources", f"no resource took {_SLOW_RESOURCE_MS} ms or more")
    first = slow[0]
    longest = max(first["waitMs"], first["downloadMs"])
    part = "waiting for the server" if first["waitMs"] >= first["downloadMs"] else "downloading"
    return Insight(
        "SlowestResources",
        f"{len(slow)} resource{_s(len(slow))} took {_SLOW_RESOURCE_MS} ms or more; "
        f"slowest: {first['url']}, {_ms(first['ms'])}.",
        f"Most of it was {part} ({_ms(longest)}), {first['bytes']} bytes over the network.",
        slow,
    )


# Words


def _ms(value: float) -> str:
    return f"{value:,.0f} ms" if value >= 10 else f"{value:.2g} ms"


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _element(named: dict[str, Any] | None) -> str:
    return (
        f"{named['name']} (uid {named['uid']}, {named['selector']})" if named else "an element that is gone"
    )


def _script(script: dict[str, Any]) -> str:
    name = script["function"] or script["invoker"] or "a script"
    source = script.get("source") or script["url"]
    layout = f", of it {_ms(script['layoutMs'])} forced layout" if script["layoutMs"] >= 1 else ""
    return f"{name}{f' at {source}' if source else ''} ({_ms(script['ms'])}{layout})"


def _scripts(frame: dict[str, Any]) -> str:
    return ", ".join(_script(each) for each in frame["scripts"]) or "no script, but style, layout or drawing"


_INSIGHTS: dict[str, Callable[[Vitals], Insight]] = {
    "LCPBreakdown": _lcp,
    "CLSCulprits": _cls,
    "INPBreakdown": _inp,
    "RenderBlocking": _render_blocking,
    "LongTasks": _long_tasks,
    "DocumentLatency": _latency,
    "SlowestResources": _slowest,
}
NAMES = tuple(_INSIGHTS)
