from pathlib import PurePosixPath, PureWindowsPath

import pytest

from pageside.chrome.authored import Authored

names = Authored(PurePosixPath("/home/ada/shop"), "http://localhost:5173")


@pytest.mark.parametrize(
    ("url", "short"),
    [
        ("http://localhost:5173/src/app.css?t=1700000000000", "src/app.css"),
        ("http://localhost:5173/home/ada/shop/src/my%20app.scss", "src/my app.scss"),
        ("http://localhost:5173/@fs/home/ada/shop/src/app.css", "src/app.css"),
        ("http://localhost:5173/@fs/home/ada/lib/ui.css", "home/ada/lib/ui.css"),
        ("file:///home/ada/shop/src/app.scss", "src/app.scss"),
        ("/home/ada/shop/src/App.vue?vue&type=style&index=0&lang.css", "src/App.vue"),
        ("/home/ada/shop2/a.css", "/home/ada/shop2/a.css"),
        ("/home/ada/node_modules/.x/node_modules/ui/a.css", "node_modules/ui/a.css"),
        ("webpack:///./src/app.ts", "src/app.ts"),
        ("https://cdn.example/ui.css?v=3#x", "https://cdn.example/ui.css"),
        ("http://localhost:5173/", "http://localhost:5173/"),
        ("http://[bad", "http://[bad"),
    ],
)
def test_a_source_is_called_by_its_path_in_the_project(url: str, short: str) -> None:
    assert names.short(url) == short


def test_a_path_on_windows_is_found_in_its_project() -> None:
    windows = Authored(PureWindowsPath("C:\\shop"), "http://localhost:5173")
    assert windows.short("C:\\shop\\src\\app.css") == "src/app.css"
    assert windows.short("file:///C:/shop/src/app.css") == "src/app.css"
