"""Sites that speak of the same things are grouped, however many sites there are."""

import pytest

from sitestrata.ontology import domains
from sitestrata.ontology.domains import find_domains

ASTRONOMY = ("stars", "planets", "comets", "galaxies", "moons")
COOKING = ("soups", "cakes", "breads", "sauces", "salads")
COMMON = ("home", "news", "contact", "about", "search")


def labels(count: int) -> dict[int, frozenset[str]]:
    """Return sites of two domains in turn, all with the same common labels."""
    return {site: frozenset((*COMMON, *(ASTRONOMY if site % 2 else COOKING))) for site in range(count)}


def test_sites_that_share_labels_are_a_domain() -> None:
    only = {site: some - set(COMMON) for site, some in labels(6).items()}

    assert [[0, 2, 4], [1, 3, 5]] == find_domains(only)


def test_one_owner_is_no_domain() -> None:
    only = {site: some - set(COMMON) for site, some in labels(6).items()}

    assert [[0, 2, 4]] == find_domains(only, owners={site: "one" if site % 2 else str(site) for site in only})


def test_labels_of_most_sites_bring_none_together_where_there_are_too_many_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pairs of all sites that the common labels would make are not even counted."""
    pairs_of_domains = 2 * 5 * (3 * 2 // 2)
    monkeypatch.setattr(domains, "MAX_PAIRS", pairs_of_domains)

    assert [[0, 2, 4], [1, 3, 5]] == find_domains(labels(6))
