"""What addresses say of two sections: learned from the collection, never a fixed weight."""

import numpy as np

from sitestrata.sites.places import places_of
from sitestrata.sites.trust import address_votes


def votes_of(
    urls: list[str], section: list[int], pairs: list[tuple[int, int]], *, are_held: bool = True
) -> list[float]:
    size = np.bincount(section)
    small, large = np.array(pairs).T
    held = np.full(len(pairs), are_held)
    ties = np.ones(len(pairs))
    votes = address_votes(places_of(urls), np.array(section), size, small, large, ties, held, np.ones(len(size), bool))
    return [round(float(vote), 3) for vote in votes]


def test_hosts_that_share_a_section_count_as_one_however_its_pages_are_split() -> None:
    """Half of the pages of section 0 are on each host, so that neither is the host of the section."""
    urls = [f"http://{host}.example/{page}" for page in range(4) for host in ("a", "b")]
    urls += [f"http://b.example/more/{page}" for page in range(4)]
    apart = [f"http://h{host}.example/{page}" for host in range(40) for page in range(4)]
    section = [0] * 8 + [1] * 4 + [2 + page // 4 for page in range(160)]

    shared, *never = votes_of([*urls, *apart], section, [(0, 1), *((n, n + 1) for n in range(2, 41))])

    assert shared == 0
    assert max(never) < 0


def test_a_shelf_says_nothing_of_two_that_nothing_holds_together() -> None:
    """Two manuals in one folder: without a page in the folder itself only what meets elsewhere is held by it."""
    urls = [f"http://a.example/shelf/{book}/{page}" for book in ("one", "two") for page in range(4)]
    section = [0] * 4 + [1] * 4
    with_home = [*urls, "http://a.example/shelf/"]

    assert votes_of(urls, section, [(0, 1)], are_held=False) == [0.0]
    assert votes_of(urls, section, [(0, 1)])[0] > 0
    assert votes_of(with_home, [*section, 2], [(0, 1)], are_held=False)[0] > 0
