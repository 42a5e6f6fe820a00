"""The toolset `element`: one tool that tells why an element looks as it does."""

from __future__ import annotations

from pageside.chrome.find import Target
from pageside.errors import InvalidArguments
from pageside.operations.inspect_element import Wanted
from pageside.operations.inspect_element import inspect_element as look
from pageside.toolsets.base import Answer, Args, Context, Picture, toolset

_NAMES = ("css_selector", "uid", "text", "inspection_id")


async def inspect_element(context: Context, args: Args) -> Answer:
    wanted = Wanted(
        _target(args),
        args.get("inspection_id"),
        args.get("target_title"),
        args.get("properties"),
        pseudo_elements=args["pseudo_elements"],
        screenshot=args["screenshot"],
    )
    found = await look(context.world, context.watcher, wanted)
    pictures = (Picture(found.image.data, found.image.mime),) if found.image is not None else ()
    return Answer(found.data, from_page=True, pictures=pictures)


def _target(args: Args) -> Target | None:
    given = [name for name in _NAMES if name in args]
    if len(given) != 1:
        raise InvalidArguments(
            f"Name the element by one of {', '.join(_NAMES)}; {len(given)} were given.",
            data={"argument": given[0] if given else _NAMES[0], "allowed": list(_NAMES)},
        )
    if "inspection_id" in args:
        return None
    return Target(selector=args.get("css_selector"), uid=args.get("uid"), text=args.get("text"))


ELEMENT = toolset(
    "element",
    {"inspect_element": inspect_element},
    # Errors of JSON-RPC (-32603), not results: programs that call the tool choose a tab by their data.
    protocol_errors={"inspect_element": ("MULTIPLE_TABS", "TAB_NOT_FOUND")},
)
