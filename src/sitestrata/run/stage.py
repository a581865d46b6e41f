"""What a stage is: one step of the plan, and how much of a collection it sees.

A stage is a pure function. Its scope says how much a call sees, and that is all an engine needs to know to run it:

``source``
    One source of captures (a WARC file, a folder).
    ``run(source, options) -> iterator of Capture and Reject``
``page``
    One page after the other, each parsed once for all that is read off it.
    ``run(iterator of (capture, body), options) -> rows by table`` for the first page stage;
    ``run(PageFacts, options) -> records by table`` for those after it, which run in the same pass.
``neighbourhood``
    Some centre pages, with the rows of at least these pages and of all pages one edge away, in either direction, in the
    table named by ``by``; what is made of a centre must not depend on anything else that happens to be there.
    ``run(centres, tables, options) -> rows by table``
``group``
    All rows of one group of pages that evidence ties together (never a registered domain: a site may span several).
    The table named by ``by`` says which page is in which group; a page may be in several.
    ``run(tables, options) -> rows by table``
``region``
    All rows of one region (a group of bounded size, again by the table named by ``by``) through a
    `sitestrata.model.TableReader`: also those rows of a table that rows of the region name, as ``via`` says, and all
    rows of the tables that ``whole`` names. What regions have made becomes one by ``join``. Where ``by`` has no rows,
    the collection is one region.
    ``run(reader, options) -> rows by table``, ``join(reader, options) -> rows by table``
``relational``
    Everything, but only by queries, which are answered where the rows are, through `sitestrata.model.Relations`.
    ``run(relations, options) -> queries by table``
``collection``
    Everything, through a `sitestrata.model.TableReader`.
    ``run(reader, options) -> rows by table``

Rows of a table belong to the page in the first column of the table's key. This module knows no stage, so that a process
that runs one does not load them all; `sitestrata.run.plan` does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["NoOptions", "Scope", "Stage"]

Scope = Literal["source", "page", "neighbourhood", "group", "region", "relational", "collection"]


@dataclass(frozen=True, slots=True)
class NoOptions:
    """A stage that cannot be adjusted."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the plan."""

    name: str
    scope: Scope
    needs: tuple[str, ...]  # tables
    makes: tuple[str, ...]  # tables; any stage may also make rejects
    run: Callable[..., Any]
    options: type = NoOptions  # a small frozen dataclass beside the stage; its fields are flags of `sitestrata mine`
    by: str = ""  # group, region: the table with columns group and page; neighbourhood: with columns page and target
    via: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # region: table -> table and column that name rows
    whole: tuple[str, ...] = ()  # region: small tables that each sees all of
    join: Callable[..., Any] | None = None  # region: reads the tables PARTS + name; none where regions make other rows
    paper: Mapping[str, Any] = field(default_factory=dict)  # options under --profile paper
    together: tuple["Stage", ...] = ()  # page stages that run in the same pass; filled in by `one_pass`
    reads_pages: bool = False  # region: its function takes ``pages``, which reads some of the pages again
    merges: tuple[str, ...] = ()  # of what it makes: tables in which several pages may name the same row
