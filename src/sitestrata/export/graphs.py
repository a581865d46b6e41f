"""Nodes and edges -> GraphML 1.0 and GEXF 1.3, written as they come.

An attribute is a column: its name and its type, one of ``string``, ``long``, ``double``, ``boolean``. A node is its
name, its label and its values in the order of the columns; an edge is two names and a weight.
"""

from collections.abc import Iterable, Sequence
from typing import BinaryIO

from sitestrata.export.escape import xml_text

__all__ = ["Column", "Edge", "Node", "write_gexf", "write_graphml"]

Column = tuple[str, str]  # name, type
Node = tuple[str, str, Sequence[object]]
Edge = tuple[str, str, int]

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_FLUSH = 1 << 16  # characters that are written at a time


def write_graphml(columns: Sequence[Column], nodes: Iterable[Node], edges: Iterable[Edge], file: BinaryIO) -> None:
    """Write a directed, weighted graph as GraphML."""
    out = _Text(file)
    out.write(
        _DECLARATION + '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
    )
    for number, (name, kind) in enumerate([("label", "string"), *columns]):
        out.write(f'<key id="n{number}" for="node" attr.name="{xml_text(name)}" attr.type="{kind}"/>\n')
    out.write('<key id="w" for="edge" attr.name="weight" attr.type="long"/>\n<graph edgedefault="directed">\n')
    for name, label, values in nodes:
        data = "".join(
            f'<data key="n{number}">{_value(value)}</data>'
            for number, value in enumerate([label, *values])
            if value is not None
        )
        out.write(f'<node id="{xml_text(name)}">{data}</node>\n')
    for source, target, weight in edges:
        out.write(
            f'<edge source="{xml_text(source)}" target="{xml_text(target)}"><data key="w">{weight}</data></edge>\n'
        )
    out.write("</graph>\n</graphml>\n")
    out.flush()


def write_gexf(columns: Sequence[Column], nodes: Iterable[Node], edges: Iterable[Edge], file: BinaryIO) -> None:
    """Write a directed, weighted graph as GEXF."""
    out = _Text(file)
    out.write(
        _DECLARATION + '<gexf xmlns="http://gexf.net/1.3" version="1.3">\n<meta><creator>Sitestrata</creator></meta>\n'
        '<graph defaultedgetype="directed" mode="static">\n<attributes class="node">\n'
    )
    for number, (name, kind) in enumerate(columns):
        out.write(f'<attribute id="{number}" title="{xml_text(name)}" type="{kind}"/>\n')
    out.write("</attributes>\n<nodes>\n")
    for name, label, values in nodes:
        data = "".join(
            f'<attvalue for="{number}" value="{_value(value)}"/>'
            for number, value in enumerate(values)
            if value is not None
        )
        out.write(
            f'<node id="{xml_text(name)}" label="{xml_text(label)}">'
            + (f"<attvalues>{data}</attvalues>" if data else "")
            + "</node>\n"
        )
    out.write("</nodes>\n<edges>\n")
    for number, (source, target, weight) in enumerate(edges):
        out.write(f'<edge id="{number}" source="{xml_text(source)}" target="{xml_text(target)}" weight="{weight}"/>\n')
    out.write("</edges>\n</graph>\n</gexf>\n")
    out.flush()


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return xml_text(str(value))


class _Text:
    """Gathers small pieces of text into large writes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._parts: list[str] = []
        self._size = 0

    def write(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)
        if self._size >= _FLUSH:
            self.flush()

    def flush(self) -> None:
        self._file.write("".join(self._parts).encode("utf-8"))
        self._parts, self._size = [], 0
