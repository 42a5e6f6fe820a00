"""The extension's panel and popup as pages of their own, used as people use them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.async_api import JSHandle, Locator, Page, expect

from support.app import REPOSITORY
from support.extension import ORIGIN, Extension, UserTab

AXE = REPOSITORY / "node_modules" / "axe-core" / "axe.min.js"
_AUDIT = """async () => {
  const { violations } = await axe.run()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`))
}"""
_OUTSIDE = """(least) => {
  const found = []
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility() || element.closest('.unseen, svg *, pre, .lines')) continue
    const { left, right, width, height } = element.getBoundingClientRect()
    if (!width || !height) continue
    const isOff = left < 0 || right > innerWidth + 0.5
    const pressed = element.matches('button, select, a.button, input:not([type=checkbox]), .chip, .check')
    if (isOff || (pressed && (width < least || height < least)))
      found.push(`${element.outerHTML.slice(0, 120)} ${left} ${right} ${width}x${height}`)
  }
  return found
}"""
_STATES = """() => {
  const status = document.querySelector('.status')
  const seen = [status.dataset.connection]
  const note = () => seen.push(status.dataset.connection)
  new MutationObserver(note).observe(status, { attributeFilter: ['data-connection'] })
  return seen
}"""
TARGET_PX = 24


@dataclass(slots=True)
class Panel:
    """The panel of one tab, or the popup over it."""

    page: Page

    @classmethod
    async def open(cls, extension: Extension, tab: UserTab, view: str = "panel") -> Panel:
        """As a page of its own; `view` may be `popup`."""
        page = await extension.context.new_page()
        await page.goto(f"{ORIGIN}/{view}.html?tab={tab.number}")
        return cls(page)

    @property
    def status(self) -> Locator:
        return self.page.locator(".status")

    def part(self, name: str) -> Locator:
        """A section by its heading."""
        return self.page.get_by_role("region", name=name, exact=True).first

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    async def use_port(self, port: int) -> None:
        """Type the companion's port."""
        await self.page.get_by_label("Port").fill(str(port))
        await self.page.get_by_label("Port").press("Enter")
        await expect(self.part("This tab")).to_contain_text(f"Port {port} is used")

    async def connect(self) -> None:
        await self.button("Connect").click()
        await expect(self.status).to_have_text("Connected")

    async def run(self, command: str, **values: str) -> None:
        """Fill in the form of a command, and run it; its outcome is shown then."""
        await self.choose(command)
        for name, value in values.items():
            await self.field(name).fill(value)
        await self.button("Run").click()
        await expect(self.part("Commands").locator("[data-busy]")).to_have_count(0)

    async def states(self) -> JSHandle:
        """A list of all states that it shows from now on."""
        return await self.page.evaluate_handle(_STATES)

    async def choose(self, command: str) -> None:
        await self.page.get_by_role("radio", name=command, exact=True).check()

    def field(self, name: str) -> Locator:
        return self.part("Commands").locator(f"[name={name}]")

    async def audit(self, state: str) -> list[str]:
        """What axe finds in both schemes, what is off the screen, and what is too small to press."""
        if not await self.page.evaluate("'axe' in globalThis"):
            # The page's own policy lets no script in; the debugger may.
            await self.page.evaluate(AXE.read_text("utf-8"))
        await self.page.emulate_media(reduced_motion="reduce")
        found: list[Any] = []
        for scheme in ("light", "dark"):
            await self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            found += [f"{state}, {scheme}: {each}" for each in await self.page.evaluate(_AUDIT)]
        outside = await self.page.evaluate(_OUTSIDE, TARGET_PX)
        return [*found, *(f"{state}: {each}" for each in outside)]
