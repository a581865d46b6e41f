"""What do merging related clusters and dropping pages that do not belong do to MCL clusters as sites?

    python bench/clusters.py $SCRATCH/ws $CORPORA/docs/truth.tsv

Precision and recall of page pairs against the true sites: of the clusters as they are, after related ones are merged,
and after pages that lean elsewhere are dropped too (a dropped page is a cluster of its own).
"""

import argparse
import csv
from pathlib import Path

import numpy as np
from sklearn.metrics.cluster import pair_confusion_matrix

from sitestrata.flow.network import flow_network
from sitestrata.flow.seed import cluster_pages, clusters_of, drop_strays, merge_related
from sitestrata.run.site import workspace_web
from sitestrata.run.workspace import open_workspace


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("workspace", type=Path)
    parser.add_argument("truth", type=Path, help="table with columns url and site")
    parser.add_argument("--inflation", type=float, default=1.2)
    options = parser.parse_args()
    workspace = open_workspace(options.workspace)
    web = workspace_web(workspace)
    with options.truth.open(encoding="utf-8", newline="") as file:
        site_of = {row["url"]: row["site"] for row in csv.DictReader(file, delimiter="\t")}
    known = np.array([url in site_of for url in web.urls])
    truth = [site_of[url] for url in web.urls if url in site_of]
    network = flow_network(web)
    labels = cluster_pages(network.graph, inflation=options.inflation)
    merged = merge_related(network, labels)
    dropped = merged.copy()
    for pages in clusters_of(merged):
        strays = np.setdiff1d(pages, drop_strays(network, pages))
        dropped[strays] = dropped.max() + 1 + np.arange(len(strays))
    print(f"{known.sum():,} pages, {len(set(truth))} sites, inflation {options.inflation}")
    for name, part in {"clusters": labels, "merged": merged, "strays dropped": dropped}.items():
        (_, wrong), (missed, right) = pair_confusion_matrix(truth, part[known])
        sizes = len(np.unique(part[known]))
        print(f"{name}: precision {right / (right + wrong):.3f}, recall {right / (right + missed):.3f}, {sizes} sets")


if __name__ == "__main__":
    main()
