"""What does our minimum cut cost on top of OR-tools, and how do other libraries compare?

    python bench/mincut.py --nodes 100000 --edges 1000000

Ours is OR-tools with integer scaling, status checks and the minimal source side; the bare contender is its solve and
cut alone.
"""

import numpy as np
from timing import Contender, arguments, compare, report
from webgraph import web_graph


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    options = parser.parse_args()
    source, target, _ = web_graph(options.nodes, options.edges)
    weights = np.random.default_rng(1).random(options.edges)
    sink = options.nodes - 1

    def integers() -> np.ndarray:
        return np.maximum(np.rint(weights * 2**24), 1).astype(np.int64)

    def bare(_: None) -> int:
        from ortools.graph.python.max_flow import SimpleMaxFlow

        solver = SimpleMaxFlow()
        solver.add_arcs_with_capacity(source.astype(np.int32), target.astype(np.int32), integers())
        solver.solve(0, sink)
        solver.get_source_side_min_cut()  # the question is the cut, not only its value
        return solver.optimal_flow()

    def ours(_: None) -> int:
        from sitestrata.graph.min_cut import minimum_cut

        return minimum_cut(source, target, integers(), 0, sink)[0]

    def scipy_flow(_: None) -> int:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_flow

        scaled = np.minimum(integers(), 2**31 - 1).astype(np.int32)
        return int(maximum_flow(csr_array((scaled, (source, target)), shape=(sink + 1, sink + 1)), 0, sink).flow_value)

    def igraph_flow(_: None) -> int:
        import igraph

        graph = igraph.Graph(n=options.nodes, edges=np.column_stack([source, target]), directed=True)
        return int(graph.maxflow_value(0, sink, integers().tolist()))

    def prepare() -> None:
        import igraph  # noqa: F401
        from ortools.graph.python import max_flow  # noqa: F401
        from scipy.sparse import csgraph  # noqa: F401

        import sitestrata.graph.min_cut  # noqa: F401

    contenders = [
        Contender(name, run, prepare=prepare, answer=int)
        for name, run in [("sitestrata", ours), ("scipy", scipy_flow), ("igraph", igraph_flow), ("OR-tools", bare)]
    ]
    outcome = compare(contenders, against="OR-tools", rounds=options.rounds)
    report(f"Minimum cut: {options.nodes:,} nodes, {options.edges:,} links", outcome, record=options.record)


if __name__ == "__main__":
    main()
