"""Tools for dev servers, which the toolsets `inspector` and `relay` have."""

from __future__ import annotations

from datetime import UTC, datetime

from pageside.operations import dev_servers
from pageside.processes.server_log import Line, Reading
from pageside.toolsets.base import Answer, Args, Context, Handler

MAX_CHARS = 60_000
"""Of the lines in one answer."""
START_LINES = 20


async def start_server(context: Context, args: Args) -> Answer:
    world, by = context.world, context.watcher.name
    wanted = await dev_servers.order(
        world, args["id"], args["command"], args["args"], args.get("cwd"), args["env"], by
    )
    server = await dev_servers.start_server(world, wanted, context.confirm)
    return Answer({"server": server.to_json(), "lines": server.log.last(START_LINES)}, from_page=True)


async def get_server_logs(context: Context, args: Args) -> Answer:
    server = context.world.servers.find(args.get("id"))
    read = server.log.read(
        context.watcher.key,
        stream=args.get("stream"),
        limit=args["lines"],
        max_chars=MAX_CHARS,
        clear=args["clear"],
    )
    code = {"exitCode": server.code} if server.code is not None else {}
    return Answer({"id": server.id, "status": server.status, **code, **_told(read)}, from_page=True)


def _told(read: Reading) -> dict[str, object]:
    more = {"unfinished": read.unfinished, "omitted": read.omitted, "dropped": read.dropped}
    return {
        "lines": [_line(line) for line in read.lines],
        **{key: each for key, each in more.items() if each},
    }


def _line(line: Line) -> str:
    clock = datetime.fromtimestamp(line.at / 1000, UTC).strftime("%H:%M:%S.%f")[:-3]
    mark = "" if line.stream == "stdout" else f"[{line.stream}] "
    return f"{clock} {mark}{line.text}"


async def stop_server(context: Context, args: Args) -> Answer:
    server = await context.world.servers.stop(args["id"])
    return Answer({"server": server.to_json()}, from_page=True)


async def list_servers(context: Context, _args: Args) -> Answer:
    return Answer({"servers": [server.to_json() for server in context.world.servers.all()]}, from_page=True)


HANDLERS: dict[str, Handler] = {
    "start_server": start_server,
    "get_server_logs": get_server_logs,
    "stop_server": stop_server,
    "list_servers": list_servers,
}
