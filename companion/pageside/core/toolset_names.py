"""The names of the toolsets, in the order in which agents are shown their tools, and which of them are meant."""

from __future__ import annotations

from collections.abc import Sequence

from pageside.errors import InvalidArguments

TOOLSETS = ("inspector", "element", "chrome", "relay", "browser", "kapture")
ALL = "all"


def chosen_toolsets(names: Sequence[str], there: Sequence[str] = TOOLSETS) -> tuple[str, ...]:
    """`names` without repetition; `all` stands for every one. Raises `InvalidArguments`."""
    unknown = [name for name in names if name not in (*there, ALL)]
    if unknown:
        raise InvalidArguments(
            f"Unknown toolset {', '.join(map(repr, unknown))}; there are: {', '.join(there)}, {ALL}.",
            data={"argument": "toolsets", "allowed": [*there, ALL]},
        )
    return tuple(there if ALL in names else dict.fromkeys(names))
