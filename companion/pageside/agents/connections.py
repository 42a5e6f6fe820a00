"""What a client says of itself in the query: `clientId`, `puppetId`, `toolsets`, `chrome`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pageside.core.addresses import ChromeAddress, parse_address
from pageside.core.toolset_names import chosen_toolsets
from pageside.hubs.sessions import PUPPET
from pageside.toolsets.base import Toolset

MAX_NAME = 60


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
        toolsets=chosen_toolsets(names or default, [each.name for each in known]),
        chrome=parse_address(query["chrome"]) if query.get("chrome") else None,
    )
