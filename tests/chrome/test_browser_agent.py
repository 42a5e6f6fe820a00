"""The toolset `browser` as an agent uses it: look, find by words, click, type, and see what came of it."""

from __future__ import annotations

import base64
import struct

import mcp_types as t
import pytest

from pageside.chrome.documents import call as in_page
from pageside.chrome.emulated import Viewport
from pageside.chrome.find import Target, find
from pageside.chrome.tab import Tab
from pageside.toolsets.browser import BROWSER
from pageside.web.app import Companion
from support.agents import agent, call, fails, text
from support.browser_agent import FORM, does, finds, reads, result_of, using
from support.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")

PARAGRAPH = "<p>A lantern is a portable source of light, with a case that keeps wind and rain away. " * 6


def size(picture: t.ImageContent) -> tuple[int, int]:
    """Width and height, as the file itself says."""
    data = base64.b64decode(picture.data)
    if picture.mime_type == "image/png":
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    at = 2
    while data[at + 1] not in range(0xC0, 0xC4):
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    height, width = struct.unpack(">HH", data[at + 5 : at + 9])
    return width, height


async def test_an_agent_finds_the_compose_button_by_words_and_posts(running: Companion, site: Site) -> None:
    async with using(running, "about:blank") as client:
        arrived = await call(client, "browser_navigate", url=site.url("timeline.html"))
        assert (arrived["title"], arrived["status"]) == ("Chirp — Home", 200)
        compose = (await finds(client, "compose button"))[0]
        assert (compose["tag"], compose["role"], compose["text"]) == ("button", "button", "Post")
        assert set(compose["rect"]) == {"x", "y", "w", "h"}
        done, picture = await does(client, "click", ref=compose["ref"])
        assert done == {"success": True}
        assert picture.mime_type == "image/jpeg"
        done, _ = await does(client, "type", text="Hello from an agent")
        assert done == {"success": True}
        send = (await finds(client, "post button"))[0]
        assert send["ref"] != compose["ref"], "the dialog is in front of everything else"
        await does(client, "click", ref=send["ref"])
        shown = await reads(client)
        assert "Hello from an agent" in shown.split("User 25")[0]


async def test_pictures_after_actions_are_small_whatever_the_density(running: Companion, site: Site) -> None:
    async with using(running, site.url("timeline.html")) as client:
        tab = await tab_at(running, "timeline.html")
        await tab.emulation.change(viewport=Viewport(1600, 1200, 2.0))
        for name, args in (("scroll", {"direction": "down"}), ("click", {"x": 5, "y": 5})):
            _, picture = await does(client, name, **args)
            assert (picture.mime_type, size(picture)) == ("image/jpeg", (960, 720))
            # Whoever reads a place off the picture has to know.
            assert (await call(client, f"browser_{name}", **args))["scale"] == 0.6
        result = await client.call_tool("browser_screenshot", {"selector": ".compose"})
        (picture,) = [each for each in result.content if isinstance(each, t.ImageContent)]
        told = result.structured_content or {}
        assert picture.mime_type == "image/png"
        assert size(picture) == (told["width"], told["height"])
        assert told["scale"] == 2
        assert told["width"] < 400


async def tab_at(running: Companion, path: str) -> Tab:
    """The tab that shows it."""
    for tab in reversed(running.world.chrome.attached):
        if path in await tab.evaluate("location.href"):
            return tab
    raise AssertionError(f"{path} is not open")


async def test_elements_are_clicked_by_ref_selector_text_and_place(running: Companion, site: Site) -> None:
    buttons = "".join(f"<button onclick='log.textContent += {n}'>Button {n}</button>" for n in (1, 2, 3, 4))
    async with using(running, site.page(f"<title>Four</title>{buttons}<p id=log></p>")) as client:
        one, two = (await finds(client, "button 1"))[0], (await finds(client, "button 2"))[0]
        await does(client, "click", ref=one["ref"])
        await does(client, "click", x=two["rect"]["x"] + 3, y=two["rect"]["y"] + 3)
        await does(client, "click", selector="button:nth-of-type(3)")
        await does(client, "click", text="button 4")
        assert await result_of(client, "log.textContent") == "1234"
        for wrong in ({}, {"x": 5}, {"ref": "1_1", "text": "x"}, {"x": 1, "y": 1, "selector": "a"}):
            assert (await fails(client, "browser_click", **wrong))["code"] == "INVALID_ARGUMENTS"


async def test_a_text_that_several_have_is_said_and_what_is_near_tells_them_apart(
    running: Companion, site: Site
) -> None:
    rows = "".join(
        f"<li>Mail {n} <button onclick='log.textContent += {n}'>Delete</button>" for n in (1, 2, 3)
    )
    page = f"<title>Mails</title><ul>{rows}</ul><p id=log></p><script>'Only for programs'</script>"
    async with using(running, site.page(page)) as client:
        done, _ = await does(client, "click", text="Delete")
        assert done["notes"] == ["2 more say so; browser_find tells them apart."]
        assert await result_of(client, "log.textContent") == "1"
        best = (await finds(client, "delete mail 2"))[0]
        assert "Mail 2" in best["near"]
        assert "near" not in (await finds(client, "mails list"))[0]
        assert await finds(client, "Only for programs") == []
        assert (await fails(client, "browser_click", text="Only for programs"))["code"] == "ELEMENT_NOT_FOUND"


async def test_an_action_says_where_it_led(running: Companion, site: Site) -> None:
    there = site.page("<title>There</title>")
    async with using(
        running, site.page(f"<title>Here</title><a href='{there}'>Go</a><a href=#>Stay</a>")
    ) as client:
        assert (await does(client, "click", text="Stay"))[0]["page"]["url"].endswith("#")
        assert "page" not in (await does(client, "click", text="Stay"))[0]
        assert (await does(client, "click", text="Go"))[0]["page"] == {"title": "There", "url": there}


async def test_a_click_may_close_the_tab(running: Companion, site: Site) -> None:
    child = site.page("<title>Child</title><button onclick='window.close()'>Close</button>")
    page = f"<title>Opener</title><button onclick='window.open(`{child}`)'>Open</button>"
    async with using(running, site.page(page)) as client:
        (opened,) = (await does(client, "click", text="Open"))[0]["openedTabs"]
        closed = await call(client, "browser_click", text="Close", tab=opened)
        assert (closed["success"], "closed" in closed["notes"][0]) == (True, True)
        assert opened not in [tab["id"] for tab in (await call(client, "browser_tabs"))["tabs"]]


async def test_what_is_in_the_way_is_shown(
    running: Companion, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pageside.chrome.acting.READY_SECONDS", 0.2)
    page = "<title>Shop</title><button>Buy</button><div style='position: fixed; inset: 0'>Cookies?</div>"
    async with using(running, site.page(page)) as client:
        result = await client.call_tool("browser_click", {"text": "Buy"})
        assert text(result).startswith("ELEMENT_NOT_READY: ")
        assert "covers it" in text(result)
        assert [each.type for each in result.content] == ["text", "image"]


async def test_typing_goes_behind_or_instead_of_what_is_there(running: Companion, site: Site) -> None:
    async with using(running, site.page(FORM)) as client:
        await does(client, "type", text=" Lovelace", selector="#name")
        assert await result_of(client, "document.querySelector('#name').value") == "Ada Lovelace"
        await does(client, "type", text="!")
        assert await result_of(client, "document.querySelector('#name').value") == "Ada Lovelace!"
        await does(client, "type", text="Grace", selector="#name", clear=True)
        assert await result_of(client, "document.querySelector('#name').value") == "Grace"
        await does(client, "type", text=" Bob", selector="#edit")
        assert await result_of(client, "edit.innerText") == "Dear Bob"
        await does(client, "type", text="M", selector="#size")
        assert await result_of(client, "size.value") == "M"


async def test_what_takes_no_text_says_so(running: Companion, site: Site) -> None:
    async with using(running, site.page(FORM)) as client:
        nothing = await fails(client, "browser_type", text="x")
        assert (nothing["code"], "nothing has the focus" in nothing["message"]) == ("ELEMENT_NOT_READY", True)
        plain = await fails(client, "browser_type", text="x", selector="#plain")
        assert plain["code"] == "ELEMENT_NOT_READY"
        fixed = await fails(client, "browser_type", text="x", selector="#fixed")
        assert "read-only" in fixed["message"]
        file = await fails(client, "browser_type", text="/etc/hosts", selector="#file")
        assert "takes files" in file["message"]
        assert await result_of(client, "document.title") == "Form", "no chooser was opened"


async def test_enter_submits_and_the_answer_shows_what_came_of_it(running: Companion, site: Site) -> None:
    page = """<title>Ask</title><form onsubmit="said.textContent = q.value; return false"><input id=q></form>
    <p id=said>"""
    async with using(running, site.page(page)) as client:
        await does(client, "type", text="lamps", selector="#q", submit=True)
        assert "lamps" in await reads(client, mode="text")


async def test_keys_are_pressed_and_heard(running: Companion, site: Site) -> None:
    page = """<title>Keys</title><input id=q onkeyup="said.textContent += this.value + event.key + ' '"><p id=said>
    <dialog id=d>Sure?</dialog><script>d.showModal()</script>"""
    async with using(running, site.page(page)) as client:
        await does(client, "type", text="", keys="Escape")
        assert await result_of(client, "d.open") is False
        await does(client, "type", text="lamp", selector="#q", keys="Control+A")
        assert "lampp " in await result_of(client, "said.textContent")
        await does(client, "type", text="42")
        assert await result_of(client, "q.value") == "42", "all was selected"
        wrong = await fails(client, "browser_type", text="", keys="Hyper")
        assert wrong["code"] == "INVALID_ARGUMENTS"


async def test_of_many_thousand_things_the_one_that_says_so_is_found(running: Companion, site: Site) -> None:
    page = "<title>Many</title><script>for (let n = 0; n < 4200; n++) document.write(`<button>Open ${n}</button>`)"
    async with using(running, site.page(f"{page}</script>")) as client:
        assert (await finds(client, "open 4150"))[0]["text"] == "Open 4150"


async def test_a_page_is_read_in_three_ways(running: Companion, site: Site) -> None:
    side = "<nav><a href=/a>Elsewhere</a></nav><aside>Advertisement</aside><p style='display:none'>Unseen</p>"
    article = (
        f"<title>On light</title>{side}<article><h1>On light</h1>{PARAGRAPH * 4}<ul><li>Oil</ul></article>"
    )
    async with using(running, site.page(article)) as client:
        told = await reads(client, mode="text")
        assert told.startswith("The article of the page.")
        assert "portable source of light" in told
        assert "- Oil" in told
        assert "Elsewhere" not in told
        assert "Unseen" not in told
        assert 'link "Elsewhere"' in await reads(client)
        interactive = await reads(client, mode="interactive")
        assert "Elsewhere" in interactive
        assert "portable" not in interactive
        first = await reads(client, mode="text", maxChars=500)
        assert "more lines: from=" in first
        assert "browser_read_page with from=" in await reads(client, maxChars=500)


async def test_what_is_no_article_is_read_as_it_is_seen(running: Companion, site: Site) -> None:
    page = f"""<title>App</title><h2>Tasks</h2><div>Buy <b>oil</b></div><x-a></x-a><p hidden>Unseen</p>
    <p data-private>4711</p><table><tr><td>1<td>2</table>
    <iframe src="{site.other_origin + site.path("Inside")}"></iframe>
    <script>document.querySelector("x-a").attachShadow({{mode: "open"}}).innerHTML = "<p>Shadow"</script>"""
    async with using(running, site.page(page)) as client:
        told = await reads(client, mode="text")
        assert told.startswith("No article: all visible text of the page.")
        for seen in ("## Tasks\nBuy oil\nShadow\n", "1 | 2", "Inside"):
            assert seen in told
        for unseen in ("Unseen", "4711"):
            assert unseen not in told


QUERIES = {
    "login button": "signin",
    "log in": "signin",
    "sign up": "register",
    "search bar": "search",
    "search field": "search",
    "search button": "go",
    "shopping cart": "cart",
    "basket icon": "cart",
    "add to cart": "add-storm",
    "add paper lantern to cart": "add-paper",
    "wishlist button": "wish-storm",
    "hamburger menu": "menu",
    "menu button": "menu",
    "close the cookie banner": "dismiss",
    "accept cookies": "accept",
    "decline button": "decline",
    "language selector": "language",
    "sort dropdown": "sort",
    "in stock checkbox": "stock",
    "price slider": "price",
    "filter": "filters",
    "next": "next",
    "previous page button": "prev",
    "settings": "settings",
    "gear icon": "settings",
    "logo": "home",
    "add storm lantern to cart": "add-storm",
    "main heading": "heading",
    "password field": "password",
    "delete account": "delete",
    "privacy policy link": "privacy",
    "chat": "chat",
    "message box": "message",
    "email field": "mail",
    "subscribe button": "subscribe",
    "sales": "sale",
    "serach bar": "search",
}
"""What people say → the id of what they mean, in the page, a shadow root or a frame."""


async def test_elements_are_found_by_the_words_that_people_use(running: Companion, site: Site) -> None:
    async with using(running, site.url("shop.html")) as client:
        tab = await tab_at(running, "shop.html")
        wrong = {}
        for query, wanted in QUERIES.items():
            found = await finds(client, query)
            assert len(found) <= 10
            first = await id_of(tab, found[0]["ref"]) if found else None
            if first != wanted:
                wrong[query] = first
        assert wrong == {}
        plain = (await finds(client, "from €49.00"))[0]
        assert (plain["tag"], plain["text"]) == ("p", "From €49.00")


async def id_of(tab: Tab, ref: str) -> str:
    """The id attribute of the element that the agent would act on."""
    element = await find(tab, Target(uid=ref))
    described = str(await in_page(element.document, "describe", element))
    return described.strip("<>").partition("#")[2].partition(".")[0]


async def test_nothing_found_tells_what_there_is(running: Companion, site: Site) -> None:
    async with using(running, site.page(FORM)) as client:
        none = await call(client, "browser_find", query="helicopter landing pad")
        assert none["found"] == []
        assert "textbox" in none["snapshot"]
        assert none["hint"]
        result = await client.call_tool("browser_click", {"selector": "#nowhere"})
        assert result.is_error
        assert text(result).startswith("ELEMENT_NOT_FOUND: ")
        assert 'textbox "Name"' in text(result)
        assert len(text(result)) < 5000
        assert "take_snapshot" not in text(result)


async def test_a_dialog_is_told_and_answered(running: Companion, site: Site) -> None:
    page = "<title>Ask</title><button onclick='document.title = prompt(`Your name?`)'>Ask</button>"
    async with using(running, site.page(page)) as client:
        asked = await call(client, "browser_click", text="Ask")
        assert "Your name?" in asked["notes"][0]
        assert "browser_click" in (await fails(client, "browser_screenshot"))["fix"]
        await does(client, "click", dialog="accept", promptText="Ada")
        assert await result_of(client, "document.title") == "Ada"


async def test_scrolling_tells_how_far_it_went(running: Companion, site: Site) -> None:
    page = """<title>Long</title><body style="margin: 0"><div style="height: 3000px"></div>
    <div id=box style="height: 100px; overflow: auto"><div style="height: 400px">"""
    async with using(running, site.page(page)) as client:
        down, _ = await does(client, "scroll", direction="down", amount=500)
        assert (down["scrolled"], await result_of(client, "scrollY")) == (500, 500)
        up, _ = await does(client, "scroll", direction="up", amount=9000)
        assert (up["scrolled"], up["left"]) == (500, 0)
        box, _ = await does(client, "scroll", direction="down", amount=50, selector="#box")
        assert (box["scrolled"], box["left"]) == (50, 250)
        assert (await does(client, "scroll", direction="down"))[0]["scrolled"] > 300


async def test_a_page_that_grows_at_its_end_has_grown(running: Companion, site: Site) -> None:
    page = """<title>Endless</title><div style="height: 2000px"></div><p id=end>End</p><script>
    new IntersectionObserver(([seen]) => seen.isIntersecting && setTimeout(
      () => end.insertAdjacentHTML("beforebegin", "<div style='height: 1500px'>More</div>"), 200)).observe(end)
    </script>"""
    async with using(running, site.page(page)) as client:
        done, _ = await does(client, "scroll", direction="down", amount=9000)
        assert done["left"] >= 1500


async def test_tabs_are_named_once(running: Companion, site: Site) -> None:
    async with using(running, site.page("<title>One</title>")) as client:
        one = (await call(client, "browser_tabs"))["tabs"]
        assert [tab["title"] for tab in one if "yours" in tab] == ["One"]
        two = await call(client, "browser_navigate", url=site.page("<title>Two</title>"), newTab=True)
        assert await result_of(client, "document.title") == "Two"
        first = next(tab["id"] for tab in one if "yours" in tab)
        assert (await call(client, "browser_execute_js", code="document.title", tab=first))["result"] == "One"
        assert await result_of(client, "document.title") == "One"
        listed = (await call(client, "browser_tabs"))["tabs"]
        index = [tab["id"] for tab in listed].index(two["tab"])
        shot = await client.call_tool("browser_screenshot", {"tabIndex": index})
        assert not shot.is_error
        assert await result_of(client, "document.title") == "Two"
        assert (await fails(client, "browser_screenshot", tabIndex=len(listed)))["code"] == "TAB_NOT_FOUND"
        missing = await fails(client, "browser_screenshot", tab="no such tab")
        assert (missing["code"], "browser_tabs" in missing["fix"]) == ("TAB_NOT_FOUND", True)


async def test_a_tab_that_a_click_opens_is_named(running: Companion, site: Site) -> None:
    there = site.page("<title>There</title>")
    async with using(
        running, site.page(f"<title>Here</title><a href='{there}' target=_blank>Go</a>")
    ) as client:
        (opened,) = (await does(client, "click", text="Go"))[0]["openedTabs"]
        assert await result_of(client, "document.title") == "Here"
        shown = await call(client, "browser_execute_js", code="document.title", tab=opened)
        assert shown["result"] == "There"


async def test_an_agent_with_no_tab_among_many_opens_one_of_its_own(running: Companion, site: Site) -> None:
    async with (
        using(running, site.page("<title>Theirs</title>")) as other,
        using(running, site.page("<title>Theirs too</title>")),
        agent(running.mcp_url, "Newcomer", query="?toolsets=browser") as newcomer,
    ):
        lost = await fails(newcomer, "browser_screenshot")
        assert lost["code"] == "MULTIPLE_TABS"
        assert "browser_tabs" in lost["fix"] or "'tab'" in lost["fix"]
        await call(newcomer, "browser_navigate", url=site.page("<title>Mine</title>"))
        assert await result_of(newcomer, "document.title") == "Mine"
        assert await result_of(other, "document.title") == "Theirs"


async def test_the_only_page_there_is_stays_with_whose_it_is(running: Companion, site: Site) -> None:
    async with (
        using(running, site.page("<title>Theirs</title>")) as other,
        agent(running.mcp_url, "Newcomer", query="?toolsets=browser") as newcomer,
    ):
        await call(newcomer, "browser_navigate", url=site.page("<title>Mine</title>"))
        assert await result_of(other, "document.title") == "Theirs"
        assert await result_of(newcomer, "document.title") == "Mine"


async def test_a_download_is_told_once(running: Companion, site: Site) -> None:
    async with using(running, site.page("<title>Here</title>")) as client:
        file = site.page("data", Content_Disposition="attachment; filename=a.txt")
        told = await fails(client, "browser_navigate", url=file)
        assert ("is a download" in told["message"], "browser_execute_js" in told["fix"]) == (True, True)
        assert "notes" not in (await does(client, "click", x=5, y=5))[0]


async def test_scripts_and_their_errors(running: Companion, site: Site) -> None:
    async with using(running, site.page("<title>Run</title>")) as client:
        assert await result_of(client, "await new Promise((done) => done({a: [1]}))") == {"a": [1]}
        assert await result_of(client, "const a = 2; return a + 1") == 3
        assert (await fails(client, "browser_execute_js", code="nope()"))["code"] == "EXECUTION_ERROR"


async def test_the_toolset_has_ten_tools(running: Companion) -> None:
    names = "screenshot navigate click type read_page find scroll wait tabs execute_js"
    assert [tool.name for tool in BROWSER.tools] == [f"browser_{name}" for name in names.split()]
    async with agent(running.mcp_url, query="?toolsets=browser") as client:
        listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == [tool.name for tool in BROWSER.tools]
