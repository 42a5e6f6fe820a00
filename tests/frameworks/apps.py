"""The examples whose framework owns the HTML: how each is run, and where its elements stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from support.frameworks import Framework
from support.sources import Heading, Spot


@dataclass(frozen=True)
class App:
    """An example with what a look at it must tell."""

    framework: Framework
    library: str
    """What `get_page_info` calls it."""
    shelf: tuple[Spot, ...]
    """On the first page, as the server rendered it."""
    later: tuple[Spot, ...]
    """On the first page, once its buttons were pressed."""
    about: tuple[Spot, ...]
    """On the second page."""
    heading: Heading
    stays: bool = True
    """An edit is a hot update, not a reload."""
    buttons: tuple[tuple[str, str], ...] = ((".borrow", ".note"),)
    """What to press, and what shows then."""


HEADING = "On the shelf today"


def _react(framework: Framework, folder: str, home: str) -> App:
    parts = f"{folder}/components"
    shelf, row = f"{folder}/routes/{home}", f"{parts}/BookRow.tsx"
    about = f"{folder}/routes/about.tsx"
    return App(
        framework,
        "react",
        shelf=(
            Spot(".top", f"{parts}/Shell.tsx", 'className="top"', "Shell"),
            Spot(".to-about", f"{parts}/Shell.tsx", 'className="to-about"', "Shell"),
            Spot("h1", shelf, f"{HEADING}</h1>", "Home"),
            Spot(".card", f"{parts}/Card.tsx", 'className="card"', "Card"),
            Spot(".card .lead", shelf, 'className="lead"', "Home"),
            Spot(".books", shelf, 'className="books"', "Home"),
            Spot(".books li:nth-child(2)", row, 'className="book"', "BookRow"),
            Spot(".books li:nth-child(3) .title", row, 'className="title"', "BookRow"),
            Spot(".lent", row, 'className="lent"', "BookRow"),
            Spot(".book path", f"{parts}/Star.tsx", "<path", "Star"),
            Spot(".borrow", f"{parts}/Borrow.tsx", 'className="borrow"', "Borrow"),
        ),
        later=(Spot(".note", f"{parts}/Borrow.tsx", 'className="note"', "Borrow"),),
        about=(
            Spot("h1", about, "At the old pier</h1>", "About"),
            Spot(".hours", about, 'className="hours"', "About"),
            Spot(".to-shelf", f"{parts}/Shell.tsx", 'className="to-shelf"', "Shell"),
        ),
        heading=Heading(shelf, HEADING),
    )


REACT_ROUTER = _react(Framework("react-router", "@react-router/dev/bin.js", ("build",)), "app", "home.tsx")
_START = _react(Framework("tanstack-start", "vite/bin/vite.js", ("dist",)), "src", "index.tsx")
# Its links are memos, which keep their old place when an edit moves them and changes nothing else.
TANSTACK_START = replace(_START, shelf=tuple(spot for spot in _START.shelf if spot.selector != ".to-about"))

ASTRO = App(
    Framework("astro", "astro/bin/astro.mjs", ("dist",)),
    "astro",
    shelf=(
        Spot(".top", "src/layouts/Shell.astro", 'class="top"', "Shell"),
        Spot(".to-about", "src/layouts/Shell.astro", 'class="to-about"', "Shell"),
        Spot("h1", "src/pages/index.astro", f"{HEADING}</h1>", "index"),
        Spot(".card", "src/components/Card.astro", 'class="card"', "Card"),
        Spot(".card .lead", "src/pages/index.astro", 'class="lead"', "index"),
        Spot(".books", "src/pages/index.astro", 'class="books"', "index"),
        Spot(".books li:nth-child(2)", "src/components/BookRow.astro", 'class="book"', "BookRow"),
        Spot(".books li:nth-child(3) .title", "src/components/BookRow.astro", 'class="title"', "BookRow"),
        Spot(".lent", "src/components/BookRow.astro", 'class="lent"', "BookRow"),
        Spot(".book path", "src/components/Star.astro", "<path", "Star"),
        Spot(".borrow", "src/components/Borrow.tsx", 'className="borrow"', "Borrow"),
        Spot(".give-back", "src/components/Returns.vue", 'class="give-back"', "Returns"),
        Spot(".late", "src/pages/index.astro", 'class="late"', "index"),
    ),
    later=(
        Spot(".note", "src/components/Borrow.tsx", 'className="note"', "Borrow"),
        Spot(".thanks", "src/components/Returns.vue", 'class="thanks"', "Returns"),
    ),
    about=(
        Spot("h1", "src/pages/about.astro", "At the old pier</h1>", "about"),
        Spot(".hours", "src/pages/about.astro", 'class="hours"', "about"),
        Spot(".to-shelf", "src/layouts/Shell.astro", 'class="to-shelf"', "Shell"),
    ),
    heading=Heading("src/pages/index.astro", HEADING),
    stays=False,
    buttons=((".borrow", ".note"), (".give-back", ".thanks")),
)

NUXT = App(
    # What it builds for the server differs between two builds of the same files, with or without the plugin.
    Framework("nuxt", "nuxt/bin/nuxt.mjs", (".output/public",), anew=("builds",)),
    "vue",
    shelf=(
        Spot(".top", "app/layouts/default.vue", 'class="top"', "default"),
        Spot("h1", "app/pages/index.vue", f"{HEADING}</h1>", "index"),
        Spot(".card", "app/components/ShelfCard.vue", 'class="card"', "ShelfCard"),
        Spot(".card .lead", "app/pages/index.vue", 'class="lead"', "index"),
        Spot(".books", "app/pages/index.vue", 'class="books"', "index"),
        Spot(".books li:nth-child(2)", "app/components/BookRow.vue", 'class="book"', "BookRow"),
        Spot(".books li:nth-child(3) .title", "app/components/BookRow.vue", 'class="title"', "BookRow"),
        Spot(".lent", "app/components/BookRow.vue", 'class="lent"', "BookRow"),
        Spot(".book path", "app/components/StarIcon.vue", "<path", "StarIcon"),
        Spot(".borrow", "app/components/BorrowDesk.vue", 'class="borrow"', "BorrowDesk"),
        Spot(".top strong", "app/layouts/default.vue", "<strong>", "default"),
        Spot(".to-about", "app/layouts/default.vue", 'class="to-about"', "default"),
    ),
    later=(Spot(".note", "app/components/BorrowDesk.vue", 'class="note"', "BorrowDesk"),),
    about=(
        Spot("h1", "app/pages/about.vue", "At the old pier</h1>", "about"),
        Spot(".hours", "app/pages/about.vue", 'class="hours"', "about"),
        Spot(".top nav", "app/layouts/default.vue", "<nav>", "default"),
        Spot(".to-shelf", "app/layouts/default.vue", 'class="to-shelf"', "default"),
    ),
    heading=Heading("app/pages/index.vue", HEADING),
)

SVELTEKIT = App(
    Framework("sveltekit", "vite/bin/vite.js", ("build",)),
    "svelte",
    shelf=(
        Spot(".top", "src/routes/+layout.svelte", 'class="top"', "+layout"),
        Spot(".to-about", "src/routes/+layout.svelte", 'class="to-about"', "+layout"),
        Spot("h1", "src/routes/+page.svelte", f"{HEADING}</h1>", "+page"),
        Spot(".card", "src/lib/Card.svelte", 'class="card"', "Card"),
        Spot(".card .lead", "src/routes/+page.svelte", 'class="lead"', "+page"),
        Spot(".open", "src/routes/+page.svelte", 'class="open"', "+page"),
        Spot(".closed", "src/routes/+page.svelte", 'class="closed"', "+page"),
        Spot(".books", "src/routes/+page.svelte", 'class="books"', "+page"),
        Spot(".books li:nth-child(2)", "src/lib/BookRow.svelte", 'class="book"', "BookRow"),
        Spot(".books li:nth-child(3)", "src/lib/BookRow.svelte", 'class="book"', "BookRow"),
        Spot(".lent", "src/lib/BookRow.svelte", 'class="lent"', "BookRow"),
        Spot(".book path", "src/lib/Star.svelte", "<path", "Star"),
        Spot(".borrow", "src/lib/Borrow.svelte", 'class="borrow"', "Borrow"),
    ),
    later=(Spot(".note", "src/lib/Borrow.svelte", 'class="note"', "Borrow"),),
    about=(
        Spot("h1", "src/routes/about/+page.svelte", "At the old pier</h1>", "+page"),
        Spot(".hours", "src/routes/about/+page.svelte", 'class="hours"', "+page"),
        Spot(".to-shelf", "src/routes/+layout.svelte", 'class="to-shelf"', "+layout"),
    ),
    heading=Heading("src/routes/+page.svelte", HEADING),
)

APPS = (REACT_ROUTER, TANSTACK_START, ASTRO, NUXT, SVELTEKIT)
