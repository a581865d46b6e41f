"""What a visit to a sample web yields: captures, and rows of truth about them (docs/sample-web.md).

One walk makes both, so they cannot disagree; neither is held in memory.
"""

from collections.abc import Iterator
from typing import Any

from sitestrata.sample.domains import DOMAINS
from sitestrata.sample.page import Rendered, render
from sitestrata.sample.web import Capture, Entry, Menu, Node, Site
from sitestrata.sample.world import World

__all__ = ["COLUMNS", "Row", "answer", "redirect", "robots", "walk"]

Row = tuple[str, dict[str, Any]]  # name of a truth file, and one row of it

# The truth files that are tables; the others hold one JSON object a line.
COLUMNS = {
    "truth": ("url", "site", "subsite", "subsite_nav", "kind", "canonical", "parent", "label", "language", "crumbs"),
    "aliases": ("url", "kind", "target"),
}

_NOT_FOUND = b"<html><head><title>404</title></head><body><h1>404</h1></body></html>\n"
_SERVER = ("Server", "sample")


def walk(world: World) -> Iterator[Capture | Row]:
    """Yield every capture of a web and every row of truth, group by group."""
    taxonomy = _Taxonomy()
    for group in world.groups():
        hosts: set[str] = set()
        for site in group.sites:
            yield from _visit(site)
            taxonomy.add(site)
            if site.prefix == "/":  # a platform's robots.txt is nobody's here
                hosts.update(node.host for node in site.nodes if node.captured)
        for host in sorted(hosts):
            yield robots(host)
        for site in group.sites:
            yield from _site_rows(site)
        for bar in group.bars:
            yield from _menu_rows(bar)
    yield from taxonomy.rows()


def redirect(address: str, kind: str, node: Node) -> Capture:
    """Return the answer of an address that sends its visitors to a page."""
    return Capture(address, int(kind), (_SERVER, ("Location", node.url), ("Content-Type", "text/html")), b"moved\n")


def answer(node: Node, address: str | None = None) -> Capture:
    """Return what a page answers, under its own address or another one."""
    page = render(node)
    return Capture(address or node.url, 200, (_SERVER, ("Content-Type", page.content_type)), page.body)


def robots(host: str) -> Capture:
    """Return the robots.txt of a host."""
    body = b"User-agent: *\nDisallow: /cart\n"
    return Capture(f"{host}/robots.txt", 200, (_SERVER, ("Content-Type", "text/plain")), body)


def _visit(site: Site) -> Iterator[Capture | Row]:
    rendered_home: Rendered | None = None
    others: dict[int, list[tuple[str, str]]] = {}
    for address, kind, node in site.aliases:
        others.setdefault(node.number, []).append((address, kind))
    for node in site.nodes:
        if not node.captured:
            if node.status == 404:
                yield Capture(node.url, 404, (_SERVER, ("Content-Type", "text/html")), _NOT_FOUND)
            continue
        page = render(node)
        headers = (_SERVER, ("Content-Type", page.content_type))
        yield Capture(node.url, 200, headers, page.body)
        yield from _page_rows(node, node.url, page)
        for address, kind in others.get(node.number, ()):
            yield "aliases", {"url": address, "kind": kind, "target": node.url}
            if kind == "same":
                yield Capture(address, 200, headers, page.body)
                yield "truth", _truth_row(node, address, page)
            else:
                yield redirect(address, kind, node)
        if node is site.home:
            rendered_home = page
    if rendered_home is not None:
        yield (
            "homes",
            {
                "domain": site.domain,
                "site": site.key,
                "url": site.home.url,
                "page_type": "home",
                "tree": _label_tree(site, rendered_home),
            },
        )


def _parent(node: Node) -> str:
    """Return the address of the nearest page above that was captured."""
    above = node.parent
    while above is not None and not above.captured:
        above = above.parent
    return above.url if above is not None else ""


def _truth_row(node: Node, url: str, page: Rendered) -> dict[str, Any]:
    return {
        "url": url,
        "site": node.site.key,
        "subsite": node.subsite,
        "subsite_nav": node.site.subsites.get(node.subsite, ""),
        "kind": node.kind,
        "canonical": node.url,
        "parent": _parent(node),
        "label": node.label,
        "language": node.language,
        "crumbs": page.crumbs,
    }


def _page_rows(node: Node, url: str, page: Rendered) -> Iterator[Row]:
    yield "truth", _truth_row(node, url, page)
    yield "page_menus", {"url": url, "menus": list(dict.fromkeys(page.menus)), "varying": _once(page.varying)}
    # As they are numbered everywhere: table elements in document order, then those of other elements.
    for number, table in enumerate(sorted(page.tables, key=lambda table: table.aria)):
        row: dict[str, Any] = {
            "url": url,
            "table_index": number,
            "is_data": table.is_data,
            "orientation": table.orientation,
        }
        row["header_cells"] = [list(cell) for cell in table.header_cells]
        if table.is_data:
            row |= {"n_rows": table.n_rows, "n_cols": table.n_cols, "title_rows": list(table.title_rows)}
            row["acceptable_orientations"] = list(table.also)
        yield "tables", row | {"nested": table.nested, "form": "aria" if table.aria else "table"}
    for record in page.instances:
        yield "instances", record
    if page.blocks is not None:
        yield "blocks", {"url": url} | page.blocks


def _once(varying: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop the second print of a pager that stands above and below the text."""
    kept: dict[str, dict[str, Any]] = {}
    for shown in varying:
        kept.setdefault(shown["menu"], shown)
    return list(kept.values())


def _label_tree(site: Site, page: Rendered) -> list[dict[str, Any]]:
    frame = site.home.frame
    assert frame is not None
    tree = []
    if frame.main is not None and frame.main.key in page.menus:
        tree += [_branch(entry) | {"region": "menu"} for entry in frame.main.entries]
    tree += page.home_tree
    for menu in frame.footers:
        branches = [_branch(entry) for entry in menu.entries]
        if menu.heading:
            tree.append({"label": menu.heading, "url": None, "children": branches, "region": "footer"})
        else:
            tree += [branch | {"region": "footer"} for branch in branches]
    return tree


def _branch(entry: Entry) -> dict[str, Any]:
    return {"label": entry.label, "url": entry.url, "children": [_branch(child) for child in entry.children]}


def _site_rows(site: Site) -> Iterator[Row]:
    captured = [node for node in site.nodes if node.captured]
    pages = sum(node.kind != "refresh" for node in captured)
    main = site.main if site.main is not None and site.main.pages else None
    kind = site.menu_kind if main is not None else "none"
    if kind == "global" and main is not None and main.pages < 0.9 * pages:
        kind = "partial"
    yield (
        "sites",
        {
            "site": site.key,
            "kind": site.kind,
            "name": site.name,
            "owner": site.owner,
            "domain": site.domain,
            "language": site.language,
            "entry": site.home.url,
            "hosts": sorted({node.host.partition("//")[2] for node in captured}),
            "pages": pages,
            "parent": site.parent,
            "menu_kind": kind,
            "main_menu": main.key if main is not None else None,
            "subsites": dict(sorted(site.subsites.items())),
        },
    )
    for menu in site.menus:
        yield from _menu_rows(menu)
    for root, parts in site.compounds:
        shown = [part.url for part in parts if part.captured]
        if len(shown) > 1:
            yield "compounds", {"site": site.key, "root": root.url, "pages": shown}


def _menu_rows(menu: Menu) -> Iterator[Row]:
    if menu.pages:
        items = (
            []
            if menu.varies
            else [{"label": entry.label, "url": entry.url, "level": level} for entry, level in menu.flat()]
        )
        yield (
            "menus",
            {
                "menu": menu.key,
                "site": menu.site,
                "role": menu.role,
                "varies": menu.varies,
                "pages": menu.pages,
                "items": items,
            },
        )


class _Taxonomy:
    """What the sites of each domain say about its concepts."""

    def __init__(self) -> None:
        self.labels: dict[str, dict[str, dict[str, set[str]]]] = {}  # domain, concept, label -> sites
        self.sites: dict[str, dict[str, set[str]]] = {}
        self.pairs: dict[str, dict[tuple[str, str], set[str]]] = {}

    def add(self, site: Site) -> None:
        """Count a site's concepts and pairs in."""
        if site.domain is None:
            return
        labels = self.labels.setdefault(site.domain, {})
        sites = self.sites.setdefault(site.domain, {})
        pairs = self.pairs.setdefault(site.domain, {})
        for concept, words in site.concept_labels.items():
            for word in words:
                labels.setdefault(concept, {}).setdefault(word, set()).add(site.key)
            sites.setdefault(concept, set()).add(site.key)
        for pair in site.is_a:
            pairs.setdefault(pair, set()).add(site.key)

    def rows(self) -> Iterator[Row]:
        """Yield one row a domain."""
        for name in DOMAINS:
            if name not in self.labels:
                continue
            concepts = [
                {
                    "concept": concept,
                    "labels": sorted(words),
                    "sites": sorted(self.sites[name][concept]),
                    "alike": max(map(len, words.values())),
                }
                for concept, words in sorted(self.labels[name].items())
            ]
            pairs = self.pairs[name]
            is_a = []
            for (above, below), seen in sorted(pairs.items()):
                row: dict[str, Any] = {"parent": above, "child": below, "observed_on": sorted(seen)}
                if (below, above) in pairs:
                    row["facet"] = True
                is_a.append(row)
            yield "ontology", {"domain": name, "taxonomy": {"concepts": concepts, "is_a": is_a}}
