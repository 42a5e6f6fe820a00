"""What Chrome tools have in common: which element is meant, and what is told after an action."""

from __future__ import annotations

from pageside.chrome.acting import Done
from pageside.chrome.activity import settled
from pageside.chrome.downloads import downloads_of
from pageside.chrome.find import Target
from pageside.chrome.snapshot import snapshot
from pageside.chrome.tab import Tab
from pageside.errors import InvalidArguments
from pageside.toolsets.base import Answer, Args, Context

SNAPSHOT_CHARS = 20_000
"""Of the snapshot that an action answers with."""


def target(args: Args, prefix: str = "") -> Target:
    """The element that `uid`, `selector` or `text` names; raises `InvalidArguments` unless exactly one is given."""
    names = [f"{prefix}{name}" for name in ("uid", "selector", "text")]
    given = [name for name in names if args.get(name) is not None]
    if len(given) != 1:
        raise InvalidArguments(
            f"Name the element by one of {', '.join(names)}; {len(given)} were given.",
            data={"argument": given[0] if given else names[0], "allowed": names},
        )
    return Target(**{given[0].removeprefix(prefix): args[given[0]]})


def spot(args: Args) -> Target | tuple[float, float]:
    """An element, or the point `x`, `y`."""
    if "x" not in args and "y" not in args:
        return target(args)
    if "x" not in args or "y" not in args or any(name in args for name in ("uid", "selector", "text")):
        raise InvalidArguments(
            "A point needs x and y, and no element beside it.", data={"argument": "x" if "y" in args else "y"}
        )
    return float(args["x"]), float(args["y"])


async def outcome(context: Context, tab: Tab, done: Done, said: str, args: Args) -> Answer:
    """What was done, what came of it, and a snapshot if one was asked for."""
    shown = list(done.notes)
    if args.get("includeSnapshot") and tab.dialog is None:
        said += still_under_way(await settled(tab))
        taken = await snapshot(tab, max_chars=SNAPSHOT_CHARS)
        shown.append(taken.text)
    downloads = downloads_of(tab).take()
    if downloads:
        said += f" It began {len(downloads)} download(s)."
        shown += [f"Download: {name!r}" for name in downloads]
    said += await opened(context, tab)
    return Answer(said=said, shown="\n".join(shown), from_page=True)


async def opened(context: Context, tab: Tab) -> str:
    """Tells once of the tabs that this one opened."""
    ids, tab.opened[:] = list(tab.opened), []
    if not ids:
        return ""
    numbers = [str(each.number) for each in await context.chrome.tabs() if each.id in ids]
    return f" It opened page {', '.join(numbers)}: select_page goes there." if numbers else ""


def still_under_way(left: list[str]) -> str:
    """Says what an observation did not wait for any longer."""
    return f" Still under way: {len(left)} thing(s) that the last action began." if left else ""
