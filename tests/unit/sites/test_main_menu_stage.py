"""Sites get their main menu by a stage of its own."""

from pathlib import Path

import pytest

from sitestrata import sample
from sitestrata.run.listing import list_sites
from sitestrata.run.mine import mine


@pytest.mark.slow
def test_sites_of_a_web_show_their_main_menu(tmp_path: Path) -> None:
    warc = tmp_path / "web.warc"
    sample.write(warc, seed=5, pages=60, only=["shop"])

    rows = list(list_sites(mine([warc], tmp_path / "ws")))

    assert rows[0]["main_menu"]
    assert {"label", "url"} == set(rows[0]["main_menu"][0])
