"""What the HTTP interface answers with: the fields of the command line's listings, ids as text."""

from typing import Any

from pydantic import BaseModel, ConfigDict

__all__ = [
    "ArchiveLayer",
    "ConceptRow",
    "Entry",
    "Item",
    "JobState",
    "MapAnswer",
    "MenuRow",
    "Overview",
    "PageRow",
    "Pages",
    "SiteRow",
    "Sites",
    "StageState",
    "TreeChild",
]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True)


class StageState(_Shape):
    """A stage of the plan, as far as this workspace has it."""

    stage: str
    rows: dict[str, int]
    seconds: float
    is_stale: bool


class Overview(_Shape):
    """What is in the workspace."""

    name: str
    version: str  # changes with the workspace
    summary: str
    is_finished: bool
    counts: dict[str, int]
    missing: list[str]  # tables that no run has made yet
    stages: list[StageState]
    sources: list[dict[str, Any]]
    rejects: list[dict[str, Any]]
    objectives: list[dict[str, Any]]
    compare: list[str]  # workspaces that can be compared with
    decisions: int  # that stand
    pending: bool  # decisions were made since the sites were last mined


class SiteRow(_Shape):
    """A logical website."""

    site: str
    name: str
    entry_url: str
    hosts: list[str]
    pages: int
    sections: int
    parent: str | None
    method: str
    confidence: float


class Sites(_Shape):
    """Some sites."""

    rows: list[SiteRow]
    total: int
    next: str | None
    previous: str | None


class PageRow(_Shape):
    """A distinct page."""

    page: str
    url: str
    title: str
    host: str
    language: str
    links: int
    text: int
    site: str | None
    subsite: str | None
    is_apart: bool
    method: str
    confidence: float


class Pages(_Shape):
    """Some pages."""

    rows: list[PageRow]
    total: int
    next: str | None
    previous: str | None


class MapAnswer(_Shape):
    """The sites and the links between them, as columns; links name sites by their place in the columns."""

    site: list[str]
    name: list[str]
    host: list[str]
    domain: list[str]
    method: list[str]
    pages: list[int]
    confidence: list[float]
    source: list[int]
    target: list[int]
    links: list[int]
    total: int  # sites there are; the largest are sent


class TreeChild(_Shape):
    """A page below another in the hierarchy of its site."""

    page: str
    label: str
    url: str
    children: int
    pages: int  # in its subtree, itself included
    evidence: list[str]
    is_subsite: bool


class Item(_Shape):
    """An entry of a menu."""

    label: str
    url: str | None
    page: str | None
    level: int
    pages: int


class MenuRow(_Shape):
    """A menu."""

    menu: str
    role: str
    role_confidence: float
    kind: str
    signature: str
    reason: str
    pages: int  # of this site, or of the collection
    items: list[Item]


class ArchiveLayer(_Shape):
    """Something that can be drawn over an archived page."""

    name: str
    colour: str
    bit: int
    count: int
    is_ready: bool
    why: str  # not, if it is not


class ConceptRow(_Shape):
    """A concept of a domain."""

    concept: str
    domain: str
    label: str
    support: int
    confidence: float
    children: int
    instances: int
    is_frequent: bool


class Entry(_Shape):
    """A decision with its history."""

    id: str
    at: str
    kind: str
    subject: str
    object: str
    was: str
    note: str
    is_withdrawn: bool
    is_lapsed: bool  # what it speaks of is not in the workspace any more: it has no effect


class JobState(_Shape):
    """A run."""

    run: int
    status: str
    began: float
    ended: float | None
    command: str
    stages: list[dict[str, Any]]
    log: list[str]
    dropped: int
