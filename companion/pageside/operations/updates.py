"""Wait until an edit has had its effect on the page, and say which."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pageside.core.inspections import Item
from pageside.core.modules import same_file
from pageside.core.timeline import Entry, Wanted
from pageside.core.verdict import Verdict
from pageside.errors import InspectionNotFound
from pageside.hubs.sessions import Watcher
from pageside.operations.inspections import current
from pageside.operations.update_watch import UpdateWatch, cut_of, page_to_watch, tell, watching
from pageside.operations.waiting import wait_with_progress
from pageside.operations.world import Report, World

WAITING = "Waiting for the dev server and the page"
MAX_MODULES = 50
MAX_ERRORS = 20
"""Console errors in an answer, the newest."""
ERROR_CHARS = 500
_OF_ERROR = ("uncaught", "file", "line", "column")


async def wait_for_update(
    world: World,
    watcher: Watcher,
    *,
    since: float | None,
    inspection: str | None,
    page: str | None,
    seconds: float,
    report: Report,
) -> dict[str, Any]:
    """The verdict on what was edited since the agent was told last, as JSON; waits for it up to `seconds`.

    Raises `InvalidArguments` for a cursor that there was not, `InspectionNotFound`, and what choosing a page raises.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()
    item = _item(world, watcher, inspection)
    chosen = await page_to_watch(world, watcher, page)
    named = chosen if page is not None else None
    cut = cut_of(world, watcher, since, named)
    with watching(world, watcher, chosen, cut, is_named=named is not None) as watch:
        await wait_with_progress(watch.settled, seconds, report, WAITING)
        verdict = watch.verdict()
        answer = {
            **told(verdict),
            **_console(world, watch, cut, verdict),
            **({"inspection": _of_inspection(item, verdict)} if item is not None else {}),
            **_page(world, watch),
            "cursor": tell(world, watcher, named),
        }
    return {**answer, "waitedMs": round((loop.time() - start) * 1000)}


def _item(world: World, watcher: Watcher, wanted: str | None) -> Item | None:
    """The inspection that is named, else the one that the agent works on."""
    if wanted is not None:
        return world.inspections.get(wanted)
    own = current(world, watcher)
    try:
        return world.inspections.get(own) if own is not None else None
    except InspectionNotFound:
        # The user deleted it meanwhile, and it was not asked for.
        return None


def told(verdict: Verdict) -> dict[str, Any]:
    """A verdict as JSON: status, modules, and of changed files, error and reason what there is."""
    data: dict[str, Any] = {
        "status": verdict.status,
        "modules": [module.to_json() for module in verdict.modules[:MAX_MODULES]],
    }
    if len(verdict.modules) > MAX_MODULES:
        data["moreModules"] = len(verdict.modules) - MAX_MODULES
    if verdict.changed:
        data["changed"] = list(verdict.changed[:MAX_MODULES])
    if verdict.error is not None:
        data["error"] = dict(verdict.error)
    if verdict.reason:
        data["reason"] = verdict.reason
    return data


def _console(world: World, watch: UpdateWatch, cut: Wanted, verdict: Verdict) -> dict[str, Any]:
    if watch.page is None:
        return {}
    logged = world.timeline.read(watch.page, replace(cut, level="error", kinds=("console",)))
    errors = [entry for entry in logged if not _is_said(entry.text, verdict)]
    older = {"olderConsoleErrors": len(errors) - MAX_ERRORS} if len(errors) > MAX_ERRORS else {}
    return {"consoleErrors": [_error(entry) for entry in errors[-MAX_ERRORS:]], **older}


def _is_said(line: str, verdict: Verdict) -> bool:
    """True for what Vite's client logs of a failure that is the verdict's error anyway."""
    message = str((verdict.error or {}).get("message") or "")
    return line.startswith("[vite] Failed to reload ") or (
        message != "" and line.startswith(f"[vite] {message}")
    )


def _error(entry: Entry) -> dict[str, Any]:
    text = entry.text if len(entry.text) <= ERROR_CHARS else f"{entry.text[:ERROR_CHARS]}…"
    known = {key: entry.data[key] for key in _OF_ERROR if key in entry.data}
    return {"text": text, "at": round(entry.at), **known}


def _page(world: World, watch: UpdateWatch) -> dict[str, Any]:
    page = world.pages.get(watch.page) if watch.page is not None else None
    return {"page": page.summary()} if page is not None else {}


def _of_inspection(item: Item, verdict: Verdict) -> dict[str, Any]:
    """Whether the picked element's own file is among what is new on the page."""
    file = str(item["sourceInfo"].get("file") or "")
    about = {"id": item["id"], "file": file}
    if not file:
        return {**about, "updated": False, "reason": "It is not known in which file this element is."}
    names = _module_of(verdict, file)
    updated = verdict.covers(file)
    if updated or verdict.status == "nothing":
        why = {"reason": "The whole page is new."} if verdict.status == "reloaded" else {}
        return {**about, **names, "updated": updated, **why}
    is_broken = same_file(str((verdict.error or {}).get("file") or ""), file)
    reason = "The error is in its own file." if is_broken else f"{file} is not among what was updated."
    return {**about, "updated": False, "reason": reason}


def _module_of(verdict: Verdict, file: str) -> dict[str, str]:
    """The URL of the module that brought the file to the page."""
    modules: Sequence[Any] = verdict.modules
    own = [m.path for m in modules if any(same_file(name, file) for name in m.names)]
    accepting = [m.path for m in modules] if any(same_file(each, file) for each in verdict.changed) else []
    found = own or accepting
    return {"module": found[0]} if found else {}
