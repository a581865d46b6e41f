"""A collection that is too large is cut along its links into regions of bounded size, and what was cut is joined."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, lists, tuples

from sitestrata.graph.components import connected_components
from sitestrata.graph.link_graph import edges_to_graph
from sitestrata.identity.tables import BONDS, CLAIMS, HOSTS
from sitestrata.model import Alias, RegionPage
from sitestrata.model.components import keep_components
from sitestrata.model.tables import table_from_records
from sitestrata.run import regions
from sitestrata.run.embedded import EmbeddedEngine
from sitestrata.run.mine import mine
from sitestrata.run.nasty import NastyEngine
from sitestrata.run.plan import PLAN, stages_named
from sitestrata.run.regions import RegionOptions, cut_regions
from sitestrata.run.relations import DuckRelations
from sitestrata.run.workspace import Workspace
from sitestrata.sample import write as write_sample
from sitestrata.urls import url_id

from .web import FOUNDATION, page, write_warc

LATER = ("tree", "ontology", "addresses", "entries", "domains")
TO_SITES = stages_named(PLAN, [stage.name for stage in PLAN if stage.name not in LATER])
HALO = 8  # pages: all that the menu of `a_site` leads to, and one more
Links = Iterable[tuple[str, str]]


@pytest.fixture(name="tables")
def _tables() -> Iterator[DuckRelations]:
    with duckdb.connect(":memory:") as connection:
        yield DuckRelations(connection)


@settings(max_examples=40, deadline=None)
@given(edges=lists(tuples(integers(0, 30), integers(0, 30)), max_size=60))
def test_components_are_those_of_the_graph(edges: list[tuple[int, int]]) -> None:
    connection = duckdb.connect(":memory:")
    rows = pa.table({"u": [u for u, _ in edges], "v": [v for _, v in edges]}, schema=_EDGES)
    connection.register("edges", rows)
    graph = edges_to_graph(rows["u"].to_numpy(), rows["v"].to_numpy())
    expected = dict(zip(graph.ids.tolist(), graph.ids[connected_components(graph)].tolist(), strict=True))

    keep_components(DuckRelations(connection), "SELECT u, v FROM edges")

    found = dict(connection.execute("SELECT node, root FROM roots").fetchall())
    assert {node: root for node, root in expected.items() if node != root} == found


_EDGES = pa.schema([("u", pa.int64()), ("v", pa.int64())])


def both_ways(one: str, other: str) -> list[tuple[str, str]]:
    return [(one, other), (other, one)]


def host(name: str, count: int) -> list[str]:
    return [f"http://{name}.example/p{number:03}" for number in range(count)]


def cut(tables: DuckRelations, urls: list[str], links: Links, limit: int) -> list[RegionPage]:
    """Cut pages with links into regions."""
    aliases = [Alias(url_id(url), url, url_id(url), url, (), True) for url in urls]
    edges = [{"page": url_id(a), "target": url_id(b), "kind": "a"} for a, b in links]
    schema = pa.schema([("page", pa.int64()), ("target", pa.int64()), ("kind", pa.string())])
    tables.connection.register("aliases", table_from_records("aliases", aliases))
    tables.connection.register(
        "pages", pa.table({"url_id": [alias.url_id for alias in aliases], "link_count": [0] * len(aliases)})
    )
    tables.connection.register("links", pa.Table.from_pylist(edges, schema))
    query = cut_regions(tables, RegionOptions(limit))["regions"]
    return [RegionPage(*row) for row in tables.connection.execute(query).fetchall()]


def region_of(rows: list[RegionPage], url: str) -> int:
    (found,) = [row.group for row in rows if row.page == url_id(url) and row.own]
    return found


def test_what_fits_is_not_cut(tables: DuckRelations) -> None:
    assert [] == cut(tables, host("a", 10), [], 10)


def test_hosts_that_link_each_other_stay_together(tables: DuckRelations) -> None:
    one, other, third, fourth = (host(name, 6) for name in "abcd")
    links = both_ways(one[0], third[0]) + both_ways(other[0], fourth[0])

    found = cut(tables, one + other + third + fourth, links, 12)

    assert region_of(found, one[1]) == region_of(found, third[1])
    assert region_of(found, other[1]) == region_of(found, fourth[1])
    assert region_of(found, one[1]) != region_of(found, other[1])


def test_of_a_group_that_is_too_large_the_weaker_ties_are_cut(tables: DuckRelations) -> None:
    one, other, third, fourth = (host(name, 6) for name in "abcd")
    strong = [pair for a, c in zip(one, third, strict=True) for pair in both_ways(a, c)]
    strong += [pair for b, d in zip(other, fourth, strict=True) for pair in both_ways(b, d)]

    found = cut(tables, one + other + third + fourth, [*strong, *both_ways(one[0], other[0])], 12)

    assert region_of(found, one[0]) == region_of(found, third[0])
    assert region_of(found, other[0]) == region_of(found, fourth[0])
    assert region_of(found, one[0]) != region_of(found, other[0])


def test_a_hub_joins_nobody(tables: DuckRelations, monkeypatch: pytest.MonkeyPatch) -> None:
    """All hosts and the portal link each other: one group with the links to the portal, none without."""
    monkeypatch.setattr(regions, "HUB_HOSTS", 3)
    hosts = [host(name, 6) for name in "abcd"]
    portal = "http://portal.example/"
    links = [pair for some in hosts for pair in both_ways(some[0], portal)]

    cut(tables, [portal, *(url for some in hosts for url in some)], links, 12)

    assert 0 == tables.number("SELECT count(*) FROM ties")


@settings(max_examples=20, deadline=None)
@given(
    sizes=lists(integers(1, 30), min_size=1, max_size=8),
    pairs=lists(tuples(integers(0, 239), integers(0, 239)), max_size=150),
    limit=integers(8, 40),
)
def test_every_page_is_in_one_region_and_no_region_is_too_large(
    sizes: list[int], pairs: list[tuple[int, int]], limit: int
) -> None:
    urls = [
        f"http://h{number}.example/{'deep/' if page % 3 else ''}{page}"
        for number, size in enumerate(sizes)
        for page in range(size)
    ]
    links = [(urls[a % len(urls)], urls[b % len(urls)]) for a, b in pairs]
    with duckdb.connect(":memory:") as connection:
        found = cut(DuckRelations(connection), urls, links, limit)

    if len(urls) <= limit:
        assert [] == found
    else:
        own = [row for row in found if row.own]
        assert sorted(map(url_id, urls)) == sorted(row.page for row in own)
        assert max(Counter(row.group for row in own).values()) <= limit
        assert not {(row.group, row.page) for row in own} & {(row.group, row.page) for row in found if not row.own}


def a_site(name: str, count: int) -> dict[str, str]:
    """A site whose pages all show one menu, and link the next page."""
    menu = ["/", *(f"/chapter{number}" for number in range(6))]
    paths = [*menu, *(f"/text{number}" for number in range(count - len(menu)))]
    return {
        f"http://{name}.example{path}": page(f"{name} manual", [*menu, f"/text{number}"])
        for number, path in enumerate(paths)
    }


@pytest.fixture(name="web", scope="module")
def _web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = {**a_site("large", 60), **a_site("small", 12), **a_site("other", 12)}
    return write_warc(tmp_path_factory.mktemp("web") / "crawl.warc.gz", pages)


@pytest.fixture(name="whole", scope="module")
def _whole(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return mine([web], tmp_path_factory.mktemp("whole") / "ws", plan=TO_SITES, engine=EmbeddedEngine(1, 1 << 30))


@pytest.fixture(name="parted", scope="module")
def _parted(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    out = tmp_path_factory.mktemp("parted") / "ws"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regions, "HALO_PAGES", HALO)
        return mine([web], out, plan=TO_SITES, engine=EmbeddedEngine(1, 1 << 30), region_links=360)


def partition(workspace: Workspace) -> set[frozenset[int]]:
    members: dict[int, set[int]] = {}
    for row in workspace.arrow("boundaries").select(["page_id", "site"]).to_pylist():
        members.setdefault(row["site"], set()).add(row["page_id"])
    return {frozenset(pages) for pages in members.values()}


def test_a_site_that_was_cut_is_one_site_again(whole: Workspace, parted: Workspace) -> None:
    held = parted.arrow("regions").filter(parted.arrow("regions")["own"])

    assert len(set(held["group"].to_pylist())) > 3
    assert {60, 12} == {len(pages) for pages in partition(whole)}
    assert partition(whole) == partition(parted)
    columns = ["site", "entry_url", "pages", "hosts", "parent"]
    assert whole.arrow("sites").select(columns).sort_by("site") == parted.arrow("sites").select(columns).sort_by("site")


def test_a_menu_that_several_regions_show_is_one_menu(whole: Workspace, parted: Workspace) -> None:
    def shown(workspace: Workspace) -> list[tuple[int, int]]:
        table = workspace.arrow("menu_pages")
        return sorted(zip(table["page"].to_pylist(), table["menu"].to_pylist(), strict=True))

    assert shown(whole) == shown(parted)
    for table, columns in (("menus", ["menu", "pages", "items"]), ("menu_items", ["menu", "ordinal", "target"])):
        one, other = (ws.arrow(table).select(columns) for ws in (whole, parted))
        order = [(column, "ascending") for column in columns[:2]]
        assert one.sort_by(order) == other.sort_by(order)
    assert whole.digest("main_menus") == parted.digest("main_menus")


def test_regions_do_not_depend_on_order(
    web: Path, parted: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regions, "HALO_PAGES", HALO)
    shuffled = mine([web], tmp_path / "ws", plan=TO_SITES, engine=NastyEngine(1), region_links=360)

    assert {name: parted.digest(name) for name in parted.tables} == {
        name: shuffled.digest(name) for name in shuffled.tables
    }


def test_identity_is_the_same_however_hosts_and_addresses_are_cut(tmp_path: Path) -> None:
    """The sample web redirects from host to host; here pages also name each other as canonical, or are twins."""
    write_sample(tmp_path / "web.warc.gz", seed=11, pages=60)
    told = "<link rel=canonical href=http://h{}.example/{}>" + page(
        "One text", ["http://h0.example/", "http://h0.example/p"]
    )
    pages = {
        f"http://h{host}.example/{place}": told.format((host + 1) % 9, number)
        for host in range(9)
        for number in range(4)
        for place in (f"{number}", f"{number}?sort=1", f"{number}?sort=2", f"www/{number}")
    }
    web = [tmp_path / "web.warc.gz", write_warc(tmp_path / "more.warc.gz", pages)]

    whole = mine(web, tmp_path / "whole", plan=FOUNDATION, engine=EmbeddedEngine(1, 1 << 30))
    parted = mine(web, tmp_path / "parted", plan=FOUNDATION, engine=NastyEngine(1), region_addresses=60)

    rules = {rule for row in whole.arrow("aliases")["rules"].to_pylist() for rule in row}
    assert {"redirect", "canonical", "parameter"} <= rules
    for table in (HOSTS, BONDS):
        assert len(set(parted.arrow(table)["group"].to_pylist())) > 3
    assert whole.digest("aliases") == parted.digest("aliases")
    assert whole.digest("rejects") == parted.digest("rejects")


def test_runs_of_a_large_host_vote_together(tmp_path: Path) -> None:
    """Session ids, endings and doubled slashes of one host, each spread over all of its runs."""
    pages = {}
    for number in range(60):
        body = page(f"Page {number}", ["/", f"/f{number % 7}/p{number}"], text=f"This is page {number}.")
        home = f"http://large.example/f{number % 7}"
        pages[f"{home}/p{number}"] = body
        pages[f"{home}/p{number}?zeit={number}x" if number % 2 else f"{home}//p{number}"] = body
    web = [write_warc(tmp_path / "web.warc.gz", pages)]

    whole = mine(web, tmp_path / "whole", plan=FOUNDATION, engine=EmbeddedEngine(1, 1 << 30))
    parted = mine(web, tmp_path / "parted", plan=FOUNDATION, engine=NastyEngine(1), region_addresses=40)

    rules = {rule for row in whole.arrow("aliases")["rules"].to_pylist() for rule in row}
    assert {"parameter", "slashes"} <= rules
    assert 3 <= len(set(parted.arrow(HOSTS)["group"].to_pylist()))
    claims = Counter((row["rule"], row["name"]) for row in parted.arrow(CLAIMS).to_pylist())
    assert claims["parameter", "zeit"] > 1
    assert whole.digest("aliases") == parted.digest("aliases")
