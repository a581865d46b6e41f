"""Small webs for tests: pages with links, files and titles, as the evidence that sites are found from."""

from collections.abc import Mapping, Sequence

import numpy as np

from sitestrata.graph.incidence import incidence
from sitestrata.sites.evidence import PageEvidence, beside, linked_pairs
from sitestrata.sites.fixtures import find_fixtures
from sitestrata.sites.places import places_of


def web(
    links: Mapping[str, Sequence[str]],
    *,
    resources: Mapping[str, Sequence[str]] | None = None,
    titles: Mapping[str, str] | None = None,
    ways: Mapping[tuple[str, str], str] | None = None,
) -> PageEvidence:
    """Build evidence from links between addresses; addresses that are no key are pages that were not captured.

    ``ways`` says for a page and a target where on the page the link stands.
    """
    urls = sorted(links)
    row = {url: number for number, url in enumerate(urls)}
    column = dict(row)
    rows, columns, pairs = list(range(len(urls))), list(range(len(urls))), set()
    for url, targets in links.items():
        for target in targets:
            rows.append(row[url])
            columns.append(column.setdefault(target, len(column)))
            if target in row and target != url:
                pairs.add((row[url], row[target]))
    way_number: dict[str, int] = {"": 0}
    way_cells = [(row[url], way_number.setdefault(way, len(way_number))) for (url, _), way in (ways or {}).items()]
    address = {number: url for url, number in column.items()}
    way_of_cell = np.array(
        [
            way_number[(ways or {}).get((urls[page], address[number]), "")]
            for page, number in zip(rows, columns, strict=True)
        ],
        np.int64,
    )
    files: dict[str, int] = {}
    words: dict[str, int] = {}
    file_cells = [
        (row[url], files.setdefault(name, len(files))) for url, names in (resources or {}).items() for name in names
    ]
    word_cells = [
        (row[url], words.setdefault(word, len(words)))
        for url, title in (titles or {}).items()
        for word in title.split()
    ]
    is_outside = np.array(columns, np.int64) >= len(urls)
    source, target = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    low, high, both_ways = linked_pairs(source, target, len(urls))
    return PageEvidence(
        page_id=np.arange(len(urls)),
        url=urls,
        places=places_of(urls),
        title=[(titles or {}).get(url) for url in urls],
        source=source,
        target=target,
        linked=(low, high),
        both_ways=both_ways,
        beside=beside(np.array(rows, np.int64)[is_outside], np.array(columns, np.int64)[is_outside], len(urls)),
        targets=incidence(len(urls), rows, columns),
        fixtures=find_fixtures(
            len(urls),
            np.array(rows, np.int64),
            way_of_cell,
            np.array(columns, np.int64),
            (low[both_ways], high[both_ways]),
        ),
        resources=incidence(len(urls), [a for a, _ in file_cells], [b for _, b in file_cells]),
        template=incidence(len(urls), [a for a, _ in way_cells], [b for _, b in way_cells]),
        title_words=incidence(len(urls), [a for a, _ in word_cells], [b for _, b in word_cells]),
    )


def menu_site(home: str, pages: int, *, extra: Sequence[str] = (), items: int = 6) -> dict[str, list[str]]:
    """Return a site whose pages all link the same few pages, with ``extra`` links on every page."""
    names = [home, *(f"{home}p{number}" for number in range(1, pages))]
    menu = names[:items]
    return {name: [*menu, *extra] for name in names}
