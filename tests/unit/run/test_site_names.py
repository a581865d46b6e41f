"""Every command calls a site the same."""

from pathlib import Path

from sitestrata.run.explain import explain
from sitestrata.run.export_rows import captures, graph, sites
from sitestrata.run.listing import list_sites
from sitestrata.run.mine import mine

HOME = "http://www.acme.example/"
PAGES = ("index", "fuel", "tanks", "crew")


def test_the_name_that_was_found_is_that_of_every_listing_and_export(tmp_path: Path) -> None:
    menu = "".join(f'<li><a href="{name}.html">{name}</a></li>' for name in PAGES)
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in PAGES:
        title = f"{name} | Acme" if name != "index" else "Acme: rockets for all"
        (folder / f"{name}.html").write_text(f"<title>{title}</title><ul>{menu}</ul><p>About {name}.", encoding="utf-8")

    workspace = mine([folder], tmp_path / "ws", base_url=HOME)

    assert ["Acme"] == [row["name"] for row in list_sites(workspace)]
    assert ["Acme"] == [row["name"] for row in sites(workspace, ())]
    assert "Acme" == explain(workspace, f"{HOME}fuel.html")["site"]["name"]
    assert {"Acme"} == {row["site_name"] for row in captures(workspace, ())}
    assert ["Acme"] == [name for _, name, _ in graph(workspace, "sites", ())[1]]
    assert {"Acme"} == {values[2] for _, _, values in graph(workspace, "pages", ())[1]}
