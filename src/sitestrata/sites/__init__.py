"""Which pages form one website, and how that site is organised."""

from sitestrata.sites.boundaries import SiteOptions
from sitestrata.sites.stage import find_sites

__all__ = ["SiteOptions", "find_sites"]
