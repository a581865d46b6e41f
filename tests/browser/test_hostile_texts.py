"""Texts that crawled pages may hold run no script in a browser, with and without the page's own policy."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sitestrata.report import write_report
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
