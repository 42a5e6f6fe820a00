"""What a page makes Chrome download: told once, as no page shows it."""

from __future__ import annotations

from pageside.chrome.session import Params
from pageside.chrome.tab import Tab

_MAX_NAMES = 20
_MAX_NAME = 100


class Downloads:
    """Those that began in one tab and nobody was told of yet."""

    def __init__(self, tab: Tab) -> None:
        self._names: list[str] = []
        tab.session.on("Page.downloadWillBegin", self._began)

    def _began(self, params: Params) -> None:
        if len(self._names) < _MAX_NAMES:
            self._names.append(str(params.get("suggestedFilename", ""))[:_MAX_NAME])

    def take(self) -> list[str]:
        """Their file names; the next call has only what began since."""
        names, self._names = self._names, []
        return names


def downloads_of(tab: Tab) -> Downloads:
    """Of that tab, since it was attached."""
    return tab.part(Downloads)
