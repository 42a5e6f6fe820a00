"""The overlay as a user meets it: by role and name, with real mouse and keys."""

from __future__ import annotations

from playwright.async_api import BrowserContext, Locator, Page, expect

from support.app import DevServer

OVERLAY = "pageside-overlay"
_AT_CORNER = """([marker, target]) => {
    const [a, b] = [marker, target].map((each) => each.getBoundingClientRect());
    return Math.hypot(a.x + a.width / 2 - b.x, a.y + a.height / 2 - b.y) < 2;
}"""


class Overlay:
    """One page of the app with its overlay."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(OVERLAY)
        self.connection = self.root.locator(".dot")
        self.items = self.root.get_by_role("listitem")
        self.markers = self.root.locator(".marker:visible")

    @classmethod
    async def open(cls, context: BrowserContext, server: DevServer, path: str = "") -> Overlay:
        """A new tab with the app, its overlay connected to the companion."""
        await server.companion()
        overlay = cls(await context.new_page())
        await overlay.page.goto(server.url + path)
        await overlay.connected()
        return overlay

    async def connected(self) -> None:
        await expect(self.root.get_by_role("img", name="Connected to")).to_be_visible(timeout=15_000)

    async def crosshair(self) -> None:
        """Wait until the overlay picks."""
        await expect(self.root.locator(".banner")).to_be_visible()

    async def pick(self, target: Locator) -> None:
        """Alt+I and a click, as a user does."""
        await self.page.keyboard.press("Alt+i")
        await self.click(target)

    async def click(self, target: Locator) -> None:
        """A real click at the middle of `target`, whatever lies on top."""
        await target.scroll_into_view_if_needed()
        box = await target.bounding_box()
        assert box is not None
        await self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    async def write(self, note: str) -> None:
        """Type the note of a pick and save it; the panel then shows it."""
        field = self.root.get_by_role("dialog").get_by_role("textbox")
        await field.fill(note)
        await field.press("Enter")
        region = self.root.get_by_role("region", name="Inspections")
        await expect(region).to_contain_text(note, timeout=20_000)

    def item(self, note: str) -> Locator:
        """The inspection with that note in the panel."""
        return self.root.locator(".item").filter(has_text=note)

    async def marked(self, number: int, target: Locator) -> None:
        """Wait until the marker of that number sits at the corner of `target`."""
        marker = self.root.get_by_role("button", name=f"Inspection {number}:")
        await expect(marker).to_be_visible(timeout=15_000)
        handles = [await marker.element_handle(), await target.element_handle()]
        await self.page.wait_for_function(_AT_CORNER, arg=handles, timeout=15_000)

    async def show_panel(self) -> Locator:
        panel = self.root.get_by_role("region", name="Inspections")
        button = self.root.get_by_role("button", name="Inspections")
        for _ in range(3):
            if await button.get_attribute("aria-expanded") == "true":
                break
            # After a reload it opens by itself, perhaps just before the click, which then closes it.
            await button.click()
        await expect(panel).to_be_visible(timeout=15_000)
        return panel
