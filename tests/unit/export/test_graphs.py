"""Graph files, read back by networkx."""

import io

import networkx as nx
import pytest

from sitestrata.export.graphs import write_gexf, write_graphml
from support.workspaces import PAYLOADS

COLUMNS = [("title", "string"), ("pages", "long"), ("confidence", "double"), ("is_home", "boolean")]
NODES = [("a", "A", ["one", 3, 0.5, True]), ("b", "B", [None, 1, None, False]), ("c", "C", ["three", 2, 1.0, True])]
EDGES = [("a", "b", 2), ("b", "a", 1), ("b", "c", 7)]
READERS = {
    "graphml": (write_graphml, nx.read_graphml),
    "gexf": (write_gexf, lambda file: nx.read_gexf(file, version="1.3")),
}


def read_back(form: str, nodes: list, edges: list) -> nx.DiGraph:
    write, read = READERS[form]
    file = io.BytesIO()
    write(COLUMNS, nodes, edges, file)
    file.seek(0)
    graph: nx.DiGraph = read(file)
    return graph


@pytest.mark.parametrize("form", READERS)
def test_nodes_and_edges_come_back_with_their_values(form: str) -> None:
    graph = read_back(form, NODES, EDGES)

    assert graph.is_directed()
    assert {"a", "b", "c"} == set(graph)
    assert {(a, b): weight for a, b, weight in EDGES} == {(a, b): int(w) for a, b, w in graph.edges(data="weight")}
    assert {"label": "A", "title": "one", "pages": 3, "confidence": 0.5, "is_home": True} == dict(graph.nodes["a"])
    assert "title" not in graph.nodes["b"]


@pytest.mark.parametrize("form", READERS)
def test_no_text_breaks_a_graph(form: str) -> None:
    graph = read_back(form, [(str(n), text, [text, 1, 1.0, True]) for n, text in enumerate(PAYLOADS)], [("0", "1", 1)])

    assert len(PAYLOADS) == len(graph)
    for number, text in enumerate(PAYLOADS):
        readable = text.isprintable() and text.strip() == text and text
        assert not readable or text == graph.nodes[str(number)]["title"]
