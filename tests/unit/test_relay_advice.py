"""What an agent of the toolset `relay` is told to do: with the tools that it has."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pageside.contract import FIXES
from pageside.errors import ChromeError, CommandTimeout, PagesideError
from pageside.toolsets.advice import advised
from pageside.toolsets.base import Answer, Args, Context
from pageside.toolsets.relay import RELAY
from pageside.toolsets.relay_tab import advise

TOOL = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
ENDS_A_SCRIPT = "navigate_page with type 'reload' ends a script; in a debugger the user has to go on."


@pytest.mark.parametrize(
    "error",
    [
        CommandTimeout("The page has not answered.", fix=ENDS_A_SCRIPT),
        *(
            ChromeError("x", code=code)
            for code in FIXES
            if code.startswith(("TAB_", "ELEMENT_NOT_FOUND", "MULTIPLE_"))
        ),
    ],
    ids=lambda error: error.error_code,
)
async def test_an_error_names_tools_of_this_toolset_only(error: PagesideError) -> None:
    async def fails(_context: Context, _args: Args) -> Answer:
        raise error

    nobody: Any = None
    with pytest.raises(PagesideError) as raised:
        await advised(fails, advise)(nobody, {})
    own = {tool.name for tool in RELAY.tools} | {"available_tabs"}
    assert set(TOOL.findall(raised.value.fix)) <= own, raised.value.fix
