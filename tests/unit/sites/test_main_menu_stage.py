"""Sites get their main menu by a stage of its own."""

from pathlib import Path

import pyarrow as pa
import pytest

from sitestrata import sample
from sitestrata.model import TABLES
from sitestrata.run.listing import list_sites
from sitestrata.run.mine import mine
from sitestrata.sites.main_menu_stage import find_main_menus
from sitestrata.urls import url_id
from support.html_webs import HtmlWeb, menu


def test_the_page_behind_a_cover_has_the_contents() -> None:
    home, start = "http://a.example/", "http://a.example/start"
    chapters = {name: f"http://a.example/{name}" for name in ("Installing", "Using", "Extending", "Index")}
    pages = {home: f'<a href="{start}">Enter</a>', start: menu(chapters), **dict.fromkeys(chapters.values(), "<p>-")}

    reader = HtmlWeb(pages)
    columns = {"page_id": [url_id(url) for url in pages], "site": [url_id(home)] * len(pages)}
    reader.tables["boundaries"] = pa.table(columns)
    reader.tables.update((name, TABLES[name].schema.empty_table()) for name in ("menu_items", "regions"))

    rows = find_main_menus(reader, None)["main_menus"].to_pylist()

    assert [(url_id(home), label) for label in chapters] == [(row["site"], row["label"]) for row in rows]


@pytest.mark.slow
def test_sites_of_a_web_show_their_main_menu(tmp_path: Path) -> None:
    warc = tmp_path / "web.warc"
    sample.write(warc, seed=5, pages=60, only=["shop"])

    rows = list(list_sites(mine([warc], tmp_path / "ws")))

    assert rows[0]["main_menu"]
    assert {"label", "url"} == set(rows[0]["main_menu"][0])
