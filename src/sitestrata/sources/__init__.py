"""WARC, ARC and WACZ files, folders of pages -> captures, and captures -> their bodies again."""

from sitestrata.sources.bodies import body_place, read_bodies
from sitestrata.sources.choose import Policy, choose_captures
from sitestrata.sources.find import find_sources
from sitestrata.sources.index import index_source
from sitestrata.sources.jobs import captures_of, read_jobs
from sitestrata.sources.limits import Limits
from sitestrata.sources.revisits import resolve_revisits
from sitestrata.sources.source import Source

__all__ = [
    "Limits",
    "Policy",
    "Source",
    "body_place",
    "captures_of",
    "choose_captures",
    "find_sources",
    "index_source",
    "read_bodies",
    "read_jobs",
    "resolve_revisits",
]
