"""A person walks through the views, corrects something, mines again, and the correction holds."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_from_the_map_to_a_correction_that_holds(
    sample: Any, serve: Callable[..., Any], watch: Callable[..., Any], tmp_path: Path
) -> None:
    shutil.copytree(sample.folder, tmp_path / "ws")
    browser = watch(serve(tmp_path / "ws"))
    page = browser.page

    page.wait_for_selector("canvas[data-drawn]")
    assert "token" not in page.url
    page.get_by_role("heading", name=re.compile(r"\d+ site")).wait_for()
    before = int(page.locator("main h1").inner_text().split()[0])
    first = page.locator(".site-list li a").nth(0).inner_text()
    second = page.locator(".site-list li a").nth(1).inner_text()
    page.locator(".site-list li a").nth(0).click()
    page.wait_for_url(re.compile("/site/"))
    assert first == page.locator("main h1").inner_text()

    page.get_by_role("navigation", name="Parts of the site").get_by_role("link", name="Pages").click()
    page.locator("table a").first.click()
    page.wait_for_url(re.compile("/page/"))
    page.locator(".words li").nth(2).wait_for()
    frame = page.frame_locator("iframe")
    assert frame.locator("body").inner_text().strip()

    page.go_back()
    page.go_back()
    page.get_by_role("button", name="Merge into another site").click()
    page.get_by_role("dialog").get_by_placeholder("Find a site").fill(second)
    page.get_by_role("dialog").get_by_role("button", name=second).first.click()
    page.get_by_text("Kept. Mine again").wait_for()

    page.get_by_role("link", name="Correct").click()
    assert "is a part of" in page.locator(".decisions li").first.inner_text()
    page.get_by_role("button", name="Mine again").click()
    page.locator(".badge.done").wait_for(timeout=60_000)
    page.get_by_role("link", name="See the sites").click()
    page.get_by_role("heading", name=f"{before - 1} site").wait_for()
    assert [] == browser.left()
    assert [] == browser.errors


def test_every_view_has_an_address_that_can_be_opened_by_itself(sample: Any, watch: Callable[..., Any]) -> None:
    browser = watch(sample)
    page = browser.page
    site = page.evaluate("fetch('/api/sites?limit=1').then(r => r.json()).then(d => d.rows[0].site)")
    one = page.evaluate(f"fetch('/api/pages?limit=1&site={site}').then(r => r.json()).then(d => d.rows[0].page)")
    for path in (
        "/", "/?q=a&colour=method&min=2", f"/site/{site}", f"/site/{site}/tree", f"/site/{site}/menus",
        f"/site/{site}/pages?sort=links&desc=1", f"/site/{site}/scales", "/pages?q=a", f"/page/{one}",
        f"/page/{one}/labels", f"/page/{one}/tables", f"/page/{one}/facts?show=segments", "/taxonomy", "/correct",
        "/correct/judge", "/compare", "/compare/early?kind=new", "/run", "/nonsense",
    ):  # fmt: skip
        browser.open(path)
        assert page.locator("main h1").inner_text(), path
        assert 0 == page.locator(".error").count(), (path, page.locator("main").inner_text()[:300])
    assert [] == browser.errors
    assert [] == browser.left()


def test_layers_are_switched_without_loading_the_page_again(sample: Any, watch: Callable[..., Any]) -> None:
    browser = watch(sample)
    page = browser.page
    one = page.evaluate(
        "fetch('/api/pages?limit=1&sort=links&descending=true').then(r => r.json()).then(d => d.rows[0].page)"
    )
    browser.open(f"/page/{one}?show=segments")
    mark = page.frame_locator("iframe").locator("[data-ss-segments]").first
    mark.wait_for()
    loads = len([url for url in browser.requests if "/archive" in url])

    def is_drawn() -> bool:
        drawn: bool = mark.evaluate(
            "node => getComputedStyle(node).boxShadow.includes('rgb(122, 92, 0) 0px 0px 0px 3px')"
        )
        return drawn

    page.wait_for_timeout(200)
    assert is_drawn()
    page.get_by_label(re.compile("segments")).uncheck()
    page.wait_for_timeout(200)
    assert not is_drawn()
    page.get_by_label(re.compile("segments")).check()
    page.wait_for_timeout(200)
    assert is_drawn()
    assert loads == len([url for url in browser.requests if "/archive" in url])


def test_page_and_labels_point_at_each_other(sample: Any, watch: Callable[..., Any]) -> None:
    """A click on a tag in the frame chooses a label beside it, a click on a label shows its place in the frame."""
    browser = watch(sample)
    page = browser.page
    one = page.evaluate(
        "fetch('/api/pages?limit=1&sort=text&descending=true').then(r => r.json()).then(d => d.rows[0].page)"
    )
    browser.open(f"/page/{one}?show=blocks,menus")
    frame = page.frame_locator("iframe")
    tag = frame.locator("a.ss-t-blocks:visible").nth(1)
    node = re.search(r"focus=(\d+)", tag.get_attribute("href"))
    assert node is not None
    tag.click()
    chosen = page.locator(".labels [aria-current]")
    chosen.wait_for()
    assert node[1] == re.search(r"at=(\d+)", page.url)[1]  # type: ignore[index]
    assert "/labels" in page.url
    frame.locator("[data-ss-focus]").wait_for()

    label = page.locator(".labels > li > ul button.plain").first
    label.click()
    page.wait_for_function("old => !location.search.includes('at=' + old)", arg=node[1])
    focus = frame.locator("[data-ss-focus]")
    page.wait_for_timeout(300)
    assert label.inner_text().strip()[:10] in focus.inner_text()
    assert page.locator("input[type=checkbox]:checked").count() == 2
    assert frame.locator(".ss-t-menus:visible").count() > 0
    page.get_by_label(re.compile("menus")).uncheck()
    page.wait_for_timeout(200)
    assert 0 == frame.locator(".ss-t-menus:visible").count()
    assert [] == browser.errors


def test_the_keyboard_is_enough_on_the_map(sample: Any, watch: Callable[..., Any]) -> None:
    page = watch(sample).page
    page.wait_for_selector("canvas[data-drawn]")
    page.locator("canvas").focus()

    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    page.wait_for_url(re.compile("/site/"))
    assert "MAIN" == page.evaluate("document.activeElement.tagName")


def test_the_tree_is_opened_and_walked_with_the_arrow_keys(sample: Any, watch: Callable[..., Any]) -> None:
    browser = watch(sample)
    page = browser.page
    site = page.evaluate("fetch('/api/sites?limit=1').then(r => r.json()).then(d => d.rows[0].site)")
    browser.open(f"/site/{site}/tree")
    items = page.locator("[role=treeitem]")
    items.nth(1).wait_for()
    assert "true" == items.first.get_attribute("aria-expanded")
    items.first.focus()

    page.keyboard.press("ArrowRight")
    assert "2" == page.evaluate("document.activeElement.getAttribute('aria-level')")
    page.keyboard.press("ArrowLeft")
    assert "1" == page.evaluate("document.activeElement.getAttribute('aria-level')")
    page.keyboard.press("ArrowLeft")
    assert "false" == items.first.get_attribute("aria-expanded")
    assert 1 == items.count()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/page/"))


@pytest.mark.parametrize("width", [390, 640])
def test_nothing_is_cut_off_on_a_phone_or_at_200_percent(sample: Any, watch: Callable[..., Any], width: int) -> None:
    browser = watch(sample)
    page = browser.page
    page.set_viewport_size({"width": width, "height": 800})
    site = page.evaluate("fetch('/api/sites?limit=1').then(r => r.json()).then(d => d.rows[0].site)")
    for path in ("/", f"/site/{site}", f"/site/{site}/pages", f"/page/{site}", "/correct", "/run", "/compare"):
        browser.open(path)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 1, (path, wide)
