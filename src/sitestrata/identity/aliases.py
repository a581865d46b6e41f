"""Which addresses stand for one page: captures, pages, links and addresses -> aliases.

The steps, each in its module:

1. read what was captured, follow the redirects (`captured`, `content`);
2. read the links of pages that could be one page but for their links (`links`);
3. ask the collection which rules hold on which host (`evidence`, `rules`);
4. reduce every address by the rules of its host, and split groups of equal remainder by content (`nodes`);
5. join classes by redirects, canonical links and equal bytes, choose the address that stands for each (`components`);
6. write one row per address, with the rules that lead to its page.

A meta refresh is never identity: it may lead to another site.

Cost: linear in captures, links and addresses but for sorting; texts of addresses are streamed, columns of numbers held.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.identity.captured import REDIRECT, Captured, Ids, positions, read_captured
from sitestrata.identity.classes import Classes, split_groups
from sitestrata.identity.components import class_of, find_edges, join_classes
from sitestrata.identity.content import Contents, follow, pages_to_sketch
from sitestrata.identity.evidence import learn_policies
from sitestrata.identity.links import sketch_links
from sitestrata.identity.nodes import Nodes, every_url, read_nodes, read_texts
from sitestrata.identity.options import IdentityOptions
from sitestrata.identity.routes import Route, choose_representatives, read_edge_texts, trace_routes
from sitestrata.identity.rules import REDUCTIONS, Policies, differences
from sitestrata.model import TABLES, Reject, TableReader, table_from_records
from sitestrata.urls import url_id

__all__ = ["STAGE", "find_aliases"]

STAGE = "aliases"


def find_aliases(
    tables: TableReader, options: IdentityOptions | None = None
) -> dict[str, pa.Table | Iterator[pa.RecordBatch]]:
    """Name for every captured or linked address the page it stands for, and why.

    Returns the table "aliases" as a stream of batches, and "rejects" with the redirects that never end.
    """
    options = options or IdentityOptions()
    rules = frozenset(options.rules)
    captured = read_captured(tables, first=options.captures == "first")  # 1
    final, last = follow(captured)
    canonical = positions(captured.ids, _canonical_ids(captured))
    rows = pages_to_sketch(captured, canonical) if rules else np.zeros(0, np.int64)
    sketches = sketch_links(tables, captured.ids, captured.urls, rows)  # 2
    contents = Contents(captured, final, last, sketches)
    policies = learn_policies(contents, rules) if rules & set(REDUCTIONS) else Policies()  # 3
    nodes = read_nodes(tables, captured, policies)  # 4
    edges = find_edges(contents, nodes, np.where(canonical >= 0, final[canonical], -1), rules)
    classes = split_groups(tables, contents, nodes, policies, np.union1d(edges.one, edges.other))
    component, edges = join_classes(contents, classes, edges)  # 5
    representative = choose_representatives(tables, captured, nodes, classes, component)
    texts = read_edge_texts(tables, captured, nodes, classes, component, edges, representative)
    routes = trace_routes(classes, component, edges, representative, texts, policies)
    joined = _Joined(contents, nodes, classes, representative[component], routes, texts, policies)
    return {"aliases": _alias_batches(tables, joined), "rejects": _loops(captured, last)}  # 6


@dataclass(frozen=True, slots=True)
class _Joined:
    """The decision, ready to be written."""

    contents: Contents
    nodes: Nodes
    classes: Classes
    page: Ids  # by class: node that stands for its page
    routes: dict[int, Route]
    texts: dict[int, str]
    policies: Policies

    def rules(self, label: int, node: int, url: str, page: int, page_url: str) -> tuple[str, ...]:
        """Name the rules that lead from an address to its page."""
        route = self.routes.get(label, Route(page, ()))
        if node == route.way_out:
            return route.rules
        way_out = page_url if route.way_out == page else self.texts[route.way_out]
        return (*differences(url, way_out, self.policies), *route.rules)


def _alias_batches(tables: TableReader, joined: _Joined) -> Iterator[pa.RecordBatch]:
    """Write one row per address."""
    contents, nodes, classes = joined.contents, joined.nodes, joined.classes
    captured = contents.captured
    stands = joined.page[classes.label]
    pages = np.unique(stands[stands != classes.nodes])
    page_texts = read_texts(tables, captured, nodes.ids[pages])
    is_written = np.zeros(len(nodes.ids), dtype=bool)
    for ids, urls in every_url(tables, captured):
        ids, first = np.unique(ids, return_index=True)
        node = positions(nodes.ids, ids)
        is_new = ~is_written[node]
        is_written[node] = True
        ids, node, urls = ids[is_new], node[is_new], urls.take(pa.array(first[is_new]))
        place = positions(classes.nodes, node)
        page = node.copy()
        page[place >= 0] = stands[place[place >= 0]]
        row = positions(captured.ids, ids)
        is_alias = page != node
        page_text = page_texts.take(pa.array(positions(pages, page[is_alias])))
        rules: list[tuple[str, ...]] = [()] * len(ids)
        aliases = np.flatnonzero(is_alias)
        columns = (aliases, classes.label[place[aliases]], node[aliases], page[aliases], row[aliases])
        for at, label, own, target, source, url, page_url in zip(
            *(column.tolist() for column in columns),
            urls.filter(pa.array(is_alias)).to_pylist(),
            page_text.to_pylist(),
            strict=True,
        ):
            rules[at] = _rules_of(joined, label, own, target, source, url, page_url)
        yield pa.record_batch(
            [
                pa.array(ids),
                urls,
                pa.array(nodes.ids[page]),
                pc.replace_with_mask(urls, pa.array(is_alias), page_text),
                pa.array(rules, type=pa.list_(pa.string())),
                pa.array(row >= 0),
            ],
            schema=TABLES["aliases"].schema,
        )


def _rules_of(joined: _Joined, label: int, node: int, page: int, row: int, url: str, page_url: str) -> tuple[str, ...]:
    contents = joined.contents
    captured = contents.captured
    if row < 0 or captured.kind[row] != REDIRECT:
        return tuple(dict.fromkeys(joined.rules(label, node, url, page, page_url)))
    last = int(contents.last[row])
    if last < 0:
        return ("redirect",)
    # Where the redirects lead is a node with a class, and the way from there is the rest of the evidence.
    target = positions(joined.nodes.ids, captured.target[[last]])
    label = int(class_of(joined.classes, target)[0])
    text = captured.location(last)
    return tuple(dict.fromkeys(("redirect", *joined.rules(label, int(target[0]), text, page, page_url))))


def _loops(captured: Captured, last: Ids) -> pa.Table:
    urls = captured.urls.filter(pa.array(last < 0)).to_pylist()
    detail = "Following the redirects of this address never comes to an end."
    return table_from_records("rejects", [Reject(url, STAGE, "redirect-loop", detail) for url in urls])


def _canonical_ids(captured: Captured) -> Ids:
    texts = captured.canonical["url"].to_pylist()
    return np.fromiter(map(url_id, texts), dtype=np.int64, count=len(texts))
