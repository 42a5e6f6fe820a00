"""From the pick to the picture that agents read, over the wire."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import mcp_types as t
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from pageside.core.pictures import Margins, Picture
from pageside.errors import ChromeLost
from pageside.hubs.page import Page
from pageside.settings import Settings
from pageside.web.app import Companion
from support.agents import ERAS, TRANSPORTS, Era, Transport, agent, call, stdio_agent
from support.changes import set_status
from support.page import WirePage
from support.pictures import bytes_of, drawn, png, screenshot

DARK, LIGHT = png(shade=10), png(shade=200)


class Drawing:
    """A page that draws what it is asked for, and remembers what that was."""

    def __init__(self, page: WirePage, data: bytes = DARK, **more: Any) -> None:
        self.asked: list[dict[str, Any]] = []
        self.ready = asyncio.Event()
        self.ready.set()
        self._answer = drawn(data, **more)
        page.tools["picture"] = self._draw

    async def _draw(self, args: dict[str, Any]) -> Any:
        self.asked.append(args)
        await self.ready.wait()
        return self._answer


async def refused(client: Client, name: str) -> str:
    """Why there is no such picture."""
    with pytest.raises(MCPError) as caught:
        await screenshot(client, name)
    return caught.value.error.message


async def delete(page: WirePage, inspection: str) -> None:
    status, answer = await page.send("changes", changes=[set_status(inspection, "deleted")])
    assert (status, answer["results"][0]["ok"]) == (200, True)


@pytest.mark.parametrize("era", ERAS)
async def test_the_picture_of_the_pick_comes_with_the_inspection(companion: Companion, era: Era) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url, era=era) as client:
        drawing = Drawing(page)
        assert (await page.send("picked", element="p1"))[0] == 204
        wanted = await page.note("Look here", elementId="p1")
        content = await screenshot(client, wanted)
        assert (content.mime_type, bytes_of(content)) == ("image/png", DARK)
        assert content.meta is not None
        assert (content.meta["pageside/source"], content.meta["pageside/width"]) == ("page", 2)
        assert drawing.asked == [{"element": "p1", "maxWidth": 1280, "maxHeight": 1280}]

        inspection = (await call(client, "get_inspection", inspectionId=wanted))["inspection"]
        address = f"pageside://screenshots/{wanted}"
        assert (inspection["elementId"], inspection["screenshot"]) == ("p1", address)
        (resource,) = (await client.read_resource(f"pageside://inspections/{wanted}")).contents
        assert isinstance(resource, t.TextResourceContents)
        assert json.loads(resource.text)["data"]["screenshot"] == address


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_large_picture_comes_through_on_every_transport(
    companion: Companion, transport: Transport
) -> None:
    large = DARK + random.Random(7).randbytes(699_000)
    async with WirePage(companion) as page, _connected(companion, transport) as client:
        Drawing(page, large)
        wanted = await page.note("Look here", elementId="p1")
        assert bytes_of(await screenshot(client, wanted)) == large


def _connected(companion: Companion, transport: Transport) -> AbstractAsyncContextManager[Client]:
    if transport == "stdio":
        return stdio_agent(companion.settings)
    return agent(companion.mcp_url, transport=transport)


async def test_a_picture_that_takes_long_holds_nobody_up_but_its_reader(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        drawing = Drawing(page)
        drawing.ready.clear()
        await page.send("picked", element="p1")
        wanted = await page.note("Look here", elementId="p1")
        inspection = (await call(client, "get_inspection", inspectionId=wanted))["inspection"]
        assert "screenshot" not in inspection
        reading = asyncio.create_task(screenshot(client, wanted))
        await call(client, "list_inspections")
        assert not reading.done()
        drawing.ready.set()
        assert bytes_of(await reading) == DARK


async def test_a_pick_that_was_not_told_is_pictured_when_its_note_arrives(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        drawing = Drawing(page, LIGHT)
        wanted = await page.note("Look here", elementId="p7")
        assert bytes_of(await screenshot(client, wanted)) == LIGHT
        assert [args["element"] for args in drawing.asked] == ["p7"]


async def test_a_page_that_cannot_draw_says_why_and_keeps_its_note(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        await page.send("picked", element="p1")
        wanted = await page.note("Look here", elementId="p1")
        await page.fail(await page.next_call(), "NO_PICTURE", "The page's policy forbids data: images.")
        message = await refused(client, wanted)
        assert message.startswith("NOT_FOUND: ")
        assert "The page's policy forbids data: images." in message
        inspection = (await call(client, "get_inspection", inspectionId=wanted))["inspection"]
        assert (inspection["description"], "screenshot" in inspection) == ("Look here", False)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "neither PNG nor JPEG"),
        (drawn(DARK, mime="image/svg+xml"), "neither PNG nor JPEG"),
        (drawn(b"<html>"), "sent something else"),
        (drawn(DARK, mime="image/jpeg"), "sent something else"),
        (drawn(DARK, base64="!"), "not base64"),
        (drawn(DARK, width=-1), "no usable width"),
        (drawn(DARK, scale="1"), "no usable scale"),
    ],
)
async def test_what_is_no_picture_is_not_kept_as_one(companion: Companion, answer: Any, reason: str) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        wanted = await page.note("Look here", elementId="p1")
        await page.answer(await page.next_call(), answer)
        assert reason in await refused(client, wanted)


async def test_a_note_without_a_pick_has_none(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        wanted = await page.note("Look here", elementId=["no id"])
        assert "did not say which element" in await refused(client, wanted)
        assert page.calls.empty()


async def test_deleting_the_inspection_deletes_its_picture(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        Drawing(page)
        wanted = await page.note("Look here", elementId="p1")
        await screenshot(client, wanted)
        drawing = Drawing(page)
        drawing.ready.clear()
        unfinished = await page.note("And here", elementId="p2")
        await delete(page, wanted)
        await delete(page, unfinished)
        drawing.ready.set()
        for name in (wanted, unfinished):
            assert (await refused(client, name)).startswith("INSPECTION_NOT_FOUND: ")
        # What was drawn for the deleted one arrives before the next one's.
        kept: asyncio.Queue[str] = asyncio.Queue()
        companion.world.inspections.pictures.kept.listen(kept.put_nowait)
        following = await page.note("And there", elementId="p3")
        while await asyncio.wait_for(kept.get(), 10) != following:
            continue
        assert companion.world.inspections.pictures.ids() == [following]


async def test_pictures_outlive_the_companion(settings: Settings) -> None:
    first = await Companion.start(settings)
    async with WirePage(first) as page, agent(first.mcp_url) as client:
        Drawing(page)
        wanted = await page.note("Look here", elementId="p1")
        await screenshot(client, wanted)
        del page.tools["picture"]
        failed, cut = await page.note("Not here", elementId="p2"), await page.note("Nor here", elementId="p3")
        asked = {call["args"]["element"]: call for call in (await page.next_call(), await page.next_call())}
        await page.fail(asked["p2"], "NO_PICTURE", "Too much.")
        assert "Too much." in await refused(client, failed)
    await first.stop()
    second = await Companion.start(settings)
    async with agent(second.mcp_url) as client:
        assert bytes_of(await screenshot(client, wanted)) == DARK
        assert "Too much." in await refused(client, failed)
        assert "restarted before" in await refused(client, cut)
    await second.stop()


@pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed")
async def test_who_watches_an_inspection_hears_of_its_picture(companion: Companion) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def on_message(message: Any) -> None:
        if isinstance(message, t.ResourceUpdatedNotification):
            heard.put_nowait(str(message.params.uri))

    info = t.Implementation(name="listener", version="1")
    async with (
        WirePage(companion) as page,
        Client(companion.mcp_url, client_info=info, mode="legacy", message_handler=on_message) as client,
    ):
        drawing = Drawing(page)
        drawing.ready.clear()
        wanted = await page.note("Look here", elementId="p1")
        await client.subscribe_resource(f"pageside://screenshots/{wanted}")
        await client.subscribe_resource("pageside://inspections")
        async with asyncio.timeout(10):
            # The client's stream for notifications opens when it pleases.
            while heard.empty():
                await page.note("noted")
                await page.next_items()
            drawing.ready.set()
            while await heard.get() != f"pageside://screenshots/{wanted}":
                continue


async def test_a_listener_of_2026_hears_of_it_too(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url, era="auto") as client:
        drawing = Drawing(page)
        drawing.ready.clear()
        wanted = await page.note("Look here", elementId="p1")
        address = f"pageside://screenshots/{wanted}"
        async with client.listen(resource_subscriptions=[address]) as events:
            drawing.ready.set()
            async with asyncio.timeout(5):
                async for event in events:
                    assert getattr(event, "uri", None) == address
                    return
    pytest.fail("nothing was heard")


async def test_what_an_agent_had_picked_has_a_picture_for_a_while(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        Drawing(page, LIGHT)

        async def pick(_args: dict[str, Any]) -> Any:
            await page.send("picked", element="p4")
            return {"selector": "#buy", "elementId": "p4"}

        page.tools["pick_element"] = pick
        seen = await call(client, "capture_element_context")
        assert seen["screenshot"] == "pageside://screenshots/p4"
        assert bytes_of(await screenshot(client, "p4")) == LIGHT
        assert companion.world.inspections.pictures.ids() == []


async def test_a_reload_between_pick_and_note_keeps_the_picture(companion: Companion) -> None:
    async with WirePage(companion) as old, agent(companion.mcp_url) as client:
        Drawing(old)
        await old.send("picked", element="p1")
        await screenshot(client, "p1")
        async with WirePage(companion, joins=False) as new:
            Drawing(new, LIGHT)
            await new.open(replaces=old.id)
            wanted = await new.note("Look here", elementId="p1")
            assert bytes_of(await screenshot(client, wanted)) == DARK


@pytest.mark.parametrize("element", [None, 7, "", "a b", "x" * 101])
async def test_a_pick_of_nothing_is_refused(companion: Companion, element: object) -> None:
    async with WirePage(companion) as page:
        status, answer = await page.send("picked", element=element)
        assert (status, answer["error"]["code"]) == (400, "BAD_REQUEST")
        assert page.calls.empty()


class Camera:
    """A browser that is connected otherwise."""

    def __init__(self, outcome: Picture | Exception | None) -> None:
        self.outcome = outcome
        self.seen: list[tuple[str, str]] = []
        self.around: Margins | None = None

    async def picture(self, page: Page, element: str, around: Margins | None = None) -> Picture | None:
        self.around = around
        self.seen.append((page.id, element))
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def _from_chrome(data: bytes) -> Picture:
    return Picture("image/png", 2, 2, 2, "chrome", 1, data)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (_from_chrome(LIGHT), ("chrome", LIGHT)),
        (_from_chrome(LIGHT + bytes(1024 * 1024)), ("page", DARK)),
        (None, ("page", DARK)),
        (ChromeLost("The browser is gone."), ("page", DARK)),
    ],
    ids=["in reach", "too large", "out of reach", "lost"],
)
async def test_a_connected_browser_is_asked_before_the_page(
    companion: Companion, outcome: Picture | Exception | None, expected: tuple[str, bytes]
) -> None:
    camera = Camera(outcome)
    # A world is made once; here it gets another camera.
    object.__setattr__(companion.world, "camera", camera)
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        Drawing(page)
        content = await screenshot(client, await page.note("Look here", elementId="p1"))
        assert content.meta is not None
        assert (content.meta["pageside/source"], bytes_of(content)) == expected
        assert camera.seen == [(page.id, "p1")]


SKETCH = {
    "shapes": [{"kind": "arrow", "points": [[-30, 5], [15, 8]]}, {"kind": "box", "points": [[2, 3], [9, 1]]}]
}
ABOUT = {"elementInfo": {"tagName": "button", "boundingBox": {"x": 5, "y": 5, "width": 20, "height": 10}}}


async def test_what_the_user_drew_is_on_the_picture_and_told_in_words(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        drawing = Drawing(page, png(20, 10), width=20, height=10)
        await page.send("picked", element="p1")
        wanted = await page.note("Look here", elementId="p1", sketch=SKETCH, sourceInfo=ABOUT, intent="fix")
        content = await screenshot(client, wanted)
        assert (content.meta or {})["pageside/width"] > 20
        assert bytes_of(content) != png(20, 10)
        seen = (await call(client, "get_inspection", inspectionId=wanted))["inspection"]
        assert seen["intent"] == "fix"
        assert seen["sketch"]["shapes"] == [
            {"kind": "arrow", "from": [-30, 5], "to": [15, 8]},
            {"kind": "box", "x": 2, "y": 1, "width": 7, "height": 2},
        ]
        (listed,) = (await call(client, "list_inspections"))["inspections"]
        assert (listed["intent"], listed["sketch"]) == ("fix", 2)
        # It goes beyond the picture, so more of the page is wanted.
        assert drawing.asked[-1]["around"] == {"left": 37, "top": 6, "right": 2, "bottom": 5}
        raw = await screenshot(client, "p1")
        assert bytes_of(raw) == png(20, 10)


async def test_an_element_that_is_turned_is_drawn_among_its_neighbours(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        drawing = Drawing(page, png(10, 20), width=10, height=20)
        inside = {"shapes": [{"kind": "box", "points": [[8, 8], [9, 9]]}]}
        wanted = await page.note("Turn it back", elementId="p1", sketch=inside, sourceInfo=ABOUT)
        await screenshot(client, wanted)
        assert drawing.asked[-1]["around"] == {"left": 0, "top": 0, "right": 0, "bottom": 6}


async def test_a_camera_takes_more_of_the_page_where_the_sketch_needs_it(companion: Companion) -> None:
    camera = Camera(Picture("image/png", 20, 10, 1, "chrome", 1, png(20, 10)))
    object.__setattr__(companion.world, "camera", camera)
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        kept = asyncio.Event()
        companion.world.inspections.pictures.kept.listen(lambda _: kept.set())
        wanted = await page.note("Look here", elementId="p1", sketch=SKETCH, sourceInfo=ABOUT)
        await asyncio.wait_for(kept.wait(), 10)
        assert camera.around == Margins(37, 6, 2, 5)
        assert (await screenshot(client, wanted)).mime_type == "image/png"


@pytest.mark.parametrize("box", [None, "wide", {"width": "20", "height": 1}, {"width": -5, "height": 1}])
async def test_a_sketch_is_drawn_whatever_the_page_says_of_its_element(
    companion: Companion, box: object
) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url) as client:
        Drawing(page, png(20, 10), width=20, height=10)
        about = {"elementInfo": {"boundingBox": box}}
        wanted = await page.note("Look here", elementId="p1", sketch=SKETCH, sourceInfo=about)
        assert bytes_of(await screenshot(client, wanted)) != png(20, 10)


async def test_the_secret_of_a_page_is_told_to_nobody(
    companion: Companion, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "a-secret-of-the-document"
    async with WirePage(companion, joins=False) as page, agent(companion.mcp_url) as client:
        await page.open(secret=secret)
        known = companion.world.pages.get(page.id)
        assert known is not None
        assert known.secret == secret

        async def info(_args: dict[str, Any]) -> Any:
            return page.info()

        page.tools["page_info"] = info
        told = [str(await call(client, "get_page_info")), repr(known)]
        told += [str(await client.read_resource("pageside://pages")), caplog.text]
        async with page.session.get("/__pageside__/health") as response:
            told.append(await response.text())
        assert [text for text in told if secret in text] == []


async def test_a_reconnect_does_not_change_the_secret_of_a_document(companion: Companion) -> None:
    async with WirePage(companion, joins=False) as page:
        await page.open(secret="a-secret-of-the-document")
        await page.connect(secret="another-secret-of-it")
        known = companion.world.pages.get(page.id)
        assert known is not None
        assert known.secret == "a-secret-of-the-document"
        body = {"page": page.id, "key": page.key, "channel": page.channel, "info": {}, "secret": "short"}
        status, answer = await page.post("connect", body)
        assert (status, answer["error"]["code"]) == (400, "BAD_REQUEST")
