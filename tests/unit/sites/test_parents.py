"""Sites above sites: by place and links, by links alone where addresses are withheld, never in a circle."""

import numpy as np

from sitestrata.sites.parents import parent_sites
from support.menu_webs import menu_site, web

UNIVERSITY, LAW, ART = "http://www.uni.example/", "http://www.uni.example/law/", "http://art.uni.example/"
SHOP = "http://shop.example/"


def parents(links: dict[str, list[str]], homes: list[str], *, url_evidence: bool = True) -> dict[str, str | None]:
    """Return the home page of the site above each site; a page belongs to the longest home that it begins with."""
    evidence = web(links)
    site = np.array(
        [
            max((len(home), number) for number, home in enumerate(homes) if url.startswith(home))[1]
            for url in evidence.url
        ]
    )
    entry = np.array([evidence.url.index(home) for home in homes])
    above = parent_sites(evidence, site, entry, url_evidence=url_evidence)
    return {home: None if number is None else homes[number] for home, number in zip(homes, above, strict=True)}


def university() -> dict[str, list[str]]:
    links = menu_site(UNIVERSITY, 20) | menu_site(SHOP, 20, extra=["http://www.uni.example/"])
    for department in (LAW, ART):
        links |= menu_site(department, 12, extra=[UNIVERSITY])
    links[f"{UNIVERSITY}p9"] = [*links[f"{UNIVERSITY}p9"], LAW, ART]
    return links


def test_departments_in_a_folder_and_on_a_host_of_the_domain_are_below_the_university() -> None:
    found = parents(university(), [UNIVERSITY, LAW, ART, SHOP])

    assert found == {UNIVERSITY: None, LAW: UNIVERSITY, ART: UNIVERSITY, SHOP: None}


def test_without_addresses_a_site_is_below_the_one_that_all_its_pages_lead_up_to() -> None:
    found = parents(university(), [UNIVERSITY, LAW, ART, SHOP], url_evidence=False)

    assert found == {UNIVERSITY: None, LAW: UNIVERSITY, ART: UNIVERSITY, SHOP: None}


def test_a_place_inside_another_is_no_part_of_it_if_nothing_leads_up() -> None:
    links = menu_site(UNIVERSITY, 20, extra=[LAW]) | menu_site(LAW, 12)

    assert parents(links, [UNIVERSITY, LAW]) == {UNIVERSITY: None, LAW: None}


def test_the_nearest_site_above_is_the_parent() -> None:
    notes = f"{LAW}notes/"
    links = university() | menu_site(notes, 5, extra=[UNIVERSITY, LAW])

    assert parents(links, [UNIVERSITY, LAW, ART, SHOP, notes])[notes] == LAW


def test_no_site_is_above_itself() -> None:
    """Three sites without addresses that lead up in a circle, each hardly answered."""
    homes = [f"http://s{number}.example/" for number in range(3)]
    links: dict[str, list[str]] = {}
    for number, home in enumerate(homes):
        links |= menu_site(home, 12, extra=[homes[(number + 1) % 3]])
    for number, home in enumerate(homes):
        links[f"{home}p9"] = [*links[f"{home}p9"], homes[(number + 2) % 3]]

    found = parents(links, homes, url_evidence=False)

    assert list(found.values()).count(None) == 1
