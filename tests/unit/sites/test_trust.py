"""What addresses say of two sections: learned from the collection, never a fixed weight."""

import numpy as np

from sitestrata.sites.trust import address_votes


def votes_of(urls: list[str], section: list[int], pairs: list[tuple[int, int]]) -> list[float]:
    size = np.bincount(section)
    small, large = np.array(pairs).T
    votes = address_votes(urls, np.array(section), size, small, large, np.ones(len(pairs)), np.ones(len(size), bool))
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
