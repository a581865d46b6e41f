"""Put every string of a list of naughty strings into titles, labels, addresses and class names, and look what happens.

    python bench/hostile_strings.py blns.json

The list is a JSON array of strings. The report and every export are written from a workspace that holds nothing else,
each is read back by a reader that is not ours, the report is opened in Chromium, with and without its policy, and so is
every view of the web interface, where no script may run, no request leave and every text be readable.
"""

import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import networkx
import pyarrow.parquet as pq
import yaml
from lxml import etree
from rdflib import Graph

from sitestrata.report import write_report
from sitestrata.run.export import FORMATS, write_export
from support.views import faults_in_views, hostile_workspaces, paths_of_views
from support.workspaces import PAYLOADS, web_of_texts

WIDTHS = (1280, 390)  # pixels: a desktop, a phone
MARK = "document.title='PWNED'"
READERS = {
    ".xml": lambda path: etree.parse(path),
    ".graphml": networkx.read_graphml,
    ".gexf": lambda path: networkx.read_gexf(path, version="1.3"),
    ".csv": lambda path: list(csv.reader(path.open(newline="", encoding="utf-8"), strict=True)),
    ".json": lambda path: json.loads(path.read_text("utf-8")),
    ".jsonld": lambda path: json.loads(path.read_text("utf-8")),
    ".yaml": lambda path: yaml.safe_load(path.read_text("utf-8")),
    ".parquet": pq.read_table,
    ".ttl": lambda path: Graph().parse(path, format="turtle"),
    ".surt": lambda path: path.read_text("ascii"),
}
# Of formats that are one file.
SUFFIXES = {
    "graphml": ".graphml",
    "gexf": ".gexf",
    "parquet": ".parquet",
    "skos": ".ttl",
    "owl": ".ttl",
    "turtle": ".ttl",
    "ontology-xml": ".xml",
}


def armed(text: str) -> str:
    """Return a script payload with an effect that shows in the title."""
    return re.sub(r"alert\([^)]*\)|javascript:alert", MARK, text)


def title_in_browser(path: Path, chromium: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                f"--user-data-dir={profile}",
                "--virtual-time-budget=5000",
                "--dump-dom",
                path.as_uri(),
            ],
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
    match = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    return match[1] if match else "no title"


def faults_of_views(folder: Path, strings: list[str], chromium: str) -> list[str]:
    """Serve two workspaces of the strings, open every view and return what is wrong."""
    from playwright.sync_api import sync_playwright

    now, early = hostile_workspaces(folder, strings)
    command = [sys.executable, "-m", "sitestrata", "serve", str(now), "--port", "0", "--compare", str(early)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        base = address.partition("/#")[0]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            faults: list[str] = []
            page.on("dialog", lambda dialog: (faults.append(f"dialog {dialog.message}"), dialog.dismiss()))
            page.on("pageerror", lambda error: faults.append(f"error {error}"))
            page.on("request", lambda request: request.url.startswith((base, "data:")) or faults.append(request.url))

            def look(path: str) -> object:
                page.goto(base + path)
                page.wait_for_selector("main h1")
                page.wait_for_load_state("networkidle")
                return page

            page.goto(address)
            paths = paths_of_views(page, pages=6, concepts=10)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                faults += [f"{fault} at width {width}" for fault in faults_in_views(look, paths)]
            browser.close()
    finally:
        process.terminate()
        process.wait(20)
    print(f"{len(paths)} views in Chromium, on a desktop and a phone: {len(faults)} faults")
    return faults


def main() -> int:
    strings = [armed(text) for text in json.loads(Path(sys.argv[1]).read_text("utf-8"))] + list(PAYLOADS)
    strings = [text.encode("utf-8", "replace").decode() for text in strings]
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        workspace = web_of_texts(Path(folder) / "ws", strings)
        for name in FORMATS:
            path = Path(folder) / f"{name}{SUFFIXES.get(name, '')}"
            done = write_export(workspace, name, path)
            files = [path] if path.is_file() else sorted(path.iterdir())
            for file in files:
                READERS[file.suffix](file)
                faults += not re.fullmatch(r"[A-Za-z0-9_-]+\.[a-z]+", file.name)
            print(f"{name}: {len(files)} files read back; {done.counts}")
        report = write_report(workspace)
        bare = report.with_name("bare.html")
        bare.write_text(re.sub(r"<meta http-equiv=.*?>", "", report.read_text("utf-8"), count=1), "utf-8")
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        for path in (report, bare) if chromium else ():
            title = title_in_browser(path, chromium)
            print(f"{path.name} in Chromium: title {title!r}")
            faults += title != "Sitestrata: ws"
        if chromium:
            wrong = faults_of_views(Path(folder) / "views", strings, chromium)
            faults += len(wrong)
            print(*wrong[:20], sep="\n")
        else:
            print("Chromium is not installed: nothing was opened in a browser")
    print(f"{len(strings)} strings, {faults} faults")
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
