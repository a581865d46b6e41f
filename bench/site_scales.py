"""How well are the sites of a workspace found from their home page, from one random page, from three?

    python bench/site_scales.py WS TRUTH.tsv HOMES [--evidence] [--draws N] [--worst N] [--map MAP.tsv]

Mean F1 over the sites with at least 15 pages, of the chosen scale and of the best of the three shown; with and without
addresses. With --evidence the page sets of the workspace's sites stage are handed in, as `sitestrata site --in` does
(for the figures without addresses mine with --no-url-evidence). See bench/site_starts.py for the files.
"""

import argparse

import numpy as np
from site_starts import add_arguments, draw_starts, read_case

from sitestrata.flow.network import flow_network
from sitestrata.flow.scales import find_site
from sitestrata.run.site import site_sets


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_arguments(parser)
    parser.add_argument("--evidence", action="store_true", help="hand in the page sets of the sites stage")
    parser.add_argument("--without", action="store_true", help="only with addresses withheld")
    options = parser.parse_args()
    case = read_case(options)
    for use_urls in (False,) if options.without else (True, False):
        network = flow_network(case.web, use_urls=use_urls)
        known = site_sets(case.workspace, case.web, use_urls=use_urls) if options.evidence else None
        for kind in ("home", "one", "three"):
            rows = []
            for site, seed in draw_starts(case, kind, options.draws):
                ranked = find_site(network, seed, evidence=known).ranked
                scores = [f1(scale.pages, case.sites[site]) for scale in ranked]
                rows.append((scores[0], max(scores), site, len(ranked[0].pages), case.web.urls[seed[0]]))
            chosen, best = np.mean([row[:2] for row in rows], axis=0)
            title = f"{'with' if use_urls else 'without'} addresses, {kind}"
            print(f"{title}: chosen {chosen:.3f}, best of three {best:.3f} ({len(rows)} starts)", flush=True)
            for score, best, site, size, url in sorted(rows)[: options.worst]:
                print(f"    {site} {url}: {score:.2f}, best {best:.2f}; {size} pages for {len(case.sites[site])}")


def f1(found: np.ndarray, true: frozenset[int]) -> float:
    return 2 * len(true.intersection(found.tolist())) / (len(found) + len(true))


if __name__ == "__main__":
    main()
