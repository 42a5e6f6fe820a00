"""Find Chrome or Chromium; `python -m support.chromium` installs Debian's where it may and there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

QUIET_FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]
"""A browser under test talks to the app and to nobody else."""

FEWER_PROCESSES = "--disable-features=SpareRendererForSitePerProcess"
"""Else Chromium keeps a process ready for a next page, after each that opens: the tests start some thousand."""
_OFF_IN_PLAYWRIGHT = (
    *("AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "MediaRouter"),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    "ThirdPartyStoragePartitioning",
)
"""What Playwright leaves out itself; Chromium heeds the last such flag alone."""


def find() -> str | None:
    """The path of a Chrome or Chromium: `CHROME_PATH`, else one that is installed."""
    named = os.environ.get("CHROME_PATH")
    if named:
        return named
    found = (shutil.which(name) for name in _NAMES)
    return next((path for path in [*found, *_PLACES] if path and Path(path).exists()), None)


def flags() -> list[str]:
    """Flags for a browser under test; the sandbox is off only for root, who cannot have one."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*QUIET_FLAGS, *(["--no-sandbox"] if root else [])]


def test_flags() -> list[str]:
    """Those of a browser that Playwright starts for tests, which open many pages."""
    return [*flags(), ",".join((FEWER_PROCESSES, *_OFF_IN_PLAYWRIGHT))]


def install() -> int:
    """Make sure that there is one; the exit code."""
    if find() is not None:
        return 0
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        sys.stderr.write("Chrome or Chromium is needed: install it, or set CHROME_PATH.\n")
        return 1
    sys.stderr.write("Installing Chromium with apt-get …\n")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        code = subprocess.run(
            [apt, *command], check=False, env=environment, stdout=subprocess.DEVNULL
        ).returncode
        if code != 0:
            return code
    return 0 if find() else 1


if __name__ == "__main__":
    sys.exit(install())
