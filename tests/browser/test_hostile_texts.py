"""Texts that crawled pages may hold run no script in a browser, with and without the page's own policy."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sitestrata.report import write_report
from support.views import faults_in_views, hostile_workspaces, paths_of_views
from support.workspaces import PAYLOADS, web_of_texts

pytestmark = pytest.mark.browser
Dump = Callable[[Path], str]


def test_the_browser_would_run_a_script(tmp_path: Path, dom_after_load: Dump) -> None:
    """If this fails the other tests prove nothing."""
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><title>calm</title><script>document.title='PWNED'</script>")

    assert "<title>PWNED</title>" in dom_after_load(path)


@pytest.mark.parametrize("has_policy", [True, False])
def test_no_script_of_a_page_runs_in_the_report(has_policy: bool, tmp_path: Path, dom_after_load: Dump) -> None:
    path = write_report(web_of_texts(tmp_path / "ws", PAYLOADS))
    if not has_policy:
        text = path.read_text("utf-8")
        path.write_text(re.sub(r"<meta http-equiv=.*?>", "", text, count=1), "utf-8")
        assert "Content-Security-Policy" not in path.read_text("utf-8")

    after = dom_after_load(path)

    assert "<title>Sitestrata: ws</title>" in after
    assert after.count("<details") == path.read_text("utf-8").count("<details")
    assert "<script" not in after
    assert "<img" not in after


def test_every_view_of_hostile_texts_is_readable_and_does_nothing(
    tmp_path: Path, serve: Callable[..., Any], watch: Callable[..., Any]
) -> None:
    """Taxonomy, comparison, corrections, runs and all the rest, with every text of every table hostile."""
    now, early = hostile_workspaces(tmp_path, PAYLOADS)
    browser = watch(serve(now, "--compare", str(early)))
    page = browser.page

    def look(path: str) -> Any:
        browser.open(path)
        return page

    paths = paths_of_views(page)
    assert {"/taxonomy/0", "/compare/early?kind=moved"} <= set(paths)
    faults = list(faults_in_views(look, paths))
    browser.open("/run")
    page.locator("textarea[name=sources]").fill(f"/nowhere/{PAYLOADS[0]}.warc.gz\n/nowhere/{PAYLOADS[2]}")
    page.get_by_role("button", name="Mine", exact=False).first.click()
    page.get_by_text("nowhere").last.wait_for()
    page.wait_for_timeout(300)

    assert [] == faults
    assert "PWNED" not in page.title()
    assert [] == browser.left()
    assert [] == browser.dialogs
    assert [] == browser.errors
