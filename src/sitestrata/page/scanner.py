"""The one scanner of this process, with our vocabulary; see `sitestrata._kernels.scan_twin` for what it does."""

from sitestrata._kernels import load
from sitestrata.page.vocabulary import ATTRIBUTES, ROLES, TAGS

__all__ = ["SCANNER"]

SCANNER = load("scan").Scanner(TAGS, ATTRIBUTES, ROLES)
