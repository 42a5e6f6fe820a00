"""`pageside` by a contract whose times are shorter, so that a test can outlast them.

LIMIT_MS: the grace time of pages and the time limit of `page_info`.
"""

from __future__ import annotations

import sys

from pageside.contract import CHANNEL

LIMIT_MS = 2000

if __name__ == "__main__":
    CHANNEL["timing"].update(pingMs=LIMIT_MS // 8, graceMs=LIMIT_MS)
    CHANNEL["pageTools"]["page_info"]["timeoutMs"] = LIMIT_MS
    # Only now, as they read the contract once.
    from pageside.cli import main
    from pageside.hubs import standstill

    standstill.LATE_SECONDS = 0.25
    sys.exit(main())
