"""What a person decided overrules what was found, and nothing else changes."""

from typing import Any

import pyarrow as pa

from sitestrata.model import TABLES, Decision, Site
from sitestrata.sites.decisions import apply_decisions, decided_ids
from sitestrata.urls import url_id

URLS = {host + str(number): f"https://{host}.example/{number or ''}" for host in ("a", "b", "c") for number in range(4)}
ID = {name: url_id(url) for name, url in URLS.items()}
URL_OF = {ID[name]: url for name, url in URLS.items()}


def apply(
    *decisions: Decision, page_of: dict[int, int] | None = None
) -> tuple[dict[int, dict[str, Any]], dict[str, Site]]:
    """Three sites of four pages; the last two pages of each are a section of their own."""
    rows = [
        {
            "page_id": ID[name],
            "site": ID[f"{name[0]}0"],
            "section": ID[f"{name[0]}{0 if name[1] in '01' else 2}"],
            "method": "links",
            "confidence": 0.5,
            "section_votes": 1.0,
            "rival_votes": 0.0,
            "rival_section": None,
            "tie": None,
            "address": None,
        }
        for name in URLS
    ]
    boundaries = pa.Table.from_pylist(rows, schema=TABLES["boundaries"].schema)
    sites = [
        Site(ID[f"{host}0"], URLS[f"{host}0"], f"Site {host}", (f"{host}.example",), 4, 2, None, "links", 0.5)
        for host in "abc"
    ]
    known = page_of if page_of is not None else {number: number for number in decided_ids(decisions)}
    made, records = apply_decisions(
        boundaries, sites, decisions, url_of=URL_OF, title_of={ID["b2"]: "Section two"}, page_of=known
    )
    assert made.schema == TABLES["boundaries"].schema
    assert sorted(record.site for record in records) == [record.site for record in records] or not decisions
    return {row["page_id"]: row for row in made.to_pylist()}, {record.entry_url: record for record in records}


def of(name: str) -> int:
    return ID[name]


def test_without_decisions_everything_stays() -> None:
    rows, sites = apply()

    assert {of("a0"), of("b0"), of("c0")} == {row["site"] for row in rows.values()}
    assert {"Site a", "Site b", "Site c"} == {site.name for site in sites.values()}


def test_a_merge_joins_two_whole_sites_under_the_second() -> None:
    rows, sites = apply(Decision("merge", URLS["b3"], URLS["a1"]))

    assert {of("a0")} == {rows[of(f"{host}{n}")]["site"] for host in "ab" for n in range(4)}
    joined = sites[URLS["a0"]]
    assert (8, 4, ("a.example", "b.example"), "decision") == (
        joined.pages,
        joined.sections,
        joined.hosts,
        joined.method,
    )
    assert URLS["b0"] not in sites
    assert ("decision", 1.0) == (rows[of("b2")]["method"], rows[of("b2")]["confidence"])
    assert ("links", 0.5) == (rows[of("a2")]["method"], rows[of("a2")]["confidence"])
    assert sites[URLS["c0"]] == Site(of("c0"), URLS["c0"], "Site c", ("c.example",), 4, 2, None, "links", 0.5)


def test_a_moved_page_takes_the_section_of_the_page_it_goes_to() -> None:
    rows, sites = apply(Decision("move", URLS["b1"], URLS["a2"]))

    assert (of("a0"), of("a2")) == (rows[of("b1")]["site"], rows[of("b1")]["section"])
    assert (5, 3) == (sites[URLS["a0"]].pages, sites[URLS["b0"]].pages)


def test_a_site_that_loses_its_entry_page_gets_the_next() -> None:
    rows, sites = apply(Decision("move", URLS["b0"], URLS["a0"]))

    assert {of("b1")} == {rows[of(f"b{n}")]["site"] for n in (1, 2, 3)}
    assert (3, "b1") == (
        sites[URLS["b1"]].pages,
        next(name for name, url in URLS.items() if url == sites[URLS["b1"]].entry_url),
    )


def test_a_separated_section_is_a_site_of_its_own() -> None:
    rows, sites = apply(Decision("separate", URLS["b2"]))

    assert {of("b2")} == {rows[of("b2")]["site"], rows[of("b3")]["site"]}
    assert {of("b0")} == {rows[of("b0")]["site"], rows[of("b1")]["site"]}
    assert ("Section two", 2) == (sites[URLS["b2"]].name, sites[URLS["b2"]].pages)


def test_later_decisions_see_what_earlier_ones_did() -> None:
    rows, sites = apply(
        Decision("merge", URLS["b0"], URLS["a0"]),
        Decision("merge", URLS["a0"], URLS["c0"]),
        Decision("name", URLS["b3"], "All of it"),
    )

    assert {of("c0")} == {row["site"] for row in rows.values()}
    assert ("All of it", 12) == (sites[URLS["c0"]].name, sites[URLS["c0"]].pages)


def test_decisions_about_pages_that_are_gone_have_no_effect() -> None:
    rows, sites = apply(Decision("merge", "https://gone.example/", URLS["a0"]), Decision("name", "not an address", "x"))

    assert 3 == len(sites)
    assert all(row["method"] == "links" for row in rows.values())


def test_an_address_that_became_an_alias_is_followed() -> None:
    old = "https://old.example/"
    rows, _ = apply(Decision("merge", old, URLS["a0"]), page_of={url_id(old): of("b2"), of("a0"): of("a0")})

    assert of("a0") == rows[of("b0")]["site"]
