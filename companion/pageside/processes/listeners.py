"""Who listens on a port of this machine, as far as the system tells."""

from __future__ import annotations

import psutil


def listener(port: int) -> str:
    """The program's name and pid, or that it is not known; '' if the system says that nobody listens there."""
    try:
        found = [
            each
            for each in psutil.net_connections(kind="tcp")
            if each.status == psutil.CONN_LISTEN and each.laddr and each.laddr.port == port
        ]
    except psutil.Error:
        # macOS tells this only to root.
        return "a program"
    if not found:
        return ""
    pid = next((each.pid for each in found if each.pid is not None), None)
    return "a program of another user" if pid is None else _named(pid)


def _named(pid: int) -> str:
    try:
        return f"{psutil.Process(pid).name()} (pid {pid})"
    except psutil.Error:
        return f"pid {pid}"
