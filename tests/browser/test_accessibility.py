"""axe finds no serious fault in any view, in light and in dark."""

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import AXE, missing


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(sample: Any, watch: Callable[..., Any], scheme: str) -> None:
    if not AXE.exists():
        missing("axe-core is not installed (make web)")
    browser = watch(sample, color_scheme=scheme)
    page = browser.page
    source = AXE.read_text("utf-8")
    site = page.evaluate("fetch('/api/sites?limit=1').then(r => r.json()).then(d => d.rows[0].site)")
    faults = []
    for path in (
        "/", f"/site/{site}", f"/site/{site}/tree", f"/site/{site}/menus", f"/site/{site}/pages",
        f"/site/{site}/scales", f"/page/{site}", f"/page/{site}/labels", f"/page/{site}/tables", f"/page/{site}/facts",
        "/pages", "/taxonomy", "/correct", "/correct/judge", "/compare", "/run", "/nonsense",
    ):  # fmt: skip
        browser.open(path)
        page.evaluate(source)
        result = page.evaluate("axe.run(document, {iframes: false, resultTypes: ['violations']})")
        faults += [
            f"{path}: {fault['id']}: {fault['nodes'][0]['html'][:120]} {fault['nodes'][0]['failureSummary'][:200]}"
            for fault in result["violations"]
            if fault["impact"] in ("serious", "critical")
        ]

    assert [] == faults
