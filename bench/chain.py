"""How long does the exact chain of minimal cuts take, and what would a grid of sink capacities take?

python bench/chain.py --nodes 8000 --edges 300000
"""

import numpy as np
from timing import Contender, arguments, compare, report
from webgraph import web_graph

GRID = 40  # values of eps a grid would try


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--nodes", type=int, default=8_000)
    parser.add_argument("--edges", type=int, default=300_000)
    options = parser.parse_args()
    source, target, site = web_graph(options.nodes, options.edges, bridges=0.01)
    first = int(np.flatnonzero(site == 3)[0])
    seeds = np.arange(first, first + 10)

    def prepare():
        import ortools.graph.python.max_flow  # noqa: F401

        from sitestrata.graph.link_graph import edges_to_graph, in_degrees, out_degrees, rows_of, undirected
        from sitestrata.graph.min_cut import integer_capacities

        graph = edges_to_graph(source, target, ids=np.arange(options.nodes))
        damped = 1 / np.sqrt(out_degrees(graph)[rows_of(graph)] * in_degrees(graph)[graph.indices])
        graph = undirected(type(graph)(graph.ids, graph.indptr, graph.indices, damped))
        return graph, integer_capacities(graph.weights, factor=2 * options.nodes)

    def exact(prepared) -> int:
        from sitestrata.graph.chain import minimal_cut_chain

        return len(minimal_cut_chain(*prepared, seeds))

    def grid(prepared) -> int:
        from sitestrata.graph.link_graph import rows_of
        from sitestrata.graph.min_cut import minimum_cut

        graph, capacities = prepared
        n = graph.node_count
        seen = set()
        for eps in np.geomspace(capacities.mean() / n, capacities.max(), GRID):
            tails = np.concatenate([rows_of(graph), np.full(len(seeds), n), np.arange(n)])
            heads = np.concatenate([graph.indices, seeds, np.full(n, n + 1)])
            arcs = np.concatenate([capacities, np.full(len(seeds), 2**50), np.full(n, int(eps))])
            seen.add(len(minimum_cut(tails, heads, arcs, n, n + 1)[1]) - 1)
        return len(seen)

    contenders = [
        Contender("exact chain", exact, prepare=prepare, answer=int),
        Contender(f"grid of {GRID}", grid, prepare=prepare, answer=int),
    ]
    outcome = compare(contenders, against=f"grid of {GRID}", rounds=options.rounds)
    sets = ", ".join(f"{row.name}: {row.answer} sets" for row in outcome)
    report(
        f"Chain of cuts: {options.nodes:,} pages, {options.edges:,} links", outcome, notes=sets, record=options.record
    )


if __name__ == "__main__":
    main()
