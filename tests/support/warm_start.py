"""`python -m pageside …` by a `warm_server.py`: this process stands for the companion, passes on signals that end it,
and ends as it ends. Arguments: the server's socket, then what Python was given.
"""

import json
import os
import signal
import socket
import sys


def start(path: str, module: list[str]) -> int:
    if module[:2] != ["-m", "pageside"]:
        os.execv(sys.executable, [sys.executable, *module])
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    asked = {"folder": os.getcwd(), "variables": dict(os.environ), "arguments": module[2:]}
    socket.send_fds(server, [b"!"], [0, 1, 2])
    server.sendall(json.dumps(asked).encode() + b"\n")
    with server.makefile("r") as told:
        pid = int(told.readline())
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(each, lambda number, _: os.kill(pid, number))
        code = int(told.readline() or 70)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(start(sys.argv[1], sys.argv[2:]))
