"""Resources, subscriptions and completion, on both protocol eras."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import mcp_types as t
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from pageside.web.app import Companion
from support.agents import ERAS, Era, agent
from support.page import WirePage


async def _read(client: Client, uri: str) -> Any:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, t.TextResourceContents)
    body = json.loads(content.text)
    assert body["untrusted"] is True
    return body["data"]


@pytest.mark.parametrize("era", ERAS)
async def test_the_queue_and_the_pages_are_resources(companion: Companion, era: Era) -> None:
    async def info(_args: dict[str, Any]) -> Any:
        return {"errors": [{"text": "boom"}], "console": [{"text": "hello"}]}

    async def script(_args: dict[str, Any]) -> Any:
        return {"value": [{"url": "/logo.svg", "bytes": 12}], "type": "object"}

    async with WirePage(companion) as page, agent(companion.mcp_url, era=era) as client:
        page.tools = {"page_info": info, "run_script": script}
        wanted = await page.note("Look here")
        assert [r.uri for r in (await client.list_resources()).resources] == [
            "pageside://inspections",
            "pageside://pages",
        ]
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == [
            "pageside://inspections/{id}",
            "pageside://pages/{id}/console",
            "pageside://pages/{id}/network",
            "pageside://pages/{id}/timeline",
            "pageside://screenshots/{id}",
            "pageside://screenshots/{id}/parts/{part}",
        ]
        assert [item["id"] for item in await _read(client, "pageside://inspections")] == [wanted]
        assert (await _read(client, f"pageside://inspections/{wanted}"))["description"] == "Look here"
        assert [p["id"] for p in await _read(client, "pageside://pages")] == [page.id]
        console = await _read(client, f"pageside://pages/{page.id}/console")
        assert console == {"errors": [{"text": "boom"}], "console": [{"text": "hello"}]}
        network = await _read(client, f"pageside://pages/{page.id}/network")
        assert network == [{"url": "/logo.svg", "bytes": 12}]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("pageside://nothing", "NOT_FOUND"),
        ("pageside://inspections/nope", "INSPECTION_NOT_FOUND"),
        ("pageside://pages/nope/console", "PAGE_NOT_CONNECTED"),
        ("pageside://screenshots/nope", "INSPECTION_NOT_FOUND"),
        ("https://example.com/", "NOT_FOUND"),
    ],
)
async def test_what_is_not_there_says_so(companion: Companion, era: Era, uri: str, code: str) -> None:
    async with agent(companion.mcp_url, era=era) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
        assert caught.value.error.message.startswith(f"{code}: ")
        assert caught.value.error.data["uri"] == uri


@pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed")
async def test_a_subscriber_hears_when_the_user_notes_something(companion: Companion) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def on_message(message: Any) -> None:
        if isinstance(message, t.ResourceUpdatedNotification):
            heard.put_nowait(str(message.params.uri))

    info = t.Implementation(name="listener", version="1")
    async with WirePage(companion) as page:
        async with Client(
            companion.mcp_url, client_info=info, mode="legacy", message_handler=on_message
        ) as client:
            await client.subscribe_resource("pageside://inspections")
            async with asyncio.timeout(10):
                # The client's stream for notifications opens when it pleases.
                while heard.empty():
                    await page.note("noted")
                    await page.next_items()
            assert heard.get_nowait() == "pageside://inspections"
            await client.unsubscribe_resource("pageside://inspections")
            await client.subscribe_resource("pageside://pages")
            async with WirePage(companion), asyncio.timeout(5):
                while await heard.get() != "pageside://pages":
                    continue


async def test_a_listener_of_2026_hears_it_too(companion: Companion) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url, era="auto") as client:
        async with client.listen(resource_subscriptions=["pageside://inspections"]) as events:
            await page.note("first")
            async with asyncio.timeout(5):
                async for event in events:
                    if getattr(event, "uri", None) == "pageside://inspections":
                        return
    pytest.fail("nothing was heard")


@pytest.mark.parametrize("era", ERAS)
async def test_arguments_are_completed(companion: Companion, era: Era) -> None:
    async with WirePage(companion) as page, agent(companion.mcp_url, era=era) as client:
        wanted = await page.note("complete me")

        async def values(ref: Any, name: str, typed: str) -> list[str]:
            result = await client.complete(ref, {"name": name, "value": typed})
            return result.completion.values

        prompt = t.PromptReference(type="ref/prompt", name="view_inspections")
        assert await values(prompt, "status", "p") == ["pending"]
        launch = t.PromptReference(type="ref/prompt", name="launch_chrome_devtools")
        assert await values(launch, "url", "http") == [page.url]
        template = t.ResourceTemplateReference(type="ref/resource", uri="pageside://inspections/{id}")
        assert await values(template, "id", wanted[:3]) == [wanted]
        assert await values(template, "id", "zzz~") == []
