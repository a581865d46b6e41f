"""The plan: which stages there are, what each needs and what it makes (`sitestrata.run.stage` says what a stage is).

To add a stage, write the function and add a line to ``PLAN``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import Any

from sitestrata.errors import UsageError
from sitestrata.identity import PAPER_RULES, IdentityOptions, find_aliases, find_evidence, find_remainders
from sitestrata.identity.regions import cut_bonds, cut_hosts
from sitestrata.identity.tables import ADDRESSES, BONDS, CLAIMS, HOSTS, REDIRECTS, REMAINDERS, SKETCHES, SUSPECTS, TWINS
from sitestrata.menus import MenuOptions, find_menus, join_menus
from sitestrata.model import DECISION_SETTINGS
from sitestrata.ontology.entries import (
    CONTENTS,
    DOMAINS,
    ENTRIES,
    ENTRY_LINKS,
    ENTRY_SEGMENTS,
    find_entries,
)
from sitestrata.ontology.joining import join_ontologies
from sitestrata.ontology.stage import ONTOLOGY_TABLES, OntologyStageOptions, find_ontology, find_site_domains
from sitestrata.page import PageLimits
from sitestrata.partition.tables import TableOptions, read_tables
from sitestrata.run.captures import CaptureOptions, find_captures
from sitestrata.run.page_pass import pass_over
from sitestrata.run.regions import RegionOptions, cut_regions
from sitestrata.run.stage import Scope, Stage
from sitestrata.run.storage import CHOSEN, INDEXED
from sitestrata.sites import (
    TOPS,
    HierarchyOptions,
    SiteOptions,
    TreeParts,
    find_addresses,
    find_hierarchy,
    find_main_menus,
    find_sites,
    join_sites,
)
from sitestrata.sources import Limits, index_source

__all__ = [
    "ENGINES",
    "PLAN",
    "PROFILES",
    "RUN_SETTINGS",
    "Scope",
    "Stage",
    "check_plan",
    "check_settings",
    "one_pass",
    "options_of",
    "stages_named",
]

MENU_TABLES = ("menus", "menu_items", "menu_pages")
REGION_NEEDS = ("pages", "links", "segments", "aliases")
LINKED = {"aliases": ("links", "target"), "urls": ("links", "target")}
MAIN_MENU_NEEDS = (*MENU_TABLES, "boundaries", "links", "segments", "urls", "aliases")
SITE_TABLES = ("boundaries", "sites", "objectives")
PAGE_TABLES = ("pages", "links", "segments", "urls")
ADDRESS_NEEDS = ("boundaries", "aliases", "pages", "links")
TREE_NEEDS = ("pages", "links", "segments", "aliases", "boundaries", TOPS)
ENTRY_NEEDS = ("sites", "tree", "pages", "links", "segments", "urls")
DOMAIN_NEEDS = (ENTRIES, ENTRY_LINKS, ENTRY_SEGMENTS, CONTENTS)
ONTOLOGY_WHOLE = ("captures", CHOSEN, "aliases", "table_values")
ONTOLOGY_NEEDS = (*DOMAIN_NEEDS, *ONTOLOGY_WHOLE)
HOST_NEEDS = ("captures", "pages", "links", "urls", REDIRECTS)
EVIDENCE_NEEDS = ("captures", "pages", SUSPECTS)
EVIDENCE = (CLAIMS, SKETCHES, TWINS)
BOND_NEEDS = ("captures", "pages", REDIRECTS, REMAINDERS, TWINS)
ALIAS_NEEDS = ("captures", "pages", REMAINDERS, SKETCHES, TWINS, CLAIMS)
PAPER = {"rules": PAPER_RULES}
# Settings of the run as a whole; a stage that wants one has a field of that name.
RUN_SETTINGS = {"profile": "default", "url_evidence": True, **dict.fromkeys(DECISION_SETTINGS, ())}
PROFILES = ("default", "paper")
ENGINES = ("local", "spark")  # that go by a name

PLAN: tuple[Stage, ...] = (
    Stage("read", "source", (), (INDEXED,), index_source, Limits),
    Stage("captures", "collection", (INDEXED,), ("captures", CHOSEN, REDIRECTS), find_captures, CaptureOptions),
    Stage("pages", "page", ("captures", CHOSEN), PAGE_TABLES, pass_over, PageLimits, merges=("urls",)),
    Stage("tables", "page", ("pages",), ("data_tables", "table_values"), read_tables, TableOptions),
    Stage("hosts", "relational", HOST_NEEDS, (ADDRESSES, SUSPECTS, HOSTS), cut_hosts, IdentityOptions, paper=PAPER),
    Stage("evidence", "region", EVIDENCE_NEEDS, EVIDENCE, find_evidence, IdentityOptions, by=HOSTS, paper=PAPER),
    Stage(
        "remainders",
        "region",
        (ADDRESSES, CLAIMS),
        (REMAINDERS,),
        find_remainders,
        IdentityOptions,
        by=HOSTS,
        whole=(CLAIMS,),
        paper=PAPER,
    ),
    Stage("bonds", "relational", BOND_NEEDS, (BONDS,), cut_bonds, IdentityOptions, paper=PAPER),
    Stage(
        "aliases",
        "region",
        ALIAS_NEEDS,
        ("aliases",),
        find_aliases,
        IdentityOptions,
        by=BONDS,
        whole=(CLAIMS,),
        paper=PAPER,
    ),
    Stage("regions", "relational", ("pages", "links", "aliases"), ("regions",), cut_regions, RegionOptions),
    Stage(
        "menus", "region", REGION_NEEDS, MENU_TABLES, find_menus, MenuOptions, by="regions", via=LINKED, join=join_menus
    ),
    Stage(
        "sites",
        "region",
        (*REGION_NEEDS, "menus", "menu_pages"),
        SITE_TABLES,
        find_sites,
        SiteOptions,
        by="regions",
        via={**LINKED, "menus": ("menu_pages", "menu")},
        join=join_sites,
    ),
    Stage(
        "main_menus",
        "region",
        MAIN_MENU_NEEDS,
        ("main_menus",),
        find_main_menus,
        by="regions",
        via={**LINKED, "menus": ("menu_pages", "menu"), "menu_items": ("menu_pages", "menu")},
    ),
    Stage("addresses", "relational", ADDRESS_NEEDS, ("site_addresses", TOPS), find_addresses, TreeParts),
    Stage(
        "tree",
        "group",
        TREE_NEEDS,
        ("tree", "profiles", "subsites"),
        find_hierarchy,
        HierarchyOptions,
        by="site_addresses",
    ),
    Stage("entries", "relational", ENTRY_NEEDS, DOMAIN_NEEDS, find_entries),
    Stage("domains", "collection", DOMAIN_NEEDS, (DOMAINS,), find_site_domains),
    Stage(
        "ontology",
        "region",
        ONTOLOGY_NEEDS,
        ONTOLOGY_TABLES,
        find_ontology,
        OntologyStageOptions,
        by=DOMAINS,
        whole=ONTOLOGY_WHOLE,
        join=join_ontologies,
        reads_pages=True,
    ),
)


def check_plan(plan: Sequence[Stage]) -> None:
    """Refuse a plan in which a stage needs what no earlier stage makes, or two stages make the same table."""
    made: dict[str, str] = {}
    names: set[str] = set()
    for stage in plan:
        if stage.name in names:
            raise UsageError(f"Two stages are called {stage.name!r}.")
        names.add(stage.name)
        needs = (*stage.needs, stage.by) if stage.by else stage.needs
        for table in needs:
            if table not in made:
                raise UsageError(f"Stage {stage.name!r} needs {table!r}, which no earlier stage makes.")
        for table in stage.makes:
            if table in made and table != "rejects":
                raise UsageError(f"Stages {made[table]!r} and {stage.name!r} both make {table!r}.")
            made[table] = stage.name
        made["rejects"] = stage.name
        if (stage.scope in ("group", "neighbourhood", "region")) != bool(stage.by):
            raise UsageError(
                f"Stage {stage.name!r}: group, neighbourhood and region stages, and no others, say by which table."
            )


@dataclass(frozen=True, slots=True)
class Together:
    """The options of page stages that run in one pass."""

    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Pass:
    """What `one_pass` runs: the first page stage, with the others as its readers."""

    stages: tuple[Stage, ...]

    def __call__(self, captures: Any, options: Together) -> Any:
        readers = [
            (stage.name, stage.run, part) for stage, part in zip(self.stages[1:], options.parts[1:], strict=True)
        ]
        return self.stages[0].run(captures, options.parts[0], readers)


def one_pass(plan: Sequence[Stage]) -> tuple[Stage, ...]:
    """Return the plan with all page stages as one: a page is parsed once, whatever is read off it."""
    pages = tuple(stage for stage in plan if stage.scope == "page")
    if len(pages) < 2:
        return tuple(plan)
    whole = replace(
        pages[0],
        makes=tuple(table for stage in pages for table in stage.makes),
        merges=tuple(table for stage in pages for table in stage.merges),
        run=_Pass(pages),
        together=pages,
    )
    return tuple(whole if stage is pages[0] else stage for stage in plan if stage not in pages[1:])


def prerequisites(plan: Sequence[Stage], stages: Iterable[Stage]) -> tuple[Stage, ...]:
    """Return the stages whose tables some stages read, directly or through others, in the order of the plan."""
    read = {table for stage in stages for table in (*stage.needs, stage.by)}
    found = []
    for other in reversed(plan):
        if read & set(other.makes):
            found.append(other)
            read |= {*other.needs, other.by}
    return tuple(reversed(found))


def options_of(stage: Stage, settings: Mapping[str, Any]) -> Any:
    """Build a stage's options from the profile and the settings that carry the names of its fields."""
    if stage.together:
        return Together(tuple(options_of(part, settings) for part in stage.together))
    profile = stage.paper if settings.get("profile") == "paper" else {}
    given = {**profile, **settings}
    return stage.options(**{item.name: given[item.name] for item in fields(stage.options) if item.name in given})


def check_settings(plan: Sequence[Stage], settings: Mapping[str, Any]) -> None:
    """Refuse a setting that no stage has, and a profile that does not exist."""
    known = {*RUN_SETTINGS, *(item.name for stage in plan for item in fields(stage.options))}
    for name in settings:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            raise UsageError(f"No stage has an option {name!r}." + (f" Did you mean {near[0]!r}?" if near else ""))
    if settings.get("profile", PROFILES[0]) not in PROFILES:
        raise UsageError(f"There is no profile {settings['profile']!r}; there are: {', '.join(PROFILES)}.")


def stages_named(plan: Sequence[Stage], names: Iterable[str]) -> tuple[Stage, ...]:
    """Return the stages of these names, in the order of the plan, page stages as one (`one_pass`)."""
    wanted = set(names)
    known = [stage.name for stage in plan]
    for name in sorted(wanted):
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}."
            raise UsageError(f"There is no stage {name!r}. {hint}")
    # A page stage brings those that run in the same pass.
    return tuple(stage for stage in one_pass(plan) if wanted & {stage.name, *(part.name for part in stage.together)})
