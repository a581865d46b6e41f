"""One site written down as HTML in the test that needs it, read as the page pass reads it."""

from collections.abc import Mapping

import pyarrow as pa

from sitestrata.model import Alias, table_from_records
from sitestrata.page import UrlRows, facts_to_batches, read_page
from sitestrata.segments import find_segments, segments_to_batch
from sitestrata.sites.hierarchy import SiteTree, find_tree
from sitestrata.sites.site_web import SiteWeb, tables_to_site
from sitestrata.sites.votes import HierarchyOptions
from sitestrata.urls import Resolver, url_id

BASE = "http://a.example/"


def site_tables(pages: Mapping[str, str], *, aliases: Mapping[str, str] | None = None) -> dict[str, pa.Table]:
    """Read pages, given by the rest of their address behind `BASE`; aliases lead from one such rest to another."""
    resolver = Resolver()
    facts = [read_page(html.encode(), BASE + name, resolver=resolver) for name, html in pages.items()]
    segments = [find_segments(page) for page in facts]
    made = facts_to_batches(facts, [found.of_link for found in segments])
    made["segments"] = segments_to_batch(facts, segments)
    known = [
        Alias(url_id(BASE + name), BASE + name, url_id(BASE + page), BASE + page, (), True)
        for name, page in {**{name: name for name in pages}, **(aliases or {})}.items()
    ]
    urls = UrlRows()
    for page in facts:
        urls.add(page)
    tables = {name: pa.Table.from_batches([batch]) for name, batch in made.items()}
    tables["urls"] = pa.Table.from_batches(urls.batches())
    tables["aliases"] = table_from_records("aliases", known)
    return tables


def site_web(pages: Mapping[str, str], *, aliases: Mapping[str, str] | None = None) -> SiteWeb:
    """Read a site whose entry page is the first one."""
    return tables_to_site(site_tables(pages, aliases=aliases), url_id(BASE + next(iter(pages))))


def parents(pages: Mapping[str, str], *, url_evidence: bool = False, markup: bool = True) -> dict[str, str]:
    """Return the page above each page, as the hierarchy has it; addresses say nothing unless asked."""
    web = site_web(pages)
    tree = find_tree(web, HierarchyOptions(url_evidence=url_evidence, breadcrumb_markup=markup))
    return parents_of(web, tree)


def parents_of(web: SiteWeb, tree: SiteTree) -> dict[str, str]:
    """Return the page above each page by name."""
    return {
        web.url[row].removeprefix(BASE): web.url[above].removeprefix(BASE)
        for row, above in enumerate(tree.parent.tolist())
        if above >= 0
    }


def links(*names: str) -> str:
    """Return a list of links whose labels are their targets."""
    return "<ul>" + "".join(f"<li><a href='/{name}'>{name or 'home'}</a></li>" for name in names) + "</ul>"
