"""A picture that is too large for an answer: something usable comes on every wire, and the whole of it can be read."""

from __future__ import annotations

import base64
import re

import mcp_types as t
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from pageside.core.pictures import MAX_PICTURE_BYTES, WHOLE_PICTURE_BYTES
from pageside.web.app import Companion
from support.agents import agent, stdio_agent, text
from support.browsing import does
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

WIDTH, HEIGHT = 1280, 1600
NOISE = f"""<title>Noise</title><body style="margin:0"><canvas id=c width={WIDTH} height={HEIGHT} style="display:block">
</canvas><script>
const context = c.getContext('2d'), image = context.createImageData(c.width, c.height), bytes = image.data
for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536))
for (let at = 3; at < bytes.length; at += 4) bytes[at] = 255
context.putImageData(image, 0, 0)</script>"""
WHOLE = re.compile(
    r"The png of (\d+)x(\d+) px has (\d+) bytes.* is the resource (pageside://screenshots/\S+)\."
)


class Shown:
    """What an agent got."""

    def __init__(self, answer: t.CallToolResult) -> None:
        assert not answer.is_error, text(answer)
        (picture,) = [part for part in answer.content if isinstance(part, t.ImageContent)]
        self.mime, self.data = picture.mime_type, base64.b64decode(picture.data)
        found = WHOLE.search(text(answer))
        assert found is not None, text(answer)
        self.size = (int(found[1]), int(found[2]))
        self.bytes, self.uri = int(found[3]), found[4]
        assert self.size == (WIDTH, HEIGHT)
        assert self.bytes > 6_000_000
        assert self.mime == "image/jpeg"
        assert self.data.startswith(b"\xff\xd8\xff")

    def check(self, whole: bytes) -> None:
        """It is what was asked for."""
        assert len(whole) == self.bytes
        assert whole.startswith(b"\x89PNG")
        assert (int.from_bytes(whole[16:20], "big"), int.from_bytes(whole[20:24], "big")) == self.size


async def shoot(client: Client, site: Site) -> Shown:
    await does(client, "new_page", url=site.page(NOISE))
    answer = await client.call_tool("chrome_take_screenshot", {"fullPage": True})
    assert isinstance(answer, t.CallToolResult)
    return Shown(answer)


def blob(read: t.ReadResourceResult) -> bytes:
    (content,) = read.contents
    assert isinstance(content, t.BlobResourceContents)
    return base64.b64decode(content.blob)


async def test_over_http_the_whole_picture_is_one_read(running: Companion, site: Site) -> None:
    async with agent(running.mcp_url, query="?toolsets=all") as client:
        shown = await shoot(client, site)
        assert MAX_PICTURE_BYTES < len(shown.data) <= WHOLE_PICTURE_BYTES
        shown.check(blob(await client.read_resource(shown.uri)))


async def test_over_stdio_the_whole_picture_is_one_read(running: Companion, site: Site) -> None:
    async with stdio_agent(running.settings, "Agent", "legacy", "--toolsets", "all") as client:
        shown = await shoot(client, site)
        assert MAX_PICTURE_BYTES < len(shown.data) <= WHOLE_PICTURE_BYTES
        shown.check(blob(await client.read_resource(shown.uri)))


async def test_over_events_the_whole_picture_is_read_in_parts(running: Companion, site: Site) -> None:
    async with agent(running.mcp_url, transport="sse", query="?toolsets=all") as client:
        shown = await shoot(client, site)
        assert 100_000 < len(shown.data) <= MAX_PICTURE_BYTES
        with pytest.raises(MCPError, match="RESULT_TOO_LARGE") as refused:
            await client.read_resource(shown.uri)
        ((_, last),) = re.findall(
            r"Read (\S+)/parts/1 to .*/parts/(\d+), and join", refused.value.error.data["fix"]
        )
        count = int(last)
        parts = [blob(await client.read_resource(f"{shown.uri}/parts/{n + 1}")) for n in range(count)]
        shown.check(b"".join(parts))
        with pytest.raises(MCPError, match="NOT_FOUND"):
            await client.read_resource(f"{shown.uri}/parts/{count + 1}")


async def test_an_answer_too_large_for_an_event_is_an_error_and_the_session_goes_on(
    running: Companion, site: Site
) -> None:
    async with agent(running.mcp_url, transport="sse", query="?toolsets=all") as client:
        await does(client, "new_page", url=site.page("<p>x"))
        # Half a million characters, and a million bytes.
        long = {"function": "() => Array.from({length: 5}, () => 'é'.repeat(100000))"}
        with pytest.raises(MCPError, match="RESULT_TOO_LARGE"):
            await client.call_tool("chrome_evaluate_script", long)
        assert await does(client, "evaluate_script", function="() => 1")
