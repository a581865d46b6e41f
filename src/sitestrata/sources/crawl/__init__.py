"""The live Web into WARC: a crawler that is polite, resumable and safe.

Importing this package starts nothing: the parts that need Twisted are loaded by the process that crawls.
"""

from sitestrata.sources.crawl.options import CrawlOptions
from sitestrata.sources.crawl.results import CrawlResult, Fetched, Progress
from sitestrata.sources.crawl.session import AskedCrawl, crawl

__all__ = ["AskedCrawl", "CrawlOptions", "CrawlResult", "Fetched", "Progress", "crawl"]
