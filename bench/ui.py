"""How fast the web interface is: first view, interactions, a map of 10,000 sites, a table of 1,000,000 pages.

    python bench/ui.py WS [--rows 1000000] [--sites 10000] [--made FOLDER] [-o result.json]

WS is a mined workspace (the apache collection has 7,929 pages). The large workspace is made up here: only the tables
that the measured views read. Chromium draws in software, without a graphics card. Every figure is the median of
REPEATS runs, the slowest beside it. Ends with 1 if a median is above its limit; a busy machine makes it so.
"""

import argparse
import gzip
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sitestrata.model import TABLES
from sitestrata.run.manifest import StageRecord
from sitestrata.run.storage import write_file
from sitestrata.run.workspace import write_workspace
from sitestrata.urls import url_id

REPEATS = 5
BUNDLE_BYTES = 250_000
# Milliseconds: the first view of a workspace, of a large map when the server has just started, an answer of the table.
FIRST_VIEW, LARGE_MAP, TABLE, INTERACTION = 1000, 3000, 300, 100
SERVER = 0  # process id of the server that is measured
BUNDLE = Path(__file__).parents[1] / "src" / "sitestrata" / "report" / "ui"
WORDS = ["alpha", "bridge", "canvas", "delta", "engine", "forest", "garden", "harbour", "island", "journey", "kettle"]


def made_up_workspace(folder: Path, rows: int, sites: int, *, seed: int = 1) -> None:
    """Write a workspace of ``rows`` pages in ``sites`` sites, with links between sites."""
    rng = np.random.default_rng(seed)
    # A page for every site, the others as sizes of sites are spread: a few large ones, many small.
    site = np.sort(np.concatenate([np.arange(sites), rng.zipf(1.6, rows - sites) % sites]))
    place = np.arange(rows)
    urls = [
        f"https://site{s}.example/{WORDS[p % 11]}/{WORDS[p // 11 % 11]}/{p}.html"
        for s, p in zip(site, place, strict=True)
    ]
    ids = np.array([url_id(url) for url in urls], np.int64)
    first = np.unique(site, return_index=True)[1]
    entry = np.zeros(sites, np.int64)
    entry[site[first]] = ids[first]
    titles = [
        f"{WORDS[a].title()} {WORDS[b]} {p}"
        for a, b, p in zip(rng.integers(0, 11, rows), rng.integers(0, 11, rows), place, strict=True)
    ]
    confidence = rng.random(rows).round(3)
    empty = pa.array([[]] * rows, pa.list_(pa.int64()))
    pages = {
        "url_id": ids, "url": urls, "title": titles, "language": ["en"] * rows, "charset": ["utf-8"] * rows,
        "base": urls, "breadcrumb": pa.array([[]] * rows, TABLES["pages"].schema.field("breadcrumb").type),
        "node_count": place % 997, "link_count": rng.integers(0, 500, rows), "leaf_count": place % 97,
        "table_count": place % 3, "text_length": rng.integers(0, 99999, rows), "linked_text_length": place % 89,
        "links_digest": place, "template": empty, "resources": empty,
    }  # fmt: skip
    aliases = {
        "url_id": ids, "url": urls, "page_id": ids, "canonical": urls,
        "rules": pa.array([[]] * rows, pa.list_(pa.string())), "is_captured": [True] * rows,
    }  # fmt: skip
    boundaries = {
        "page_id": ids, "site": entry[site], "section": entry[site], "method": ["links"] * rows,
        "confidence": confidence, "section_votes": confidence, "rival_votes": confidence,
    }  # fmt: skip
    present = np.unique(site)
    sizes = np.bincount(site, minlength=sites)
    listed = {
        "site": entry[present], "entry_url": [urls[i] for i in first],
        "name": [f"{WORDS[s % 11].title()} {s}" for s in present], "hosts": [[f"site{s}.example"] for s in present],
        "pages": sizes[present], "sections": np.ones(len(present), np.int64), "method": ["links"] * len(present),
        "confidence": rng.random(len(present)),
    }  # fmt: skip
    count = min(rows, 4 * sites)
    links = {
        "page": ids[rng.integers(0, rows, count)], "ordinal": np.arange(count),
        "target": ids[rng.integers(0, rows, count)],
        "kind": ["a"] * count, "label": ["x"] * count, "label_source": ["text"] * count,
        "path": ["html/body/a"] * count, "segment": np.zeros(count, np.int32), "node": np.arange(count),
    }  # fmt: skip
    tables = {"pages": pages, "aliases": aliases, "boundaries": boundaries, "sites": listed, "links": links}
    with write_workspace(folder) as workspace:
        staged = {}
        for name, columns in tables.items():
            path = workspace.staging("made-up") / name / "all.parquet"
            write_file(path, name, [_table(name, columns)])
            staged[name] = [path]
        record = StageRecord(
            "", "", "", {}, {}, {name: len(next(iter(columns.values()))) for name, columns in tables.items()}, 0.0
        )
        workspace.commit("made-up", record, staged, keep={}, staging=workspace.staging("made-up"))
        workspace.update(is_finished=True)


def _table(name: str, columns: dict[str, Any]) -> pa.Table:
    """Return the columns as a table; one that no measured view reads is null, or 0 where a value is due."""
    length = len(next(iter(columns.values())))
    arrays = []
    for field in TABLES[name].schema:
        given = columns.get(field.name)
        if given is None:
            given = pa.nulls(length, field.type) if field.nullable else np.zeros(length, np.int64)
        arrays.append(given if isinstance(given, pa.Array) else pa.array(given, field.type))
    return pa.table(arrays, schema=TABLES[name].schema)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    global SERVER
    command = [sys.executable, "-m", "sitestrata", "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    SERVER = process.pid
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(20)


def timed(action: Callable[[], Any], repeats: int = REPEATS) -> dict[str, float]:
    """Return median and maximum in milliseconds, and what the server worked, which other work does not change."""
    times, work = [], []
    for _ in range(repeats):
        began, worked = time.perf_counter(), processor_time()
        action()
        times.append(1000 * (time.perf_counter() - began))
        work.append(processor_time() - worked)
    return {
        "median_ms": round(statistics.median(times), 1),
        "max_ms": round(max(times), 1),
        "server_cpu_ms": round(statistics.mean(work)),
    }


def processor_time() -> float:
    """Return the milliseconds that the server has worked so far, on all cores."""
    fields = Path(f"/proc/{SERVER}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(base: str, path: str) -> Any:
    with urllib.request.urlopen(base + path, timeout=60) as answer:
        return json.loads(answer.read())


def table_of_pages(address: str) -> dict[str, Any]:
    """Measure the pages table, at the top, filtered, sorted, and far down."""
    base = address.partition("/#")[0]
    began = time.perf_counter()
    total = ask(base, "/api/pages?limit=1")["total"]
    result: dict[str, Any] = {"rows": total, "first_answer_ms": round(1000 * (time.perf_counter() - began))}
    far: dict[str, str] = {}
    for sort in ("url", "title", "links", "confidence"):
        top = ask(base, f"/api/pages?sort={sort}&limit=50")
        # The middle of the list, reached by a key as a person reaches it by paging.
        last = ask(base, f"/api/pages?sort={sort}&descending=true&limit=50")
        far[sort] = last["next"]
        assert len(top["rows"]) == 50
    for name, path in {
        **{f"by {sort}": f"/api/pages?sort={sort}&limit=50" for sort in far},
        **{
            f"by {sort}, falling, second screen": f"/api/pages?sort={sort}&descending=true&limit=50&cursor={far[sort]}"
            for sort in far
        },
        "search": "/api/pages?q=harbour&sort=title&limit=50",
        "search without a hit": "/api/pages?q=zzzz&limit=50",
        "host": "/api/pages?host=site7.example&sort=links&limit=50",
    }.items():
        result[name] = timed(lambda path=path: ask(base, path))
    return result


# Click, and resolve with the milliseconds until what is waited for has been painted, by the clock of the page: the time
# that whoever drives the browser needs to find and reach a button is not the interface's.
_INTERACTION = """([button, done]) => new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`${done} did not come after a click on ${button}`)), 10000);
    const node = document.querySelector(button);
    const began = performance.now();
    const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    const watch = new MutationObserver(() => {
        if (!document.querySelector(done)) return;
        watch.disconnect();
        painted();
    });
    node.click();
    requestAnimationFrame(() => {
        if (document.querySelector(done)) painted();
        else watch.observe(document.body, {childList: true, subtree: true, attributes: true});
    });
})"""


def interaction(page: Any, starts: list[tuple[str, str]], button: str, done: str) -> dict[str, float]:
    """Measure from a click to the paint that shows what was asked for; a view goes by address and what shows it."""
    times = []
    for number, (address, ready) in enumerate(starts):
        if page.url != address:
            page.goto(address)
        page.wait_for_selector(ready)
        page.wait_for_load_state("networkidle")
        times.append(page.evaluate(_INTERACTION, [button.replace("{n}", str(1 + number % 4)), done]))
    return {"median_ms": round(statistics.median(times), 1), "max_ms": round(max(times), 1)}


def map_in_browser(address: str, browser: Any) -> dict[str, Any]:
    """Measure the first view and the map, with the clock of this process."""
    base = address.partition("/#")[0]
    result: dict[str, Any] = {}

    def first_view() -> None:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(base)
        page.wait_for_selector("canvas[data-drawn]")
        page.wait_for_selector(".site-list li")
        context.close()

    began = time.perf_counter()
    first_view()
    result["first view, server just started"] = {"ms": round(1000 * (time.perf_counter() - began))}
    result["first view"] = timed(first_view)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(base)
    page.wait_for_selector("canvas[data-drawn]")
    result["sites on the map"] = int(page.locator("canvas").get_attribute("data-drawn"))
    first = [(f"{base}/", "canvas[data-drawn]")] * REPEATS
    result["zoom the map"] = interaction(page, first, "button[aria-label='Zoom in']", "canvas[data-drawn]")
    result["colour the map"] = interaction(
        page, first, "fieldset.choice label:nth-of-type({n}) input", "canvas[data-drawn]"
    )
    page.close()
    return result


def views_in_browser(address: str, browser: Any) -> dict[str, Any]:
    """Measure the answers of the server, and what a person does in the views of a site and of a page."""
    base = address.partition("/#")[0]
    result: dict[str, Any] = {}
    site = ask(base, "/api/sites?limit=1")["rows"][0]["site"]
    answers = {
        "site": f"/api/sites/{site}",
        "tree": f"/api/sites/{site}/tree",
        "menus": f"/api/sites/{site}/menus",
        "pages of a site": f"/api/pages?site={site}&limit=50",
        "page": f"/api/pages/{site}",
    }
    for name, path in answers.items():
        result[f"answer: {name}"] = timed(lambda path=path: ask(base, path))

    def read_archive() -> None:
        with urllib.request.urlopen(f"{base}/api/pages/{site}/archive?show=menus", timeout=60) as answer:
            answer.read()

    result["answer: archived page"] = timed(read_archive)

    page = browser.new_page(viewport={"width": 1280, "height": 900})
    rows = ask(base, f"/api/sites?limit={REPEATS}")["rows"]
    views = [(f"{base}/site/{row['site']}", "nav.tabs") for row in rows]
    for name, done in {"pages": "tbody tr", "tree": "[role=treeitem]", "menus": ".cards .card, p.muted"}.items():
        result[f"open the {name} of a site"] = interaction(page, views, f"nav.tabs a[href$='/{name}']", done)
    views = [(f"{base}/page/{row['site']}", "nav.tabs") for row in rows]
    result["open the labels of a page"] = interaction(
        page, views, "nav.tabs a[href*='/labels']", ".labels, .beside p.muted"
    )
    result["show or hide a layer"] = interaction(page, views, "fieldset.choice label:nth-of-type(2) input", "iframe")
    page.close()
    return result


def above_limits(result: dict[str, Any]) -> list[str]:
    """Name what is slower or larger than it may be."""
    measured = {
        "bundle": (result["bundle_gzip_bytes"], BUNDLE_BYTES),
        "large map, server just started": (result["large map"]["first view, server just started"]["ms"], LARGE_MAP),
        "first view": (result["workspace"]["first view"]["median_ms"], FIRST_VIEW),
    }
    for part, limit in (("table of pages", TABLE), ("workspace", INTERACTION)):
        for name, figures in result[part].items():
            if isinstance(figures, dict) and "median_ms" in figures and name != "first view":
                measured[f"{part}: {name}"] = (figures["median_ms"], limit)
    return [f"{name}: {value} (limit {limit})" for name, (value, limit) in measured.items() if value > limit]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--sites", type=int, default=10_000)
    parser.add_argument("--made", type=Path, help="folder in which made-up workspaces are kept for the next time")
    parser.add_argument("-o", "--out", type=Path)
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    sizes = [len(gzip.compress(path.read_bytes())) for path in BUNDLE.rglob("*") if path.is_file()]
    result: dict[str, Any] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        "bundle_gzip_bytes": sum(sizes),
    }
    folder = given.made or Path(tempfile.mkdtemp(prefix="ui-bench-"))
    try:
        if not (folder / "rows").exists():
            made_up_workspace(folder / "rows", given.rows, 1000)
        if not (folder / "map").exists():
            made_up_workspace(folder / "map", 3 * given.sites, given.sites)
        with served(folder / "rows") as address:
            result["table of pages"] = table_of_pages(address)
        with sync_playwright() as playwright:
            options = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
            with served(given.workspace) as address:
                result["workspace"] = map_in_browser(address, browser) | views_in_browser(address, browser)
            with served(folder / "map") as address:
                result["large map"] = map_in_browser(address, browser)
            browser.close()
    finally:
        if given.made is None:
            shutil.rmtree(folder)
    text = json.dumps(result, indent=1)
    print(text)
    if given.out:
        given.out.write_text(text + "\n")
    above = above_limits(result)
    print(*above or ["Everything is within its limit."], sep="\n", file=sys.stderr)
    return min(len(above), 1)


if __name__ == "__main__":
    sys.exit(main())
