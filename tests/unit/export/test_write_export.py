"""Workspaces in other formats, read back by programs that are not ours."""

import csv
import json
import re
from pathlib import Path

import csvw
import duckdb
import networkx as nx
import pytest
import yaml
from lxml import etree

from sitestrata.errors import UsageError, WorkspaceError
from sitestrata.run.export import FORMATS, write_export
from sitestrata.run.workspace import Workspace
from sitestrata.urls import url_id
from support.workspaces import PAYLOADS, build_workspace, pages_of, web_of_texts

SHOP = "http://shop.example/"
BLOG = "http://host.example/blog/"
SITES = {
    SHOP: [SHOP, "http://shop.example/a", "http://cdn.shop.example/b"],
    BLOG: [BLOG, "http://host.example/blog/x?a=1&b=2"],
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return build_workspace(tmp_path / "ws", pages_of(SITES))


def listed(path: Path) -> list[str]:
    return [element.text for element in etree.parse(path).getroot().iter("{*}loc")]


def files_by_site(folder: Path) -> dict[str, Path]:
    with (folder / "sites.csv").open(newline="") as file:
        return {row["site"]: folder / row["file"] for row in csv.DictReader(file)}


def test_each_site_has_a_sitemap_of_one_host_or_an_index_of_several(workspace: Workspace, tmp_path: Path) -> None:
    write_export(workspace, "sitemap", tmp_path / "out")
    files = files_by_site(tmp_path / "out")

    assert sorted(SITES[BLOG]) == listed(files[BLOG])
    places = listed(files[SHOP])
    assert ["http://cdn.shop.example", "http://shop.example"] == [place.rpartition("/")[0] for place in places]
    parts = [listed(tmp_path / "out" / place.rpartition("/")[2]) for place in places]
    assert [["http://cdn.shop.example/b"], [SHOP, "http://shop.example/a"]] == parts


def test_the_index_of_sitemaps_can_lie_elsewhere(workspace: Workspace, tmp_path: Path) -> None:
    write_export(workspace, "sitemap", tmp_path / "out", base_url="https://maps.example/all/")

    assert all(
        place.startswith("https://maps.example/all/site-") for place in listed(files_by_site(tmp_path / "out")[SHOP])
    )


@pytest.mark.parametrize("said", ["noindex", "NOINDEX, follow", "none"])
def test_pages_that_must_not_be_indexed_are_in_no_sitemap(said: str, tmp_path: Path) -> None:
    from dataclasses import replace

    tables = pages_of(SITES)
    tables["pages"] = [replace(page, robots=said if page.url == BLOG else "noindexing") for page in tables["pages"]]
    tables["captures"] = [
        replace(capture, robots="noindex" if capture.url.startswith(SHOP) else None) for capture in tables["captures"]
    ]
    done = write_export(build_workspace(tmp_path / "ws", tables), "sitemap", tmp_path / "out")

    assert 2 == done.counts["pages"]
    assert [SITES[BLOG][1]] == listed(files_by_site(tmp_path / "out")[BLOG])


def test_scopes_are_what_crawlers_read(workspace: Workspace, tmp_path: Path) -> None:
    write_export(workspace, "surt", tmp_path / "surt")
    write_export(workspace, "browsertrix", tmp_path / "browsertrix")

    lines = files_by_site(tmp_path / "surt")[SHOP].read_text().splitlines()
    assert ["+http://(example,shop,)/", "+http://(example,shop,cdn,)/"] == sorted(lines)
    config = yaml.safe_load(files_by_site(tmp_path / "browsertrix")[BLOG].read_text())
    assert [{"url": BLOG}] == config["seeds"]
    assert "custom" == config["scopeType"]


@pytest.mark.parametrize("form", ["graphml", "gexf"])
def test_pages_and_sites_are_graphs(form: str, workspace: Workspace, tmp_path: Path) -> None:
    read = nx.read_graphml if form == "graphml" else (lambda path: nx.read_gexf(path, version="1.3"))
    pages = tmp_path / f"pages.{form}"
    sites = tmp_path / f"sites.{form}"

    write_export(workspace, form, pages)
    write_export(workspace, form, sites, level="sites")

    graph = read(pages)
    assert {url for urls in SITES.values() for url in urls} == set(nx.get_node_attributes(graph, "url").values())
    assert 3 * 2 + 2 * 1 == graph.number_of_edges()  # every page of a site links the others
    assert {3, 2} == set(nx.get_node_attributes(read(sites), "pages").values())


def test_csv_holds_the_listings_with_keys_that_hold(workspace: Workspace, tmp_path: Path) -> None:
    write_export(workspace, "csv", tmp_path / "out")

    group = csvw.TableGroup.from_file(tmp_path / "out" / "csv-metadata.json")
    group.check_referential_integrity()
    tables = {str(table.url): list(table.iterdicts()) for table in group.tables}
    assert 5 == len(tables["pages.csv"])
    assert {3, 2} == {row["pages"] for row in tables["sites.csv"]}


def test_every_kind_of_result_has_a_sheet_whose_keys_hold(tmp_path: Path) -> None:
    texts = [text for text in PAYLOADS if text.strip() and text.isprintable()]
    write_export(web_of_texts(tmp_path / "ws", texts), "csv", tmp_path / "out")

    group = csvw.TableGroup.from_file(tmp_path / "out" / "csv-metadata.json")
    group.check_referential_integrity()
    tables = {str(table.url): list(table.iterdicts()) for table in group.tables}
    assert {f"{name}.csv" for name in ("sites", "pages", "menus", "menu_items", "tree", "table_values")} == set(tables)
    assert all(len(rows) == len({tuple(map(str, row.values())) for row in rows}) for rows in tables.values())
    assert len(texts) == len(tables["menu_items.csv"]) == len(tables["tree.csv"]) - 1 == len(tables["table_values.csv"])


def test_captures_answer_queries_for_the_url_index(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    write_export(workspace, "parquet", path)

    rows = duckdb.sql(
        "SELECT url_host_registered_domain, count(*), min(warc_record_offset), any_value(sitestrata_site) "
        f"FROM '{path}' WHERE fetch_status = 200 AND content_mime_type = 'text/html' GROUP BY 1 ORDER BY 1"
    ).fetchall()
    assert [("host.example", 2, 400, BLOG), ("shop.example", 3, 100, SHOP)] == rows


@pytest.mark.parametrize("form", FORMATS)
def test_one_site_can_be_exported_alone(form: str, tmp_path: Path) -> None:
    workspace = web_of_texts(tmp_path / "ws", PAYLOADS)
    both = write_export(workspace, form, tmp_path / "both")
    one = write_export(workspace, form, tmp_path / "one", sites=["http://second.example/"])

    assert sum(one.counts.values()) < sum(both.counts.values())
    assert one.counts


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_workspace_gives_the_same_bytes(form: str, tmp_path: Path) -> None:
    workspace = web_of_texts(tmp_path / "ws", PAYLOADS)
    contents = []
    for name in ("first", "second"):
        write_export(workspace, form, tmp_path / name)
        files = [tmp_path / name] if (tmp_path / name).is_file() else sorted((tmp_path / name).iterdir())
        contents.append([(file.name.replace(name, ""), file.read_bytes()) for file in files])

    assert contents[0] == contents[1]


@pytest.mark.parametrize("form", FORMATS)
def test_no_text_names_a_file(form: str, tmp_path: Path) -> None:
    write_export(web_of_texts(tmp_path / "ws", PAYLOADS), form, tmp_path / "out" / "x")

    names = [path.name for path in (tmp_path / "out").rglob("*")]
    assert [] == [name for name in names if not re.fullmatch(r"[a-z0-9._-]+", name)]
    assert {"ws", "out"} == {path.name for path in tmp_path.iterdir()}


def test_what_is_missing_is_said_with_the_stage_that_makes_it(tmp_path: Path) -> None:
    workspace = build_workspace(tmp_path / "ws", {"rejects": []})

    with pytest.raises(WorkspaceError, match=r"lacks the table .*boundaries.*stage .*sites"):
        write_export(workspace, "sitemap", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_in_use_is_left_alone(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")

    with pytest.raises(UsageError, match="new folder"):
        write_export(workspace, "csv", tmp_path / "out")
    assert ["mine.txt"] == [path.name for path in (tmp_path / "out").iterdir()]


def test_a_site_goes_by_its_entry_page_or_its_id(workspace: Workspace, tmp_path: Path) -> None:
    number = f"{url_id(BLOG) % 2**64:016x}"
    for name in (BLOG, number):
        write_export(workspace, "csv", tmp_path / number / name[:4], sites=[name])

    first, second = ((tmp_path / number / name[:4] / "pages.csv").read_bytes() for name in (BLOG, number))
    assert first == second
    with pytest.raises(UsageError, match="sitestrata sites"):
        write_export(workspace, "csv", tmp_path / "none", sites=["http://nowhere.example/"])


def test_metadata_describes_every_column(workspace: Workspace, tmp_path: Path) -> None:
    write_export(workspace, "csv", tmp_path / "out")
    described = json.loads((tmp_path / "out" / "csv-metadata.json").read_text())

    for table in described["tables"]:
        with (tmp_path / "out" / table["url"]).open(newline="") as file:
            header = next(csv.reader(file))
        assert header == [column["name"] for column in table["tableSchema"]["columns"]]
