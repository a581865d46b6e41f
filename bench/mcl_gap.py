"""Where our MCL and van Dongen's mcl differ at a low inflation: is it the program, or the pruning?

    python bench/mcl_gap.py --inflation 1.2 --nodes 5000

Each program also runs on the same graph with its nodes renumbered at random. What a program disagrees with itself by,
when only the numbers of the nodes change, is what ties and pruning decide; with loose pruning that should vanish.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score
from webgraph import PAPER_EDGES, PAPER_NODES, web_graph

from sitestrata.graph.link_graph import LinkGraph, edges_to_graph, undirected
from sitestrata.graph.mcl import Pruning, mcl

PRUNINGS = {"-P 1000 -S 100 -R 120": (1000, 100, 120), "-P 4000 -S 400 -R 480": (4000, 400, 480)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inflation", type=float, default=1.2)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source, target, _ = web_graph(options.nodes, options.nodes * PAPER_EDGES // PAPER_NODES, seed=options.seed)
    nodes = int(max(source.max(), target.max())) + 1
    other = np.random.default_rng(options.seed).permutation(nodes)
    for title, pruning in PRUNINGS.items():
        found = {}
        for name, run in (("ours", ours), ("mcl", theirs)):
            found[name] = run(source, target, nodes, options.inflation, pruning)
            found[f"{name}, renumbered"] = run(other[source], other[target], nodes, options.inflation, pruning)[other]
        print(f"I = {options.inflation}, {nodes:,} nodes, {title}")
        for one, two in (("ours", "mcl"), ("ours", "ours, renumbered"), ("mcl", "mcl, renumbered")):
            share = adjusted_rand_score(found[one], found[two])
            counts = len(np.unique(found[one])), len(np.unique(found[two]))
            print(f"  {one} against {two}: adjusted Rand index {share:.4f} ({counts[0]} and {counts[1]} clusters)")


def ours(source: np.ndarray, target: np.ndarray, nodes: int, inflation: float, pruning: tuple[int, int, int]):
    graph = undirected(edges_to_graph(source, target, ids=np.arange(nodes)))
    plain = LinkGraph(graph.ids, graph.indptr, graph.indices, np.ones(graph.edge_count))
    return mcl(plain, inflation=inflation, pruning=Pruning(1 / pruning[0], pruning[1], pruning[2], 0.9)).labels


def theirs(source: np.ndarray, target: np.ndarray, nodes: int, inflation: float, pruning: tuple[int, int, int]):
    with tempfile.TemporaryDirectory() as folder:
        table, clusters = Path(folder) / "graph.abc", Path(folder) / "clusters"
        pairs = np.unique(np.sort(np.stack([source, target], axis=1), axis=1), axis=0)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        # A first line per node keeps the numbers of the nodes in order.
        lines = [f"{node} {node} 0" for node in range(nodes)] + [f"{u} {v} 1" for u, v in pairs.tolist()]
        table.write_text("\n".join(lines) + "\n")
        words = ["-P", str(pruning[0]), "-S", str(pruning[1]), "-R", str(pruning[2]), "-te", "1", "-V", "all"]
        command = ["mcl", str(table), "--abc", "-I", str(inflation), *words, "-o", str(clusters)]
        subprocess.run(command, check=True, capture_output=True)
        labels = np.arange(nodes) + nodes
        for label, line in enumerate(clusters.read_text().splitlines()):
            labels[[int(node) for node in line.split()]] = label
        return labels


if __name__ == "__main__":
    main()
