"""The commands of `AnyTab` in a tab that the browser extension connected.

What a tab answers comes from outside: it is checked against what the contract promises to agents.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from pageside.chrome.capture import MAX_BYTES
from pageside.chrome.navigation import check_url
from pageside.contract import TABS, TOOLS
from pageside.core.pictures import MAX_EDGE_PX, picture_bytes
from pageside.errors import PagesideError, ReportedByPage, ResultTooLarge
from pageside.hubs.tabs import Tabs
from pageside.operations.read_news import fit
from pageside.operations.shots import MAX_SIDE_PX

COMMAND_SECONDS: float = TABS["commandMs"] / 1000
TRIES = 3
"""Of a picture that is too large for an answer, each smaller than the one before."""
MIN_SIDE_PX = 16
MAX_DEPTH = 100
"""Of a result: deeper ones are nobody's honest data."""
MAX_MESSAGE = 4000
_CODES = frozenset(
    {
        *("ELEMENT_NOT_FOUND", "ELEMENT_NOT_READY", "INVALID_SELECTOR", "INVALID_ARGUMENTS"),
        *("EXECUTION_ERROR", "SCRIPT_NOT_ALLOWED", "RESULT_TOO_LARGE", "COMMAND_TIMEOUT"),
        *("NAVIGATION_FAILED", "DIALOG_OPEN", "TAB_DISCONNECTED", "TAB_CRASHED", "TOO_MANY", "CANCELLED"),
    }
)
"""What a tab may say of itself; all else it says is an error of the command."""
_ALLOW = (
    "Ask the user to allow scripts in this tab: by the switch in the panel or the popup of the extension."
)


@dataclass(frozen=True, slots=True)
class TabOfExtension:
    """An `AnyTab`; the extension does its commands one after the other."""

    tabs: Tabs
    id: str

    async def navigate(self, url: str, *, seconds: float) -> dict[str, Any]:
        check_url(url)
        params = {"url": url, "timeout": round(seconds * 1000)}
        return await self._run("navigate", params, seconds=seconds)

    async def go(self, by: int) -> dict[str, Any]:
        return await self._run("go_back" if by < 0 else "go_forward", {})

    async def screenshot(
        self, name: str, selector: str | None, width: int | None, height: int | None
    ) -> dict[str, Any]:
        asked: dict[str, Any] = {"name": name, "selector": selector, "width": width, "height": height}
        left = TRIES
        while True:
            shown = await self._run("screenshot", asked)
            left -= 1
            share = _share(shown)
            if share == 1:
                # Whatever it says that it is.
                picture_bytes(shown["mime"], shown["data"])
                return {**shown, "name": name}
            if not left:
                raise ResultTooLarge(
                    f"The tab's picture has {_size(shown)} bytes and {shown['width']}x{shown['height']} px; "
                    f"{MAX_BYTES} and {MAX_SIDE_PX} are the limits.",
                    fix="Ask for a smaller one with 'width' and 'height', or for one element with 'selector'.",
                )
            asked |= {each: max(MIN_SIDE_PX, int(shown[each] * share)) for each in ("width", "height")}

    async def click(self, selector: str) -> dict[str, Any]:
        return await self._run("click", {"selector": selector})

    async def hover(self, selector: str) -> dict[str, Any]:
        return await self._run("hover", {"selector": selector})

    async def fill(self, selector: str, value: str) -> dict[str, Any]:
        return await self._run("fill", {"selector": selector, "value": value})

    async def select(self, selector: str, value: str) -> dict[str, Any]:
        return await self._run("select", {"selector": selector, "value": value})

    async def evaluate(self, code: str) -> dict[str, Any]:
        return await self._run("evaluate", {"code": code})

    async def logs(self, most: int) -> dict[str, Any]:
        try:
            told = await self._run("logs", {"max": most})
        except ResultTooLarge as error:
            error.fix = "Ask for fewer with 'max'."
            raise
        entries = [*reversed(told["logs"][:most])]
        newest, left = fit(entries, lambda entry: len(entry["message"]), newest=True)
        gone = left + told.get("dropped", 0)
        return {"logs": [*reversed(newest)], **({"dropped": gone} if gone else {})}

    async def _run(
        self, name: str, params: Mapping[str, Any], *, seconds: float = COMMAND_SECONDS
    ) -> dict[str, Any]:
        command = f"kapturemcp_{name}"
        given = {key: value for key, value in params.items() if value is not None}
        try:
            result = await self.tabs.command(self.id, command, given, seconds=seconds)
        except ReportedByPage as error:
            raise _reported(error) from None
        return checked(command, result)


def _reported(error: ReportedByPage) -> ReportedByPage:
    code = error.error_code if error.error_code in _CODES else "EXECUTION_ERROR"
    data = error.data if len(repr(error.data)) <= MAX_MESSAGE else {}
    told = ReportedByPage(code, error.message[:MAX_MESSAGE], data)
    if code == "SCRIPT_NOT_ALLOWED":
        told.fix = _ALLOW
    return told


def _size(shown: Mapping[str, Any]) -> int:
    """In bytes, before base64."""
    return len(shown["data"]) * 3 // 4


def _share(shown: Mapping[str, Any]) -> float:
    """How many px for one of its own a picture may have to fit into an answer; 1 if it fits."""
    size = _size(shown)
    side: int = max(shown["width"], shown["height"])
    lighter = 0.9 * math.sqrt(MAX_BYTES / size) if size > MAX_BYTES else 1.0
    return min(lighter, MAX_SIDE_PX / side, 1.0)


# Results


@cache
def _validator(command: str) -> Draft202012Validator:
    schema = TOOLS[command]["outputSchema"]
    if command == "kapturemcp_screenshot":
        # Agents get it as an image.
        side = {"type": "integer", "minimum": 1, "maximum": MAX_EDGE_PX}
        drawn = {"data": {"type": "string"}, "width": side, "height": side}
        schema = {**schema, "properties": {**schema["properties"], **drawn}}
        schema["required"] = [*schema["required"], "data"]
    return Draft202012Validator(schema)


def checked(command: str, result: Mapping[str, Any]) -> dict[str, Any]:
    """What the contract knows of the result; raises EXECUTION_ERROR where that is not as promised."""
    validator = _validator(command)
    schema: dict[str, Any] = validator.schema  # type: ignore[assignment]
    known = {key: each for key, each in result.items() if key in schema["properties"] and key != "untrusted"}
    if command == "kapturemcp_evaluate":
        # In JSON, a field that is undefined is left out.
        known.setdefault("result", None)
    if isinstance(known.get("logs"), list):
        # More than that was not asked for.
        known["logs"] = known["logs"][: TABS["limits"]["consoleEntries"]]
    if _depth(known) > MAX_DEPTH:
        raise _malformed(command, f"it is nested more than {MAX_DEPTH} deep")
    try:
        # NaN and Infinity are no JSON, though Python reads them.
        json.dumps(known, allow_nan=False)
    except ValueError:
        raise _malformed(command, "it holds a number that is none") from None
    # The first is enough: there may be as many as the result has values.
    error = next(validator.iter_errors(known), None)
    if error is not None:
        # The contract's words, as the tab's own are not to be read as Pageside's.
        where = ".".join(map(str, error.absolute_path)) or "its whole"
        promised = json.dumps(error.validator_value)[:200]
        raise _malformed(command, f"{where} does not keep to {error.validator}: {promised}")
    return known


def _depth(value: object) -> int:
    """How many objects and lists are within each other; not counted beyond `MAX_DEPTH`."""
    level: list[Any] = [value]
    deep = 0
    while level and deep <= MAX_DEPTH:
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        deep += 1
    return deep


def _malformed(command: str, why: str) -> PagesideError:
    return PagesideError(
        f"The tab's answer to {command} is not what was promised: {why}.",
        code="EXECUTION_ERROR",
        fix="Its client does not keep to the protocol: use the extension of this version, or another tab.",
    )
