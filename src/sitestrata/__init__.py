"""Sitestrata reads a crawl and tells which pages form one website, and how that site is organised."""

__version__ = "0.1.0"

__all__ = ["__version__"]
