"""The website around seed pages of a workspace, as the record that ``sitestrata site`` prints.

Reads the tables, hands page sets that other stages found to `sitestrata.flow.scales` as evidence, and describes what
comes back. Nothing is written.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from sitestrata.errors import UsageError
from sitestrata.flow.describe import added_text, label_of
from sitestrata.flow.keywords import keywords
from sitestrata.flow.network import FlowNetwork, flow_network
from sitestrata.flow.online import FlowOptions
from sitestrata.flow.page_web import PageWeb, page_of_url, tables_to_web
from sitestrata.flow.scales import CRITERION, SHOWN, Candidate, SiteAnswer, find_site
from sitestrata.flow.scope import browsertrix_yaml, scope_of, surt_lines
from sitestrata.flow.seed import choose_cluster, cluster_pages, collection_graph, extend
from sitestrata.flow.similarity import distance_deviation
from sitestrata.graph.link_graph import positions_of
from sitestrata.run.workspace import Workspace
from sitestrata.urls import normalise

__all__ = [
    "paper_record",
    "scales_record",
    "scope_record",
    "seed_positions",
    "site_record",
    "site_sets",
    "workspace_web",
]


def workspace_web(workspace: Workspace) -> PageWeb:
    """Read the pages and links of a workspace."""
    if not {"pages", "links"} <= set(workspace.tables):
        raise UsageError(f"{workspace.folder} holds no pages yet; run `sitestrata mine SOURCE -o {workspace.folder}`")
    return tables_to_web(workspace.reader(), has_aliases="aliases" in workspace.tables)


def seed_positions(workspace: Workspace, web: PageWeb, seeds: Sequence[str]) -> list[int]:
    """Find the seed pages; an address that was not captured is an error that says so."""
    if web.page_count == 0:
        raise UsageError(f"{workspace.folder} holds no page that could be read; its report says why")
    has_aliases = "aliases" in workspace.tables
    found = []
    for seed in seeds:
        # As people write them: docs.example/manual/
        written = (seed,) if normalise(seed) is not None else (f"http://{seed}", f"https://{seed}")
        places = (page_of_url(workspace.reader(), web, url, has_aliases=has_aliases) for url in written)
        position = next((place for place in places if place is not None), None)
        if position is None and normalise(seed) is None:
            raise UsageError(f"{seed!r} is no page of {workspace.folder}: give the address of a page, with https://")
        if position is None:
            raise UsageError(
                f"{seed} is no page of {workspace.folder}; list its pages with `sitestrata pages {workspace.folder}`, "
                f"or find the site on the Web with `sitestrata site {seed} --live`"
            )
        found.append(position)
    return found


def site_record(
    workspace: Workspace, seeds: Sequence[str], *, use_urls: bool = True, external_only: bool = True
) -> dict[str, Any]:
    """Find the site around seeds and return it with its scales, keywords and crawl scope.

    The keywords are those of links from outside; with ``external_only`` off, of all links that come in.
    """
    web = workspace_web(workspace)
    positions = seed_positions(workspace, web, seeds)
    network = flow_network(web, use_urls=use_urls)
    answer = find_site(network, positions, evidence=site_sets(workspace, web, use_urls=use_urls))
    record = scales_record(network, answer.ranked, answer)
    record["keywords"] = _keywords(workspace, web, answer, external_only=external_only)
    record["unknown"] = _unknown(web, answer)
    if network.prefixes is not None:
        record["scope"] = scope_record(network, answer.site, positions)
    return record


def scope_record(network: FlowNetwork, pages: np.ndarray, seeds: Sequence[int]) -> dict[str, Any]:
    """Describe a set of pages as rules for crawlers."""
    if network.prefixes is None:
        raise ValueError("rules are made of addresses, which are withheld")
    urls = network.web.urls
    scope = scope_of(network.prefixes, urls, pages)
    return {
        "surts": surt_lines(scope),
        "browsertrix": browsertrix_yaml(scope, [urls[page] for page in seeds]),
        "missed_by_prefixes": scope.missed,
        "added_by_prefixes": scope.added,
    }


def paper_record(
    workspace: Workspace, seeds: Sequence[str], *, keyword: str | None = None, max_pages: int | None = None
) -> dict[str, Any]:
    """Run the whole process of the paper (Senellart 3.2, Figure 9) on the workspace as the superset."""
    web = workspace_web(workspace)
    positions = seed_positions(workspace, web, seeds)
    labels = cluster_pages(collection_graph(web))
    cluster = (
        choose_cluster(labels, web, keyword=keyword)
        if keyword
        else np.unique(np.concatenate([choose_cluster(labels, web, page=page) for page in positions]))
    )
    if len(cluster) == 0:
        raise UsageError(f"No address of {workspace.folder} contains {keyword!r}; choose another --keyword")
    sigma = distance_deviation(web.urls)  # 7.24 on the paper's crawl (2.4.1)
    pages = extend(web, cluster, options=FlowOptions(max_pages=max_pages, sigma=sigma))
    urls = [web.urls[page] for page in pages.tolist()]
    return {
        "seeds": [web.urls[page] for page in positions],
        "chosen": {
            "pages": urls,
            "scale": FlowOptions().epsilon,
            "criterion": "MCL cluster, extended by on-line preflow-push",
            "size": len(urls),
            "label": f"{len(cluster):,} pages of the cluster and {len(urls) - len(cluster):,} that flow added",
        },
        "alternatives": [],
        "chain": [],
        "seed_groups": [[web.urls[page] for page in positions]],
        "unknown": [],
        "fetched": 0,
    }


def scales_record(network: FlowNetwork, ranked: Sequence[Candidate], answer: SiteAnswer) -> dict[str, Any]:
    """Describe scales, the chosen one first, with the whole chain."""
    web = network.web
    chosen = ranked[0]
    return {
        "seeds": [web.urls[page] for page in answer.seeds.tolist()],
        "chosen": {
            "pages": [web.urls[page] for page in chosen.pages.tolist()],
            "scale": chosen.scale,
            "criterion": CRITERION,
            "size": len(chosen.pages),
            "conductance": chosen.conductance,
            "label": label_of(network, chosen.pages),
            "evidence": dict(chosen.support),
        },
        "alternatives": [_alternative(network, chosen, other) for other in ranked[:SHOWN]],
        "chain": [
            {"scale": scale.scale, "size": len(scale.pages), "conductance": scale.conductance} for scale in answer.chain
        ],
        "seed_groups": [[web.urls[page] for page in group] for group in answer.seed_groups],
        "unknown": [],
        "fetched": 0,
    }


def _alternative(network: FlowNetwork, chosen: Candidate, other: Candidate) -> dict[str, Any]:
    smaller, larger = sorted((chosen.pages, other.pages), key=len)
    return {
        "pages": [network.web.urls[page] for page in other.pages.tolist()],
        "scale": other.scale,
        "size": len(other.pages),
        "conductance": other.conductance,
        "label": label_of(network, other.pages),
        "differs": "" if other is chosen else added_text(network, smaller, larger),
    }


def _unknown(web: PageWeb, answer: SiteAnswer) -> list[str]:
    """Links of the site that were never captured have no address in the web; pages that nothing reaches are unknown."""
    if not answer.chain:
        return []
    outside = np.setdiff1d(np.arange(web.page_count), answer.chain[0].pages)
    return [web.urls[page] for page in outside.tolist()]


def site_sets(workspace: Workspace, web: PageWeb, *, use_urls: bool = True) -> dict[str, list[np.ndarray]]:
    """Return the page sets that other stages of the plan found, by their kind; none that rest on withheld addresses."""
    if "boundaries" not in workspace.tables:
        return {}
    if not use_urls and workspace.manifest.stages["sites"].options["url_evidence"]:
        return {}
    rows = workspace.arrow("boundaries", ["page_id", "site"])
    places, known = positions_of(web.ids, rows["page_id"].to_numpy())
    sites = rows["site"].to_numpy()[known]
    order = np.lexsort((places[known], sites))
    parts = np.split(places[known][order], np.flatnonzero(np.diff(sites[order])) + 1)
    return {"site": [np.unique(part) for part in parts if len(part) > 1]}


def _keywords(workspace: Workspace, web: PageWeb, answer: SiteAnswer, *, external_only: bool) -> list[dict[str, Any]]:
    links: pa.Table = workspace.arrow("links", ["page", "target", "label"])
    rows = zip(links["page"].to_pylist(), links["target"].to_pylist(), links["label"].to_pylist(), strict=True)
    found = keywords(rows, web.ids[answer.site].tolist(), external_only=external_only)
    return [{"word": word, "links": count} for word, count in found]
