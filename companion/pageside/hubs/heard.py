"""Which agent has heard what of the threads of inspections, so that it is told the user's replies once."""

from __future__ import annotations

from collections.abc import Sequence

from pageside.core import replies as threads
from pageside.core.replies import Reply


class Heard:
    """Of each agent and inspection, the last reply that it was shown."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], str] = {}

    def news(self, agent: str, inspection: str, thread: Sequence[Reply]) -> list[Reply]:
        """What the user said since; all of it for an agent that never looked."""
        return threads.since(thread, self._last.get((agent, inspection)))

    def tell(self, agent: str, inspection: str, thread: Sequence[Reply]) -> list[Reply]:
        """The news, which are none from now on."""
        news = self.news(agent, inspection, thread)
        if thread:
            self._last[agent, inspection] = thread[-1]["id"]
        return news

    def forget_inspection(self, inspection: str) -> None:
        self._last = {key: last for key, last in self._last.items() if key[1] != inspection}

    def forget_agent(self, agent: str) -> None:
        self._last = {key: last for key, last in self._last.items() if key[0] != agent}
