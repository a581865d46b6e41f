"""What do merging related MCL clusters and dropping stray pages do to site precision and recall?

    python bench/site_clusters.py WS TRUTH.tsv MENUS.json

For each site with at least 15 pages, the cluster of its home page is compared with the site: MCL on the weighted
graph as `sitestrata cluster` runs it, then after `merge_related`, then after `drop_strays` as well.
"""

import argparse
import csv
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from sitestrata.flow.network import flow_network
from sitestrata.flow.seed import INFLATION, cluster_pages, drop_strays, merge_related
from sitestrata.run.site import workspace_web
from sitestrata.run.workspace import open_workspace

LEAST = 15


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("workspace", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("menus", type=Path)
    parser.add_argument("--inflation", type=float, default=INFLATION)
    options = parser.parse_args()
    web = workspace_web(open_workspace(options.workspace))
    position = {url: page for page, url in enumerate(web.urls)}
    members = defaultdict(set)
    with options.truth.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["url"] in position:
                members[row["site"]].add(position[row["url"]])
    homes = json.loads(options.menus.read_text(encoding="utf-8"))
    network = flow_network(web)
    plain = cluster_pages(network.graph, inflation=options.inflation)
    merged = merge_related(network, plain)
    for title, labels, is_dropped in (
        ("MCL", plain, False),
        ("merged", merged, False),
        ("merged, strays dropped", merged, True),
        ("MCL, strays dropped", plain, True),
    ):
        rows = []
        for site, pages in sorted(members.items()):
            home = position.get(homes.get(site, {}).get("home") or homes.get(site, {}).get("entry"))
            if len(pages) < LEAST or home is None:
                continue
            cluster = np.flatnonzero(labels == labels[home])
            found = set((drop_strays(network, cluster) if is_dropped else cluster).tolist())
            shared = len(found & pages)
            rows.append((shared / max(len(found), 1), shared / len(pages), 2 * shared / (len(found) + len(pages))))
        means = np.mean(rows, axis=0)
        print(f"{title}: precision {means[0]:.3f}, recall {means[1]:.3f}, F1 {means[2]:.3f} ({len(rows)} sites)")


if __name__ == "__main__":
    main()
