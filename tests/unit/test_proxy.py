"""A call of `chrome_devtools` that cannot be understood is told how it was probably meant, and does nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pageside.contract import TOOLS
from pageside.errors import InvalidArguments
from pageside.toolsets.arguments import checked
from pageside.toolsets.base import Answer, Args, Context, Tool
from pageside.toolsets.chrome_proxy import _TOOLS, chrome_devtools

PROXY = Tool("chrome_devtools", TOOLS["chrome_devtools"], chrome_devtools)


async def refused(args: dict[str, Any]) -> InvalidArguments:
    with pytest.raises(InvalidArguments) as caught:
        # No context: what is refused must not get as far as to need one.
        await chrome_devtools(None, checked(PROXY, args))  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize(
    ("args", "why", "fix"),
    [
        (
            {"tool": "click", "selector": "#save"},
            "unknown argument 'selector'; parameters of a tool stand in 'args'",
            '{"tool": "click", "args": {"selector": "#save"}}',
        ),
        (
            {"chrome_click": {"selector": "#save"}},
            "unknown argument 'chrome_click'",
            '{"tool": "click", "args": {"selector": "#save"}}',
        ),
        ({"selector": "#save"}, "unknown argument 'selector'", '{"tool": "click", "args"'),
        ({"tool": "click", "useTool": "hover"}, "useTool is 'hover' and tool is 'click'", "once"),
        ({"tool": "click", "hover": {"uid": "1"}}, "'hover' is another tool", '{"tool": "click"'),
        ({"tool": "click", "args": "uid 7"}, "'args' must be an object", '{"tool": "click"'),
        ({"tool": "click", "args": "[7]"}, "'args' must be an object", '{"tool": "click"'),
        ({"tool": "click", "click": 7}, "'click' must be an object", '{"tool": "click"'),
        (
            {"tool": "click", "args": {"uid": "1"}, "chrome_click": {"uid": "2"}},
            "different parameters in several places",
            "once",
        ),
    ],
)
async def test_what_is_not_understood_is_shown_how_to_say(args: dict[str, Any], why: str, fix: str) -> None:
    error = await refused(args)
    assert why in error.message
    assert fix in error.fix


async def test_a_shape_that_is_shown_is_short() -> None:
    error = await refused({"tool": "fill", "value": "x" * 10_000})
    assert len(error.fix) < 500


@pytest.mark.parametrize(
    "shape",
    [
        {"tool": "click", "args": {"uid": "7"}},
        {"tool": "chrome_click", "args": json.dumps({"uid": "7"})},
        {"useTool": "click", "tool": "chrome_click", "chrome_click": {"uid": "7"}, "hover": {}},
        {"useTool": "chrome_click", "click": json.dumps({"uid": "7"}), "args": {"uid": "7"}},
    ],
)
async def test_every_clear_shape_reaches_the_tool(
    shape: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def tell(_context: Context, args: Args) -> Answer:
        return Answer(said=args["uid"])

    monkeypatch.setitem(_TOOLS, "chrome_click", replace(_TOOLS["chrome_click"], handler=tell))
    answer = await chrome_devtools(None, checked(PROXY, shape))  # type: ignore[arg-type]
    assert answer.said == "7"
