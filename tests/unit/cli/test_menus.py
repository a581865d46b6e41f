"""`sitestrata menus` on one page."""

import json
from pathlib import Path

from click.testing import CliRunner

from sitestrata.cli import main

TEXT = "A sentence that is long enough to be read as running text, and that holds no link at all. " * 20


def test_one_page_lists_its_menu_links_with_addresses(tmp_path: Path) -> None:
    items = "".join(
        f'<li><a href="{word}.html">{word}</a></li>' for word in ("Home", "News", "Sports", "Money", "Help")
    )
    page = tmp_path / "page.html"
    page.write_text(f'<body><nav><ul>{items}</ul></nav><main><p>{TEXT}<a href="x.html">a link</a> {TEXT}</p></main>')

    result = CliRunner().invoke(main, ["menus", str(page), "--base-url", "https://s.example/", "--json"])

    (row,) = json.loads(result.stdout)
    assert ["Home", "News", "Sports", "Money", "Help"] == [item["label"] for item in row["items"]]
    assert "https://s.example/News.html" == row["items"][1]["url"]


def test_one_page_has_no_sites_and_no_roles(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<a href=a>a</a>")

    assert 2 == CliRunner().invoke(main, ["menus", str(page), "--role", "main"]).exit_code
