"""A real browser: whatever Chromium does with a page counts, not what we think it does; and servers to look at."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from sitestrata.run.mine import mine
from sitestrata.sample import write

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "src" / "sitestrata" / "report" / "ui" / "index.html"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


def missing(what: str) -> None:
    """Leave a test out, which the end of the run lists; where the tests must be complete (CI=true), fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


def find_chromium() -> str:
    """Return where Chromium is; without it, no test in a browser can run."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        missing("Chromium is not installed (make browser installs it where it may; else apt-get install chromium)")
    assert path is not None
    return path


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright."""
    path = find_chromium()
    if not BUNDLE.exists():
        missing("the web interface is not built (make web)")
    with sync_playwright() as playwright:
        # Root, as in a container, cannot use Chromium's own sandbox.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


@dataclass
class Watched:
    """A browser page, and everything that it must not do."""

    page: Any
    base: str
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def left(self) -> list[str]:
        """Return the requests that went anywhere but to our server."""
        return [url for url in self.requests if not url.startswith((self.base, "data:", "about:", "blob:"))]

    def open(self, path: str) -> None:
        """Open a view and wait until everything it asked for is there."""
        self.page.goto(self.base + path)
        self.page.wait_for_selector("main h1")
        self.page.get_by_text("Loading …").first.wait_for(state="detached")
        for frame in self.page.frames[1:]:
            frame.wait_for_load_state("load")


@dataclass(frozen=True)
class Served:
    """A server at work."""

    address: str  # with the token
    base: str
    folder: Path


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Start servers that end with the tests."""
    running: list[subprocess.Popen[str]] = []

    def start(folder: Path, *options: str) -> Served:
        command = [sys.executable, "-m", "sitestrata", "serve", str(folder), "--port", "0", *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        return Served(address, address.partition("/#")[0], folder)

    yield start
    for process in running:
        process.terminate()
        process.wait(20)


@pytest.fixture
def watch(chromium: Any) -> Iterator[Callable[..., Watched]]:
    """Open pages that tell what they do."""
    contexts: list[Any] = []

    def open_page(served: Served, **options: Any) -> Watched:
        context = chromium.new_context(viewport={"width": 1280, "height": 900}, **options)
        contexts.append(context)
        watched = Watched(context.new_page(), served.base)
        watched.page.on("request", lambda request: watched.requests.append(request.url))
        watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))

        def dismiss(dialog: Any) -> None:
            watched.dialogs.append(dialog.message)
            dialog.dismiss()

        watched.page.on("dialog", dismiss)
        watched.page.goto(served.address)
        return watched

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Served]) -> Served:
    """The sample web, with an earlier crawl of a part of it to compare with."""
    folder = tmp_path_factory.mktemp("sample")
    write(folder / "web.warc.gz", seed=1, pages=120)
    write(folder / "early.warc.gz", seed=1, pages=90)
    mine([folder / "web.warc.gz"], folder / "ws", workers=1)
    mine([folder / "early.warc.gz"], folder / "early", workers=1)
    return serve(folder / "ws", "--compare", str(folder / "early"))


@pytest.fixture(scope="session")
def dom_after_load(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], str]:
    """Return a function that opens a file in Chromium, scripts on, and returns the document as it then is."""
    chromium = find_chromium()
    profile = tmp_path_factory.mktemp("profile")

    def dump(path: Path) -> str:
        options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
        done = subprocess.run(
            [chromium, *options, "--virtual-time-budget=3000", "--dump-dom", path.as_uri()],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        return done.stdout

    return dump
