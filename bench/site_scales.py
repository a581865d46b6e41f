"""How well are the sites of a workspace found from their home page, from one random page, from three?

    python bench/site_scales.py WS TRUTH.tsv MENUS.json [--live]

TRUTH.tsv has the columns url and site; MENUS.json names each site's home page ("home" or "entry"). Mean F1 over the
sites with at least 15 pages, of the chosen scale and of the best of the three shown; with and without addresses.
With --sites the page sets of the workspace's sites stage are handed in as evidence, as `sitestrata site --in` does (for
the figures without addresses mine with --no-url-evidence).
With --live the crawl is simulated on the workspace's links: fetches per true page to recall .8 (4.0 where it is never
reached), fetches per true page and waste at the stop, and F1 of what is inside.
"""

import argparse
import csv
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from sitestrata.flow.live import LiveOptions, LiveSite
from sitestrata.flow.network import flow_network
from sitestrata.flow.scales import find_site
from sitestrata.run.site import site_sets, workspace_web
from sitestrata.run.workspace import open_workspace

LEAST = 15


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("workspace", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("menus", type=Path)
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--sites", action="store_true")
    parser.add_argument("--draws", type=int, default=2, help="random starts per site")
    options = parser.parse_args()
    workspace = open_workspace(options.workspace)
    web = workspace_web(workspace)
    position = {url: page for page, url in enumerate(web.urls)}
    members = defaultdict(list)
    with options.truth.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["url"] in position:
                members[row["site"]].append(position[row["url"]])
    homes = {
        site: position.get(entry.get("home") or entry.get("entry"))
        for site, entry in json.loads(options.menus.read_text(encoding="utf-8")).items()
    }
    sites = {site: np.unique(pages) for site, pages in sorted(members.items()) if len(set(pages)) >= LEAST}
    for use_urls in (True, False):
        for kind in ("home", "one", "three")[: 2 if options.live else 3]:
            seeds = list(draw(sites, homes, kind, options.draws))
            if options.live:
                links = links_of(workspace, web)
                rows = [simulate(web, links, sites[site], seed[0], use_urls=use_urls) for site, seed in seeds]
                text = "to recall .8: {:.3f}, fetched: {:.3f}, waste: {:.3f}, F1: {:.3f}"
            else:
                network = flow_network(web, use_urls=use_urls)
                rows = []
                known = site_sets(workspace, web, use_urls=use_urls) if options.sites else None
                for site, seed in seeds:
                    ranked = find_site(network, seed, evidence=known).ranked
                    scores = [f1(scale.pages, sites[site]) for scale in ranked]
                    rows.append((scores[0], max(scores)))
                text = "chosen: {:.3f}, best of three: {:.3f}"
            means = text.format(*np.mean(rows, axis=0))
            print(f"{'with' if use_urls else 'without'} addresses, {kind}: {means} ({len(rows)} starts)", flush=True)


def draw(sites, homes, kind: str, draws: int):
    rng = np.random.default_rng(7)
    for site, pages in sites.items():
        if kind == "home":
            if homes.get(site) is not None:
                yield site, [homes[site]]
        else:
            for _ in range(draws):
                yield site, rng.choice(pages, 1 if kind == "one" else 3, replace=False).tolist()


def f1(found: np.ndarray, true: np.ndarray) -> float:
    return 2 * len(np.intersect1d(found, true)) / (len(found) + len(true))


def links_of(workspace, web) -> dict[str, list[str]]:
    """Return the link targets of every page as addresses; those that were never captured count as targets too."""
    table = workspace.arrow("urls")
    names = dict(zip(table["url_id"].to_pylist(), table["url"].to_pylist(), strict=True))
    names.update(zip(web.ids.tolist(), web.urls, strict=True))
    targets = [names.get(target, "") for target in web.target_ids.tolist()]
    ends = web.indptr.tolist()
    return {
        url: [name for t in web.targets[ends[page] : ends[page + 1]].tolist() if (name := targets[t])]
        for page, url in enumerate(web.urls)
    }


def simulate(web, links, true: np.ndarray, start: int, *, use_urls: bool) -> tuple[float, float, float, float]:
    position = {url: page for page, url in enumerate(web.urls)}
    wanted = set(true.tolist())
    live = LiveSite([web.urls[start]], LiveOptions(use_urls=use_urls))
    fetched = right = 0
    reached = 4.0
    while (url := live.wanted()) is not None and fetched < 4 * len(true) + 50:
        if url not in position:  # an address that answers with an error, or no page
            live.observe(url, None)
            continue
        fetched += 1
        right += position[url] in wanted
        if reached == 4.0 and right >= 0.8 * len(true):
            reached = fetched / len(true)
        live.observe(url, links[url], title=web.titles[position[url]])
    inside = np.array([position[url] for url in live.answer()["inside"]], np.int64)
    return reached, fetched / len(true), (fetched - right) / max(fetched, 1), f1(inside, true)


if __name__ == "__main__":
    main()
