"""axe finds no serious fault in any view; in dark, where colours alone differ, none of colour."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.views import hostile_workspaces, paths_of_views

from .conftest import AXE, missing


@pytest.mark.parametrize(("scheme", "rules"), [("light", []), ("dark", ["color-contrast"])])
def test_axe_finds_no_serious_fault(
    sample: Any, serve: Callable[..., Any], watch: Callable[..., Any], tmp_path: Path, scheme: str, rules: list[str]
) -> None:
    """On the sample web, and, for what it has none of, on a workspace with every table."""
    if not AXE.exists():
        missing("axe-core is not installed (make web)")
    now, early = hostile_workspaces(tmp_path, [f"Text {number}" for number in range(12)])
    faults = []
    for served in (sample, serve(now, "--compare", str(early))):
        browser = watch(served, color_scheme=scheme)
        faults += [fault for path in paths_of_views(browser.page, pages=2) for fault in faults_of(browser, path, rules)]

    assert [] == faults


def faults_of(browser: Any, path: str, rules: list[str]) -> list[str]:
    browser.open(path)
    browser.page.evaluate(AXE.read_text("utf-8"))
    options = {"iframes": False, "resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    result = browser.page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{path}: {fault['id']}: {fault['nodes'][0]['html'][:120]} {fault['nodes'][0]['failureSummary'][:200]}"
        for fault in result["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
