"""How well does a crawl in search of one site do, from its home page and from random pages?

    python bench/live.py WS TRUTH.tsv HOMES [--draws N] [--sample N] [--worst N] [--map MAP.tsv] [--without | --with]

The crawl is simulated on the links of a workspace; addresses that were never captured answer with an error and are not
counted, those that stand for a captured page redirect to it. Means over the starts in sites with at least 15 pages:

    order       pages fetched per true page until .8 of the site is there, going on in the same order after the stop;
                4.0 where that takes longer; and the same over the starts from which links lead to .8 of the site at all
    breadth     the same starts, breadth-first; worse = share of the starts where the search needed more than that,
                clearly = 2 % more than that
    at stop     pages fetched per true page when the search stops by itself; waste = share of them of other sites
    F1          of what is inside
"""

import argparse
from collections import deque
from dataclasses import dataclass

import numpy as np
from site_starts import Case, add_arguments, draw_starts, read_case

from sitestrata.flow.live import LiveOptions, LiveSite

NEVER = 4.0  # fetches per true page that stand for "never", and after which a search is cut off
RECALL = 0.8
CLEARLY = 1.02  # times the fetches of breadth-first; a page or two of a hundred are chance


@dataclass(frozen=True, slots=True)
class Row:
    site: str
    start: str
    order: float
    breadth: float
    is_reachable: bool
    fetched: float
    waste: float
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_arguments(parser)
    parser.add_argument("--without", action="store_true", help="only with addresses withheld")
    parser.add_argument("--with", dest="with_urls", action="store_true", help="only with addresses")
    options = parser.parse_args()
    case = read_case(options)
    links = links_of(case)
    for use_urls in (True, False):
        if (use_urls and options.without) or (not use_urls and options.with_urls):
            continue
        for kind in ("home", "random"):
            starts = draw_starts(case, kind, options.draws)
            rows = [simulate(case, links, site, start, use_urls=use_urls) for site, (start,) in starts]
            show(f"{'with' if use_urls else 'without'} addresses, {kind}", rows, options.worst)


def links_of(case: Case) -> list[list[str]]:
    """Return the link targets of every page as addresses, in the order of the page, as a crawl sees them.

    Those that were never captured count as targets too.
    """
    web, workspace = case.web, case.workspace
    table = workspace.arrow("urls", ["url_id", "url"])
    names = dict(zip(table["url_id"].to_pylist(), table["url"].to_pylist(), strict=True))
    meant = {}
    if "aliases" in workspace.tables:
        aliases = workspace.arrow("aliases", ["url_id", "page_id"])
        meant = dict(zip(aliases["url_id"].to_pylist(), aliases["page_id"].to_pylist(), strict=True))
    names.update(zip(web.ids.tolist(), web.urls, strict=True))
    positions = {page: position for position, page in enumerate(web.ids.tolist())}
    rows = workspace.arrow("links", ["page", "ordinal", "target"]).sort_by(
        [("page", "ascending"), ("ordinal", "ascending")]
    )
    links: list[dict[str, None]] = [{} for _ in web.urls]
    for page, target in zip(rows["page"].to_pylist(), rows["target"].to_pylist(), strict=True):
        place, name = positions.get(meant.get(page, page)), names.get(meant.get(target, target), "")
        if place is not None and name:
            links[place][name] = None
    return [list(targets) for targets in links]


def simulate(case: Case, links: list[list[str]], site: str, start: int, *, use_urls: bool) -> Row:
    true, urls = case.sites[site], case.web.urls
    live = LiveSite([urls[start]], LiveOptions(use_urls=use_urls))
    fetched = right = 0
    order, stop, inside = NEVER, None, set()
    while True:
        url = live.wanted() if fetched < NEVER * len(true) + 50 else None
        if url is None and stop is None:
            stop = fetched, right
            inside = {case.page_of[url] for url in live.answer()["inside"]}
            live.options = LiveOptions(use_urls=use_urls, to_budget=True)
            continue
        if url is None or (stop is not None and (order < NEVER or fetched >= NEVER * len(true))):
            break
        page = case.page_of.get(url)
        if page is None:  # an address that answers with an error, or no page
            live.observe(url, None)
            continue
        is_new = urls[page] not in live.pages
        fetched += is_new
        right += is_new and page in true
        if order == NEVER and right >= RECALL * len(true):
            order = min(fetched / len(true), NEVER)
        live.observe(url, links[page], title=case.web.titles[page], address=urls[page])
    common = len(inside & true)
    fetched, right = stop
    breadth, is_reachable = breadth_first(case, links, true, start)
    return Row(
        site,
        urls[start],
        order,
        breadth,
        is_reachable,
        fetched / len(true),
        (fetched - right) / max(fetched, 1),
        common / max(len(inside), 1),
        common / len(true),
    )


def breadth_first(case: Case, links: list[list[str]], true: frozenset[int], start: int) -> tuple[float, bool]:
    """Return the fetches per true page to the recall, and whether links lead there at all."""
    seen, queue = {start}, deque([start])
    fetched = right = 0
    while queue:
        page = queue.popleft()
        fetched += 1
        right += page in true
        if right >= RECALL * len(true):
            return min(fetched / len(true), NEVER), True
        for target in links[page]:
            there = case.page_of.get(target)
            if there is not None and there not in seen:
                seen.add(there)
                queue.append(there)
    return NEVER, False


def show(title: str, rows: list[Row], worst: int) -> None:
    near = [row for row in rows if row.is_reachable]
    parts = [
        f"order {mean(row.order for row in rows):.3f}, reachable ({len(near)}) {mean(row.order for row in near):.3f}",
        f"breadth {mean(row.breadth for row in rows):.3f}, reachable {mean(row.breadth for row in near):.3f}",
        f"worse {mean(row.order > row.breadth for row in rows):.3f}",
        f"clearly worse {mean(row.order > CLEARLY * row.breadth for row in rows):.3f}",
        f"at stop {mean(row.fetched for row in rows):.3f}, waste {mean(row.waste for row in rows):.3f}",
        f"F1 {mean(row.f1 for row in rows):.3f}",
    ]
    print(f"{title}: {'; '.join(parts)} ({len(rows)} starts)", flush=True)
    for row in sorted(rows, key=lambda row: (row.f1, row.site))[:worst]:
        print(
            f"    {row.site} {row.start}: P {row.precision:.2f} R {row.recall:.2f}, at stop {row.fetched:.2f}, "
            f"order {row.order:.2f}, breadth {row.breadth:.2f}{'' if row.is_reachable else ', not reachable'}"
        )


def mean(values) -> float:
    found = [float(value) for value in values]
    return float(np.mean(found)) if found else float("nan")


if __name__ == "__main__":
    main()
