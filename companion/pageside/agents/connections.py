"""What a client says of itself in the query: `clientId`, `puppetId`, `toolsets`, `chrome`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pageside.core.addresses import ChromeAddress, parse_address
from pageside.errors import InvalidArguments
from pageside.hubs.sessions import PUPPET
from pageside.toolsets.base import Toolset

MAX_NAME = 60
ALL = "all"


@dataclass(frozen=True, slots=True)
class Query:
    """`client_id` is empty when none was given; `toolsets` names those that were asked for.

    `chrome`: the Chrome that this session alone uses; None for everybody's.
    """

    client_id: str = ""
    puppet: str = PUPPET
    toolsets: tuple[str, ...] = ()
    chrome: ChromeAddress | None = None


def parse_query(query: Mapping[str, str], default: Sequence[str], known: Sequence[Toolset]) -> Query:
    """Read the query; an unknown toolset is an error that lists the known ones, and so is what is no address."""
    names = [name.strip() for name in query.get("toolsets", "").split(",") if name.strip()]
    return Query(
        client_id=query.get("clientId", "")[:MAX_NAME],
        puppet=query.get("puppetId", PUPPET)[:MAX_NAME],
        toolsets=chosen_toolsets(names or default, known),
        chrome=parse_address(query["chrome"]) if query.get("chrome") else None,
    )


def chosen_toolsets(names: Sequence[str], known: Sequence[Toolset]) -> tuple[str, ...]:
    """`names` without repetition; `all` stands for every one. Raises `InvalidArguments`."""
    there = [toolset.name for toolset in known]
    unknown = [name for name in names if name not in (*there, ALL)]
    if unknown:
        raise InvalidArguments(
            f"Unknown toolset {', '.join(map(repr, unknown))}; there are: {', '.join(there)}, {ALL}.",
            data={"argument": "toolsets", "allowed": [*there, ALL]},
        )
    return tuple(there if ALL in names else dict.fromkeys(names))
