"""Where Chrome is installed: `CHROME_PATH`, else the platform's usual places."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PureWindowsPath

import psutil

from pageside.errors import ChromeUnreachable

COMMANDS = (
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge",
    "brave-browser",
)
MAC_APPS = ("Google Chrome", "Google Chrome Canary", "Chromium", "Microsoft Edge", "Brave Browser")
WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
WINDOWS_PROGRAMS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Google\Chrome SxS\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)


def candidates(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """Paths to try, best first; those of commands are on the PATH already."""
    if platform == "darwin":
        for root in ("/Applications", f"{environment.get('HOME', '')}/Applications"):
            yield from (f"{root}/{app}.app/Contents/MacOS/{app}" for app in MAC_APPS)
    if platform == "win32":
        roots = [environment[name] for name in WINDOWS_ROOTS if environment.get(name)]
        for root in roots:
            yield from (str(PureWindowsPath(root, program)) for program in WINDOWS_PROGRAMS)
    for command in COMMANDS:
        path = shutil.which(command, path=environment.get("PATH"))
        if path is not None:
            yield path


def find_program(named: str | None) -> str:
    """The executable to launch; raises `ChromeUnreachable` with what was tried."""
    if named is not None:
        if not _runs(named):
            raise ChromeUnreachable(
                f"CHROME_PATH names {named}, which is not a program.", fix="Correct it, or unset it."
            )
        return named
    tried = list(candidates())
    for path in tried:
        if _runs(path):
            return path
    places = ", ".join(tried) or f"the commands {', '.join(COMMANDS)}"
    raise ChromeUnreachable(
        f"No Chrome or Chromium is installed (looked for {places}).",
        fix="Install Chrome or Chromium, or set CHROME_PATH.",
    )


def _runs(path: str) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)


def debugged_program(port: int) -> int | None:
    """The pid of a browser that was started with its debugging at that port."""
    flag = f"--remote-debugging-port={port}"
    for process in psutil.process_iter(["cmdline"]):
        if flag in (process.info["cmdline"] or ()):
            return process.pid
    return None
