"""Maximal cliques: our kernel against igraph and networkx, on neighbourhoods of pages and on hard graphs.

python bench/cliques.py                      # random neighbourhoods, a large graph, hard cases
python bench/cliques.py --workspace $SCRATCH/ws   # the neighbourhoods of a workspace's pages as well
"""

from pathlib import Path
from typing import Any

import numpy as np
from timing import Contender, arguments, compare, report

from sitestrata.graph.cliques import maximal_cliques
from sitestrata.graph.link_graph import LinkGraph, pairs_to_graph

SEED = 7
Graph = tuple[int, list[tuple[int, int]]]  # nodes, edges


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--workspace", type=Path, help="a mined workspace; its pages' neighbourhoods are measured too")
    options = parser.parse_args()
    cases: dict[str, list[Graph]] = {
        "2,000 neighbourhoods of a menu and chance links": [neighbourhood(seed) for seed in range(2_000)],
        "one graph of 20,000 nodes, 200,000 edges": [sparse(20_000, 200_000)],
        "Moon-Moser graph of 33 nodes (177,147 cliques)": [moon_moser(33)],
        "index page of 5,000 links": [index_page(5_000)],
        "complete graph of 1,000 nodes": [complete(1_000)],
    }
    if options.workspace is not None:
        cases["neighbourhoods of 2,000 pages"] = neighbourhoods(options.workspace, 2_000)
    for name, graphs in cases.items():
        outcome = compare(
            [
                Contender("sitestrata", ours, lambda graphs=graphs: graphs, answer=int),
                Contender("igraph", by_igraph, lambda graphs=graphs: graphs, answer=int),
                Contender("networkx", by_networkx, lambda graphs=graphs: graphs, answer=int),
            ],
            against="igraph",
            rounds=options.rounds,
        )
        report(f"Maximal cliques: {name}, graphs built from edge lists", outcome, record=options.record)


def ours(graphs: list[Graph]) -> int:
    found = 0
    for count, edges in graphs:
        graph = link_graph(count, edges)
        found += len(maximal_cliques(graph.indptr, graph.indices))
    return found


def by_igraph(graphs: list[Graph]) -> int:
    import igraph

    return sum(len(igraph.Graph(count, edges).maximal_cliques()) for count, edges in graphs)


def by_networkx(graphs: list[Graph]) -> int:
    import networkx as nx

    found = 0
    for count, edges in graphs:
        graph: Any = nx.Graph()
        graph.add_nodes_from(range(count))
        graph.add_edges_from(edges)
        found += sum(1 for _ in nx.find_cliques(graph))
    return found


def link_graph(count: int, edges: list[tuple[int, int]]) -> LinkGraph:
    table = np.array(edges, np.int64).reshape(-1, 2)
    u, v = np.concatenate([table, table[:, ::-1]]).T
    return pairs_to_graph(np.arange(count), u, v, np.ones(len(u)))


def neighbourhood(seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    count, menu = int(rng.integers(10, 60)), int(rng.integers(4, 10))
    edges = {(a, b) for b in range(menu) for a in range(b)} | {(0, k) for k in range(1, count)}
    edges |= {(int(min(pair)), int(max(pair))) for pair in rng.integers(0, count, (count, 2)) if pair[0] != pair[1]}
    return count, sorted(edges)


def sparse(count: int, size: int) -> Graph:
    pairs = np.random.default_rng(SEED).integers(0, count, (size, 2))
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    return count, [(int(a), int(b)) for a, b in pairs]


def moon_moser(count: int) -> Graph:
    return count, [(a, b) for b in range(count) for a in range(b) if a // 3 != b // 3]


def index_page(count: int) -> Graph:
    return count, [(0, k) for k in range(1, count)] + [(k, k + 1) for k in range(1, count - 1)]


def complete(count: int) -> Graph:
    return count, [(a, b) for b in range(count) for a in range(b)]


def neighbourhoods(workspace: Path, limit: int) -> list[Graph]:
    from sitestrata.menus.local_graph import local_graph
    from sitestrata.menus.paper import paper_web
    from sitestrata.menus.web import read_web
    from sitestrata.run.workspace import open_workspace

    reader = open_workspace(workspace).reader()
    web = read_web(reader)
    segments = paper_web(reader, web)
    graphs = []
    for page in np.linspace(0, web.page_count - 1, min(limit, web.page_count)).astype(int).tolist():
        graph = local_graph(segments, page)
        edges = [divmod(edge, len(graph.pages)) for edge in graph.edges.tolist()]
        graphs.append((len(graph.pages), [(a, b) for b, a in edges if a < b]))
    return graphs


if __name__ == "__main__":
    main()
