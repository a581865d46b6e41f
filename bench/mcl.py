"""Is our MCL faster than van Dongen's mcl at equal pruning, and does it find the same clusters?

    python bench/mcl.py --inflation 2.0 --rounds 3 [--renumber]

The graph has the paper's size (87,140 nodes, 709,371 links) and comes from bench/webgraph.py. Both sides read the same
file of edges; -te 1 keeps mcl on one thread, CPU seconds are what is compared. With --renumber each side clusters the
same graph once more under other node numbers and is compared with itself: what it then says otherwise is decided by the
order of nodes alone.
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score
from timing import Contender, arguments, compare, report
from webgraph import PAPER_EDGES, PAPER_NODES, web_graph


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--nodes", type=int, default=PAPER_NODES)
    parser.add_argument("--edges", type=int, default=PAPER_EDGES)
    parser.add_argument("--inflation", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--renumber", action="store_true", help="compare each side with itself under other node numbers"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table, renumbered, clusters = (Path(folder) / name for name in ("graph.abc", "renumbered.abc", "clusters"))
        source, target, _ = web_graph(options.nodes, options.edges, seed=options.seed)
        write_undirected(source, target, table)
        pruning = ["-P", "1000", "-S", "100", "-R", "120"]

        def theirs(table: Path = table) -> np.ndarray:
            words = [str(table), "--abc", "-I", str(options.inflation), *pruning, "-te", "1", "-V", "all"]
            subprocess.run(["mcl", *words, "-o", str(clusters)], check=True, capture_output=True)
            labels = np.full(options.nodes, -1)
            for label, line in enumerate(clusters.read_text().splitlines()):
                labels[[int(node) for node in line.split()]] = label
            return labels

        def ours(table: Path = table) -> np.ndarray:
            from sitestrata.graph.link_graph import edges_to_graph
            from sitestrata.graph.mcl import Pruning, mcl

            edges = np.loadtxt(table, dtype=np.int64)
            graph = edges_to_graph(edges[:, 0], edges[:, 1], ids=np.arange(options.nodes))
            return mcl(graph, inflation=options.inflation, pruning=Pruning(1 / 1000, 100, 120, 0.9)).labels

        # Each child leaves its clusters behind, so that nothing is run again only to compare them.
        contenders = [
            Contender(name, run, answer=lambda labels, name=name: np.save(Path(folder) / f"{name}.npy", labels))
            for name, run in (("sitestrata", ours), ("mcl", theirs))
        ]
        outcome = compare(contenders, against="mcl", rounds=options.rounds)
        found = {name: np.load(Path(folder) / f"{name}.npy") for name in ("mcl", "sitestrata")}
        notes = f"Adjusted Rand index of the two clusterings: {adjusted_rand_score(*found.values()):.4f}."
        if options.renumber:
            number = np.random.default_rng(options.seed).permutation(options.nodes)
            write_undirected(number[source], number[target], renumbered)
            again = {"mcl": theirs(renumbered)[number], "sitestrata": ours(renumbered)[number]}
            for name, labels in again.items():
                notes += f" {name} with itself, nodes renumbered: {adjusted_rand_score(found[name], labels):.4f}."
            notes += f" The two, nodes renumbered: {adjusted_rand_score(*again.values()):.4f}."
    title = f"MCL at I = {options.inflation}: {options.nodes:,} nodes, {options.edges:,} links, -P 1000 -S 100 -R 120"
    report(title, outcome, notes=notes, record=options.record)


def write_undirected(source: np.ndarray, target: np.ndarray, table: Path) -> None:
    n = int(max(source.max(), target.max())) + 1
    keys = np.unique(np.concatenate([source * n + target, target * n + source]))
    np.savetxt(table, np.column_stack([keys // n, keys % n]), fmt="%d")


if __name__ == "__main__":
    main()
