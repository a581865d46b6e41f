"""Which addresses stand for one page: captures, pages, links and addresses -> aliases.

The steps are stages of the plan, so that each sees no more than it must (`tables`):

1. hosts by themselves: which rules do pairs of captured addresses speak for? (`hosts`, `evidence`, `links`, `twins`);
2. every address by itself: what do the rules of its host leave of it? (`nodes`);
3. addresses that equal remainders, redirects, canonical links and equal bytes join, component by component: split
   groups of equal remainder by content (`classes`), join classes by the other evidence (`components`), choose the
   address that stands for each, and write one row per address, with the rules that lead to its page (`routes`).

A meta refresh is never identity: it may lead to another site.

Cost: linear in captures and addresses but for sorting; texts of addresses are streamed, columns of numbers held.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.identity.captured import REDIRECT, Captured, Ids, canonical_ids, positions, read_captured
from sitestrata.identity.classes import Classes, split_groups
from sitestrata.identity.components import class_of, find_edges, join_classes
from sitestrata.identity.content import Contents, follow
from sitestrata.identity.evidence import read_policies
from sitestrata.identity.links import read_sketches
from sitestrata.identity.nodes import Nodes, every_url, read_nodes, read_texts
from sitestrata.identity.options import IdentityOptions
from sitestrata.identity.routes import Route, choose_representatives, read_edge_texts, trace_routes
from sitestrata.identity.rules import Policies, differences
from sitestrata.identity.tables import TWINS
from sitestrata.model import TABLES, Reject, TableReader, table_from_records

__all__ = ["STAGE", "find_aliases"]

STAGE = "aliases"


def find_aliases(tables: TableReader, options: IdentityOptions) -> dict[str, pa.Table | Iterator[pa.RecordBatch]]:
    """Name for every captured or linked address the page it stands for, and why.

    Returns the table "aliases" as a stream of batches, and "rejects" with the redirects that never end.
    """
    rules = frozenset(options.rules)
    captured = read_captured(tables, first=options.captures == "first")
    final, last = follow(captured)
    contents = Contents(captured, final, last, read_sketches(tables, captured.ids))
    canonical = positions(captured.ids, canonical_ids(captured))
    policies = read_policies(tables, rules)
    nodes = read_nodes(tables)
    edges = find_edges(contents, nodes, np.where(canonical >= 0, final[canonical], -1), _twins(tables), rules)
    classes = split_groups(tables, contents, nodes, policies, np.union1d(edges.one, edges.other))
    component, edges = join_classes(contents, classes, edges)
    representative = choose_representatives(tables, captured, nodes, classes, component)
    texts = read_edge_texts(tables, nodes, classes, component, edges, representative)
    routes = trace_routes(classes, component, edges, representative, texts, policies)
    joined = _Joined(contents, nodes, classes, representative[component], routes, texts, policies)
    return {"aliases": _alias_batches(tables, joined), "rejects": _loops(captured, last)}


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
    page_texts = read_texts(tables, nodes.ids[pages])
    for ids, urls in every_url(tables):
        node = positions(nodes.ids, ids)
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


def _twins(tables: TableReader) -> Ids:
    """Return the pairs of twins, as two rows of ids, in the order of ids."""
    rows = tables.read(TWINS).sort_by([("page", "ascending"), ("other", "ascending")])
    return np.stack([rows["page"].to_numpy(), rows["other"].to_numpy()])
