"""The toolset `relay`: what an agent needs to see what a page does, by the names of relay-inspect."""

from __future__ import annotations

from collections.abc import Mapping

from pageside.chrome.activity import settled
from pageside.chrome.capture import Image
from pageside.chrome.elements import Markup, markups
from pageside.chrome.find import Target
from pageside.chrome.navigation import location, reload, status
from pageside.chrome.scripts import evaluate
from pageside.errors import InvalidArguments
from pageside.operations import check_connection as checking
from pageside.operations.gate import script_permit
from pageside.operations.inspect_element import Wanted
from pageside.operations.inspect_element import inspect_element as look
from pageside.operations.shots import Shot, shoot_to_fit
from pageside.toolsets import relay_records, servers, waiting
from pageside.toolsets.advice import advised
from pageside.toolsets.base import Answer, Args, Context, Handler, Picture, toolset
from pageside.toolsets.relay_tab import advise, tab_of

ALL_HTML_CHARS = 40_000
"""Of all elements together; each has its share, if that is between the next two."""
MIN_HTML_CHARS, MAX_HTML_CHARS = 800, 10_000


async def evaluate_js(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    value = await evaluate(tab, args["expression"], permit=script_permit())
    return Answer({"value": value.json, "type": value.type}, from_page=True)


async def get_elements(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    await settled(tab)
    limit = args["limit"]
    chars = max(MIN_HTML_CHARS, min(MAX_HTML_CHARS, ALL_HTML_CHARS // limit))
    found = await markups(tab, args["selector"], limit=limit, chars=chars)
    data = {"count": found.count, "elements": [_element(each) for each in found.elements]}
    if not found.count:
        url = (await location(tab))["url"]
        data["note"] = f"Nothing matches {args['selector']!r} on {url}: see what there is with a wider one."
    elif found.count > limit:
        data["note"] = f"{found.count - limit} more match: raise 'limit' or narrow the selector."
    return Answer(data, from_page=True)


def _element(found: Markup) -> dict[str, object]:
    html = f"{found.html}… [{found.cut} more characters]" if found.cut else found.html
    if found.inside:
        html += f" [its {found.inside} elements are left out: select among them]"
    return {"html": html, **({"hidden": True} if found.hidden else {})}


async def get_computed_styles(context: Context, args: Args) -> Answer:
    wanted = Wanted(
        Target(selector=args["selector"]),
        tab=args.get("tab"),
        properties=args.get("properties"),
        screenshot=False,
    )
    found = (await look(context.world, context.watcher, wanted)).data
    return Answer({"element": found["element"], "styles": found["computed_styles"]}, from_page=True)


async def take_screenshot(context: Context, args: Args) -> Answer:
    mime = f"image/{args['format']}"
    if "quality" in args and mime != "image/jpeg":
        raise InvalidArguments("'quality' is for format 'jpeg' only.", data={"argument": "quality"})
    tab = await tab_of(context, args)
    await settled(tab)
    image = await shoot_to_fit(tab, Shot(mime, args.get("quality", 80)))
    return Answer(_size(image), pictures=(Picture(image.data, image.mime),))


def _size(image: Image) -> dict[str, object]:
    kind = image.mime.removeprefix("image/")
    return {"format": kind, "width": image.width, "height": image.height, "scale": round(image.scale, 3)}


async def reload_page(context: Context, args: Args) -> Answer:
    tab = await tab_of(context, args)
    async with tab.lock:
        loaded = await reload(tab, ignore_cache=args["ignoreCache"])
    code = status(tab)
    shown = await location(tab) if loaded else {}
    data: dict[str, object] = {
        "loaded": loaded,
        **{name: shown[name] for name in ("url", "title") if name in shown},
        **({"status": code} if code is not None else {}),
        **({} if loaded else {"note": "The document is there, but it still loads."}),
    }
    return Answer(data, from_page=True)


async def check_connection(context: Context, _args: Args) -> Answer:
    return Answer(await checking.check_connection(context.world, context.watcher))


_IN_THE_PAGE: Mapping[str, Handler] = {
    "evaluate_js": evaluate_js,
    "get_elements": get_elements,
    "get_computed_styles": get_computed_styles,
    "take_screenshot": take_screenshot,
    "reload_page": reload_page,
    **relay_records.HANDLERS,
    **waiting.HANDLERS,
}

RELAY = toolset(
    "relay",
    {
        **{name: advised(handler, advise) for name, handler in _IN_THE_PAGE.items()},
        **servers.HANDLERS,
        "check_connection": check_connection,
    },
)
