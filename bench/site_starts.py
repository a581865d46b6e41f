"""Read a workspace with the true sites of its pages, and draw start pages: what the measurements of flow share.

TRUTH.tsv has the columns url and site. HOMES names each site's home page: a JSON object (site -> "home" or "entry"), or
the sites.jsonl of a sample web. Addresses that the workspace found to be one page count as that page. A flattened
collection brings the old and the new address of each page in a MAP.tsv.
"""

import argparse
import csv
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sitestrata.flow.page_web import PageWeb
from sitestrata.run.site import workspace_web
from sitestrata.run.workspace import Workspace, open_workspace
from sitestrata.urls import normalise, url_id

LEAST = 15  # pages of a site
SEED = 7


@dataclass(frozen=True, slots=True)
class Case:
    workspace: Workspace
    web: PageWeb
    page_of: dict[str, int]  # every address that stands for a page, as captured or linked
    sites: dict[str, frozenset[int]]
    homes: dict[str, int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("workspace", type=Path)
    parser.add_argument("truth", type=Path, metavar="TRUTH.tsv")
    parser.add_argument("homes", type=Path, metavar="HOMES", help="menus.json or sites.jsonl")
    parser.add_argument("--map", type=Path, metavar="MAP.tsv", help="old and new addresses of a flattened collection")
    parser.add_argument("--draws", type=int, default=1, help="random starts per site")
    parser.add_argument("--sample", type=int, help="how many sites to draw; default all")
    parser.add_argument("--only", nargs="+", metavar="SITE", help="only these sites")
    parser.add_argument("--worst", type=int, default=0, help="name this many of the worst starts")


def read_case(options: argparse.Namespace) -> Case:
    workspace = open_workspace(options.workspace)
    web = workspace_web(workspace)
    positions = {page: position for position, page in enumerate(web.ids.tolist())}
    page_of = {url: page for page, url in enumerate(web.urls)}
    if "aliases" in workspace.tables:
        aliases = workspace.arrow("aliases", ["url", "page_id"])
        pairs = zip(aliases["url"].to_pylist(), aliases["page_id"].to_pylist(), strict=True)
        page_of |= {url: positions[page] for url, page in pairs if page in positions}
    renamed = {}
    if options.map:
        with options.map.open(encoding="utf-8") as file:
            renamed = {line.split("\t")[0]: line.rstrip("\n").split("\t")[1] for line in file}

    def page(url: str) -> int | None:
        known = normalise(renamed.get(url, url))
        return page_of.get(known, positions.get(url_id(known))) if known is not None else None

    members = defaultdict(set)
    with options.truth.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if (found := page(row["url"])) is not None:
                members[row["site"]].add(found)
    sites = {site: frozenset(pages) for site, pages in sorted(members.items()) if len(pages) >= LEAST}
    if options.only:
        sites = {site: sites[site] for site in options.only}
    if options.sample and options.sample < len(sites):
        drawn = np.random.default_rng(SEED).choice(sorted(sites), options.sample, replace=False)
        sites = {site: sites[site] for site in sorted(drawn.tolist())}
    found = {site: page(url) for site, url in _homes(options.homes)}
    return Case(workspace, web, page_of, sites, {site: home for site, home in found.items() if home is not None})


def _homes(path: Path) -> list[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
        return [(row["site"], row["entry"]) for row in rows]
    return [(site, entry.get("home") or entry.get("entry")) for site, entry in json.loads(text).items()]


def draw_starts(case: Case, kind: str, draws: int) -> list[tuple[str, list[int]]]:
    """Return (site, start pages): its home page, or one or three random pages, which depend on the site alone."""
    if kind == "home":
        return [(site, [case.homes[site]]) for site in case.sites if site in case.homes]
    starts = []
    for site, pages in case.sites.items():
        rng = np.random.default_rng([SEED, *site.encode()])
        ordered = sorted(pages, key=lambda page: case.web.urls[page])
        for _ in range(draws):
            starts.append((site, rng.choice(ordered, 3 if kind == "three" else 1, replace=False).tolist()))
    return starts
