"""The words that people use for parts of a page: which mean the same, and which name a kind of element."""

from __future__ import annotations

_SAME = (
    "login | log in | logon | log on | sign in | signin",
    "logout | log out | logoff | sign out | signout",
    "signup | sign up | register | registration | create account | create an account | join",
    "search | find | look up | lookup | magnifier | magnifying glass | 🔍 | 🔎",
    "cart | basket | bag | shopping cart | shopping basket | shopping bag | trolley | 🛒 | 🛍",
    "checkout | check out | proceed to payment",
    "buy | purchase | order now",
    "menu | hamburger | burger | ☰ | ≡",
    "close | dismiss | x | × | ✕ | ✖ | ✗ | ⨯ | ❌",
    "delete | remove | trash | bin | erase | 🗑",
    "edit | modify | pencil | ✎ | ✏ | 🖉",
    "settings | setting | preferences | options | config | configuration | gear | cog | ⚙",
    "compose | new message | new mail | new email | new post | create post | write post | post | tweet | pencil",
    "send | submit | paper plane | ➤",
    "save | apply | floppy | 💾",
    "next | continue | forward | → | › | » | ❯ | ▶",
    "back | previous | prev | ← | ‹ | « | ❮ | ◀",
    "confirm | ok | okay | accept | agree | yes | allow | ✓ | ✔",
    "cancel | abort | discard",
    "reject | decline | deny | refuse | no thanks",
    "add | plus | new | create | + | ＋ | ➕",
    "like | heart | favorite | favourite | ♥ | ♡ | ❤",
    "star | rate | rating | ★ | ☆",
    "share | 🔗",
    "comment | reply | respond | 💬",
    "profile | account | avatar | my page | user menu",
    "upload | attach | attachment | paperclip | 📎",
    "download | export | ⬇",
    "help | support | faq | question mark | ?",
    "notification | alert | bell | 🔔",
    "home | homepage | start page | 🏠",
    "password | passphrase | passcode",
    "email | e mail | mail | inbox | ✉",
    "phone | telephone | mobile | ☎",
    "username | user name | user id | login name",
    "filter | refine | funnel",
    "refresh | reload | ⟳ | ↻",
    "play | ⏵ | ►",
    "pause | ⏸",
    "more | kebab | ellipsis | overflow | … | ⋯ | ⋮ | ...",
    "expand | show more | unfold | ▾ | ▼",
    "collapse | show less | fold | ▴ | ▲",
    "language | locale | 🌐",
    "photo | picture | image | img | camera | 📷",
    "quantity | qty | amount",
    "wishlist | wish list | saved items",
    "theme | dark mode | light mode | appearance | 🌙",
    "fullscreen | full screen | maximize | ⛶",
    "calendar | date picker | 📅",
    "schedule | later | 🕒",
)

SAME: dict[str, str] = {
    form: group.split(" | ")[0] for group in reversed(_SAME) for form in group.split(" | ")
}
"""Words and phrases → the word that stands for all that mean the same."""

_FIELDS = frozenset(
    {"textbox", "searchbox", "combobox", "spinbutton", "Date", "DateTime", "Time", "Month", "Week"}
)
_BUTTONS = frozenset({"button", "switch", "menuitem", "link", "tab"})
_MENUS = frozenset({"menu", "menubar", "combobox", "listbox", "button", "navigation"})
_IMAGES = frozenset({"img", "image", "figure", "button", "link"})

_UNSPACED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("ボタン", "按钮", "按鈕", "버튼"), _BUTTONS),
    **dict.fromkeys(("リンク", "链接", "連結", "링크"), frozenset({"link", "button", "menuitem"})),
    **dict.fromkeys(("入力欄", "ボックス", "输入框", "輸入框", "框", "栏", "欄", "입력란"), _FIELDS),
}
KINDS: dict[str, frozenset[str]] = {
    **_UNSPACED,
    **dict.fromkeys(("button", "btn", "cta"), _BUTTONS),
    **dict.fromkeys(("link", "hyperlink", "url"), frozenset({"link", "button", "menuitem"})),
    **dict.fromkeys(
        (
            "field",
            "input",
            "box",
            "bar",
            "textbox",
            "textarea",
            "entry",
            "editor",
            "text field",
            "text box",
            "text area",
            "text input",
            "input field",
            "input box",
            "searchbox",
            "searchbar",
        ),
        _FIELDS,
    ),
    **dict.fromkeys(
        ("checkbox", "check box", "tickbox"), frozenset({"checkbox", "switch", "menuitemcheckbox"})
    ),
    **dict.fromkeys(("toggle", "switch"), frozenset({"switch", "checkbox", "button"})),
    **dict.fromkeys(("radio", "radio button"), frozenset({"radio", "menuitemradio"})),
    **dict.fromkeys(
        ("dropdown", "drop down", "select", "picker", "selector", "combobox", "combo box"),
        frozenset({"combobox", "listbox", "menu", "button", "Date", "Color"}),
    ),
    **dict.fromkeys(("tab",), frozenset({"tab", "link", "button"})),
    **dict.fromkeys(("heading", "title", "headline"), frozenset({"heading"})),
    "header": frozenset({"banner", "heading"}),
    **dict.fromkeys(("icon",), _IMAGES),
    **dict.fromkeys(("image", "picture", "photo", "logo"), _IMAGES),
    **dict.fromkeys(("menu",), _MENUS),
    **dict.fromkeys(
        ("dialog", "modal", "popup", "pop up", "overlay"), frozenset({"dialog", "alertdialog", "region"})
    ),
    **dict.fromkeys(("slider", "range"), frozenset({"slider"})),
    **dict.fromkeys(
        ("option", "item", "entry"), frozenset({"option", "menuitem", "listitem", "treeitem", "row"})
    ),
    **dict.fromkeys(("form",), frozenset({"form", "search"})),
    **dict.fromkeys(("table", "grid"), frozenset({"table", "grid", "treegrid"})),
    **dict.fromkeys(("list",), frozenset({"list", "listbox", "feed"})),
    **dict.fromkeys(("navigation", "nav", "sidebar"), frozenset({"navigation", "complementary", "menubar"})),
    **dict.fromkeys(("video", "player"), frozenset({"Video", "Embed"})),
}
"""Words for a kind of element → the roles that elements of that kind have."""

UNSPACED_KINDS = tuple(sorted(_UNSPACED, key=len, reverse=True))
"""Those that stand right behind a name, the longest first."""

SILENT = frozenset(
    "a an the this that these those to of for in on at with by my your our his her its it is are and or "
    "please where which who what element main".split()
)
"""Words that say nothing about an element."""

CALLED = frozenset("called named labeled labelled titled saying says".split())
"""What stands before is the kind of element, what stands behind is its name."""
