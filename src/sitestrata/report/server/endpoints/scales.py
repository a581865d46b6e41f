"""The nested scales of the website around a page, as flow finds them."""

from typing import Any

import numpy as np
from fastapi import APIRouter

from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.endpoints.sites import site_row
from sitestrata.report.server.state import Found, Id, as_number

__all__ = ["router"]

router = APIRouter(tags=["sites"])

MAX_FLOW_LINKS = 20_000_000  # beyond that the answer takes minutes: `sitestrata site` is the place to ask


@router.get("/sites/{site}/scales")
def scales(snapshot: Found, site: Id) -> dict[str, Any]:
    """Return the nested scales of the website around the site's entry page, as flow finds them."""
    row = site_row(snapshot, as_number(site))
    count = snapshot.workspace.count("links")
    if count > MAX_FLOW_LINKS:
        reason = f"The collection has {count:,} links; ask with `sitestrata site {row['entry_url']} --in ...`."
        return {"is_ready": False, "reason": reason, "chain": [], "alternatives": [], "chosen": None}
    answer: dict[str, Any] = snapshot.once(f"scales {row['site']}", lambda: _scales(snapshot, row["entry_url"]))
    return answer


def _scales(snapshot: Snapshot, seed: str) -> dict[str, Any]:
    from sitestrata.flow.network import flow_network
    from sitestrata.flow.scales import find_site
    from sitestrata.run.site import seed_positions, workspace_web

    network = snapshot.once("flow", lambda: flow_network(workspace_web(snapshot.workspace), use_urls=True))
    web = network.web
    answer = find_site(network, seed_positions(snapshot.workspace, web, [seed]))
    sites_of = _sites_of_pages(snapshot, web.ids)
    chain: list[dict[str, Any]] = []
    for scale in answer.chain:
        values, counts = np.unique(sites_of[scale.pages], return_counts=True)
        order = np.argsort(-counts, kind="stable")[:10]
        chain.append(
            {
                "scale": scale.scale,
                "size": len(scale.pages),
                "conductance": scale.conductance,
                "sites": [{"site": str(values[place]), "pages": int(counts[place])} for place in order.tolist()],
                "sample": [web.urls[page] for page in scale.pages[:20].tolist()],
            }
        )
    sizes = [len(candidate.pages) for candidate in answer.ranked]
    names = {str(row["site"]): row["name"] for row in snapshot.rows("SELECT site, name FROM site_rows")}
    for step in chain:
        for part in step["sites"]:
            part["name"] = names.get(part["site"], "")
    return {
        "is_ready": True,
        "reason": "",
        "chain": chain,
        "alternatives": sizes,
        "chosen": sizes[0] if sizes else None,
    }


def _sites_of_pages(snapshot: Snapshot, ids: Any) -> Any:
    table = {row["page_id"]: row["site"] or 0 for row in snapshot.rows("SELECT page_id, site FROM page_rows")}
    return np.array([table.get(number, 0) for number in ids.tolist()], np.int64)
