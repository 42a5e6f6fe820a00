"""Who works on which inspection, and until when: rules without a clock, times in seconds.

Two kinds of claim: a reservation, short, for an agent that was handed an item and has not said yet that it takes it;
and a lease on an item in progress, which every report renews. When a lease ends nobody has the item any more, and what
its old owner still writes is refused until it claims the item again.
"""

from __future__ import annotations

from dataclasses import dataclass

from pageside.errors import Claimed

RESERVED_SECONDS = 60.0
LEASE_SECONDS = 600.0
ORPHANED_SECONDS = 60.0
"""How long an item in progress waits for its agent after the agent's session has ended."""


@dataclass(slots=True)
class Claim:
    """`owner` is an agent's key, None when its session is gone; `working`: a lease, else a reservation."""

    owner: str | None
    name: str
    until: float
    working: bool


class Claims:
    """The table of claims, by the inspection's id."""

    def __init__(self) -> None:
        self._claims: dict[str, Claim] = {}
        self._lost: set[tuple[str, str]] = set()

    def __getitem__(self, inspection: str) -> Claim:
        return self._claims[inspection]

    def __contains__(self, inspection: str) -> bool:
        return inspection in self._claims

    def is_free(self, inspection: str, owner: str, now: float) -> bool:
        """True unless another agent's claim holds."""
        claim = self._claims.get(inspection)
        return claim is None or claim.owner in (None, owner) or claim.until <= now

    def working(self, owner: str) -> list[str]:
        """The inspections that `owner` has a lease on."""
        return [item for item, claim in self._claims.items() if claim.owner == owner and claim.working]

    def reserve(self, inspection: str, owner: str, name: str, now: float) -> None:
        """Hand a free item to an agent."""
        self._claims[inspection] = Claim(owner, name, now + RESERVED_SECONDS, working=False)

    def check(self, inspection: str, owner: str, now: float, *, claiming: bool) -> None:
        """Return if `owner` may write now, else raise `Claimed`; `claiming`: it says that it takes the item."""
        if not self.is_free(inspection, owner, now):
            claim = self._claims[inspection]
            raise Claimed(f"{claim.name} works on this inspection.", data={"agent": claim.name})
        if (inspection, owner) in self._lost and not claiming:
            raise Claimed("Your claim has expired, and the inspection went back to the queue.")

    def take(self, inspection: str, owner: str, name: str, now: float) -> None:
        """The agent works on it: a new lease, or the same one renewed."""
        self._lost.discard((inspection, owner))
        self._claims[inspection] = Claim(owner, name, now + LEASE_SECONDS, working=True)

    def adopt(self, inspection: str, name: str, now: float) -> None:
        """An item that was in progress when the companion started: its agent may come back."""
        self._claims[inspection] = Claim(None, name, now + LEASE_SECONDS, working=True)

    def settle(self, inspection: str, status: str) -> None:
        """The item has this status, which is not `in-progress`: only a reservation of a pending one goes on."""
        claim = self._claims.get(inspection)
        if claim is not None and (claim.working or status != "pending"):
            del self._claims[inspection]
        if status == "deleted":
            self._lost = {(item, who) for item, who in self._lost if item != inspection}

    def end(self, inspection: str) -> None:
        """The item is finished, deleted, or back in the queue."""
        self._claims.pop(inspection, None)

    def orphan(self, owner: str, now: float) -> None:
        """The agent's session has ended: what it reserved is free, what it works on waits a little."""
        for inspection, claim in list(self._claims.items()):
            if claim.owner == owner and claim.working:
                claim.owner, claim.until = None, min(claim.until, now + ORPHANED_SECONDS)
            elif claim.owner == owner:
                del self._claims[inspection]
        self._lost = {(item, who) for item, who in self._lost if who != owner}

    def expire(self, now: float) -> dict[str, Claim]:
        """Take out the claims that have ended; those that were leases are returned."""
        over = {item: claim for item, claim in self._claims.items() if claim.until <= now}
        for inspection, claim in over.items():
            del self._claims[inspection]
            if claim.working and claim.owner is not None:
                self._lost.add((inspection, claim.owner))
        return {item: claim for item, claim in over.items() if claim.working}

    def next_expiry(self) -> float | None:
        """When the first claim ends, or None."""
        return min((claim.until for claim in self._claims.values()), default=None)
