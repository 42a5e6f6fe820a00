"""Every toolset there is, in the order in which agents are shown their tools."""

from __future__ import annotations

from pageside.toolsets.browser import BROWSER
from pageside.toolsets.chrome import CHROME
from pageside.toolsets.element import ELEMENT
from pageside.toolsets.inspector import INSPECTOR
from pageside.toolsets.kapture import KAPTURE
from pageside.toolsets.relay import RELAY

TOOLSETS = (INSPECTOR, ELEMENT, CHROME, RELAY, BROWSER, KAPTURE)
