"""A deleted inspection leaves nothing of its claims."""

from __future__ import annotations

import pytest

from pageside.core.claims import LEASE_SECONDS, Claims
from pageside.errors import Claimed


@pytest.mark.parametrize("status", ["completed", "deleted"])
def test_an_expired_claim_is_remembered_until_its_inspection_is_deleted(status: str) -> None:
    claims = Claims()
    claims.take("note", "ada", "Ada", 0)
    claims.expire(LEASE_SECONDS)
    claims.settle("note", status)
    if status == "deleted":
        claims.check("note", "ada", LEASE_SECONDS, claiming=False)
    else:
        with pytest.raises(Claimed, match="expired"):
            claims.check("note", "ada", LEASE_SECONDS, claiming=False)
