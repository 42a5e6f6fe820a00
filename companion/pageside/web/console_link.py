"""A fresh link to the web console of a project's companion, which runs in another process."""

from __future__ import annotations

import aiohttp

from pageside.errors import PagesideError
from pageside.settings import Settings
from pageside.web.companions import Companions
from pageside.web.console_pages import PATHS
from pageside.web.stdio_remote import Place

SECONDS = 5.0


async def fresh_link(settings: Settings) -> str:
    """A link that is good once, within ten minutes; raises `PagesideError` when no companion runs."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS)) as http:
        place = await Companions(settings, http).find()
        if place is None:
            raise PagesideError(
                f"No companion runs for {settings.project}.",
                code="NOT_FOUND",
                fix="Start the app's dev server with Pageside in it, or run `pageside serve`; then try again.",
            )
        try:
            return await _ask(http, place)
        except (aiohttp.ClientError, TimeoutError, KeyError, ValueError) as error:
            raise PagesideError(
                f"The companion at port {place.port} gave no link: {str(error) or type(error).__name__}.",
                code="NOT_FOUND",
                fix="It may be of another version: stop it, and start it again.",
            ) from None


async def _ask(http: aiohttp.ClientSession, place: Place) -> str:
    url = f"http://127.0.0.1:{place.port}{PATHS['link']}"
    headers = {"Authorization": f"Bearer {place.token}"}
    async with http.post(url, json={}, headers=headers, raise_for_status=True) as response:
        return str((await response.json())["url"])
