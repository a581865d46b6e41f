"""A workspace answers with its tables: pages, aliases, and links between the pages they stand for."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pytest

from sitestrata.evaluate import evaluate
from sitestrata.evaluate.answer import answer_of_tables
from sitestrata.evaluate.facts import Facts
from sitestrata.evaluate.links import edges_between
from sitestrata.model import TABLES
from sitestrata.urls import url_id

URLS = [f"http://h.example/{name}" for name in ("a", "b", "c")]
OTHER = "http://h.example/b/index.html"


class Tables:
    """Tables in memory, in the form a stage reads them; two rows a batch."""

    def __init__(self, **tables: pa.Table) -> None:
        self.tables = tables

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        return self.tables[name].select(columns or self.tables[name].column_names)

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        yield from self.read(name, columns).to_batches(max_chunksize=2)

    def query(self, sql: str) -> pa.Table:
        raise AssertionError(f"no query is asked here: {sql}")


def table(name: str, /, **columns: list[object]) -> pa.Table:
    schema = TABLES[name].schema
    return pa.table({column: pa.array(cells, schema.field(column).type) for column, cells in columns.items()})


@pytest.fixture
def tables() -> Tables:
    links = [
        ("a", "b", "a"),
        ("a", "b/index.html", "a"),
        ("b/index.html", "a", "area"),
        ("b", "c", "link"),
        ("c", "c", "a"),
    ]
    ids = {name: url_id(f"http://h.example/{name}") for name in ("a", "b", "c", "b/index.html")}
    return Tables(
        pages=table(
            "pages",
            url_id=[url_id(url) for url in URLS],
            url=URLS,
            title=["A", None, "C"],
            breadcrumb=[[], [], [{"label": "A", "url": URLS[0]}, {"label": "C", "url": URLS[2]}]],
        ),
        aliases=table(
            "aliases",
            url_id=[*(url_id(url) for url in URLS), url_id(OTHER)],
            url=[*URLS, OTHER],
            page_id=[*(url_id(url) for url in URLS), url_id(URLS[1])],
            canonical=[*URLS, URLS[1]],
            is_captured=[True, True, True, False],
        ),
        links=table(
            "links",
            page=[ids[a] for a, _, _ in links],
            target=[ids[b] for _, b, _ in links],
            kind=[kind for _, _, kind in links],
        ),
    )


def test_pages_and_aliases_become_facts(tables: Tables) -> None:
    facts = answer_of_tables(tables, tables.tables, name="ws")

    assert facts.pages is not None
    assert [
        {"url": URLS[0], "title": "A", "trail": "", "canonical": URLS[0]},
        {"url": URLS[1], "title": None, "trail": "", "canonical": URLS[1]},
        {"url": URLS[2], "title": "C", "trail": "A > C", "canonical": URLS[2]},
    ] == facts.pages.to_pylist()
    assert {OTHER: URLS[1]} == facts.aliases


def test_boundaries_and_sites_become_facts(tables: Tables) -> None:
    tables.tables["boundaries"] = table(
        "boundaries", page_id=[url_id(url) for url in URLS], site=[7, 7, 8], confidence=[0.5, 0.5, 1.0]
    )
    tables.tables["sites"] = table("sites", site=[8, 7], entry_url=[URLS[2], URLS[0]], name=["C", "A"])

    facts = answer_of_tables(tables, tables.tables, name="ws")

    assert facts.pages is not None
    assert ["7", "7", "8"] == facts.pages["site"].to_pylist()
    assert [("7", URLS[0]), ("8", URLS[2])] == [(site.site, site.entry) for site in facts.sites]


def test_links_run_between_pages_once_whatever_address_they_use(tables: Tables) -> None:
    source, target = edges_between(tables, tables.tables, URLS)

    assert [(0, 1), (1, 0)] == list(zip(source.tolist(), target.tolist(), strict=True))


def test_places_follow_the_order_of_the_addresses(tables: Tables) -> None:
    source, target = edges_between(tables, tables.tables, URLS[::-1])

    assert {(2, 1), (1, 2)} == set(zip(source.tolist(), target.tolist(), strict=True))


def test_a_workspace_without_sites_still_shows_the_baselines(tables: Tables) -> None:
    gold = Facts("gold", pages=pa.table({"url": URLS, "site": ["s", "s", "t"]}))

    outcome = evaluate(
        answer_of_tables(tables, tables.tables, name="ws"),
        gold,
        baselines=["two-way"],
        edges_between=lambda urls: edges_between(tables, tables.tables, urls),
    )

    assert [("two-way", 1.0)] == [(s.system, s.value) for s in outcome.scores if s.metric == "adjusted_rand"]


def test_an_empty_workspace_answers_nothing() -> None:
    assert [] == answer_of_tables(Tables(), (), name="ws").parts()
    none = edges_between(Tables(links=table("links", page=[], target=[], kind=[])), ("links",), [])
    assert [0, 0] == [len(np.asarray(column)) for column in none]
