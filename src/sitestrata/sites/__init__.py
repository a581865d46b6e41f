"""Which pages form one website, and how that site is organised."""

from sitestrata.sites.boundaries import SiteOptions
from sitestrata.sites.joining import join_sites
from sitestrata.sites.main_menu_stage import find_main_menus
from sitestrata.sites.parts import PART_TABLES, TOPS, TreeParts
from sitestrata.sites.stage import find_sites
from sitestrata.sites.tree_stage import find_addresses, find_hierarchy
from sitestrata.sites.votes import HierarchyOptions

__all__ = [
    "PART_TABLES",
    "TOPS",
    "HierarchyOptions",
    "SiteOptions",
    "TreeParts",
    "find_addresses",
    "find_hierarchy",
    "find_main_menus",
    "find_sites",
    "join_sites",
]
