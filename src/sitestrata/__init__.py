"""Sitestrata reads a crawl and tells which pages form one website, and how that site is organised."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitestrata.errors import Error
    from sitestrata.report.html import write_report
    from sitestrata.run.explain import explain
    from sitestrata.run.export import Exported, write_export
    from sitestrata.run.forget import Forgotten, forget_pages
    from sitestrata.run.listing import list_pages, list_sites
    from sitestrata.run.live_site import live_record as find_site_live
    from sitestrata.run.menu_listing import list_menus
    from sitestrata.run.mine import Progress, mine
    from sitestrata.run.ontology import find_ontology
    from sitestrata.run.page_tree import page_tree
    from sitestrata.run.site import site_record as find_site
    from sitestrata.run.table_listing import list_tables, page_tables
    from sitestrata.run.tree import breadcrumb_rows as breadcrumbs
    from sitestrata.run.tree import site_tree
    from sitestrata.run.workspace import Workspace, open_workspace
    from sitestrata.sample.files import write as write_sample
    from sitestrata.sources.crawl import CrawlOptions, crawl

__version__ = "0.1.0"

__all__ = [
    "CrawlOptions",
    "Error",
    "Exported",
    "Forgotten",
    "Progress",
    "Workspace",
    "__version__",
    "breadcrumbs",
    "crawl",
    "explain",
    "find_ontology",
    "find_site",
    "find_site_live",
    "forget_pages",
    "list_menus",
    "list_pages",
    "list_sites",
    "list_tables",
    "mine",
    "open_workspace",
    "page_tables",
    "page_tree",
    "site_tree",
    "write_export",
    "write_report",
    "write_sample",
]

# Loaded when they are asked for: the command line must start without Arrow and DuckDB.
_HOMES = {
    "CrawlOptions": ("sitestrata.sources.crawl", "CrawlOptions"),
    "Error": ("sitestrata.errors", "Error"),
    "Exported": ("sitestrata.run.export", "Exported"),
    "Forgotten": ("sitestrata.run.forget", "Forgotten"),
    "Progress": ("sitestrata.run.mine", "Progress"),
    "Workspace": ("sitestrata.run.workspace", "Workspace"),
    "breadcrumbs": ("sitestrata.run.tree", "breadcrumb_rows"),
    "crawl": ("sitestrata.sources.crawl", "crawl"),
    "explain": ("sitestrata.run.explain", "explain"),
    "find_ontology": ("sitestrata.run.ontology", "find_ontology"),
    "find_site": ("sitestrata.run.site", "site_record"),
    "find_site_live": ("sitestrata.run.live_site", "live_record"),
    "forget_pages": ("sitestrata.run.forget", "forget_pages"),
    "list_menus": ("sitestrata.run.menu_listing", "list_menus"),
    "list_pages": ("sitestrata.run.listing", "list_pages"),
    "list_sites": ("sitestrata.run.listing", "list_sites"),
    "list_tables": ("sitestrata.run.table_listing", "list_tables"),
    "mine": ("sitestrata.run.mine", "mine"),
    "open_workspace": ("sitestrata.run.workspace", "open_workspace"),
    "page_tables": ("sitestrata.run.table_listing", "page_tables"),
    "page_tree": ("sitestrata.run.page_tree", "page_tree"),
    "site_tree": ("sitestrata.run.tree", "site_tree"),
    "write_export": ("sitestrata.run.export", "write_export"),
    "write_report": ("sitestrata.report.html", "write_report"),
    "write_sample": ("sitestrata.sample.files", "write"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return __all__
