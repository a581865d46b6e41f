"""Take the pictures of docs/web-ui.md from the built-in sample web: python docs/take_pictures.py."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from sitestrata.run.mine import mine
from sitestrata.sample import write

PICTURES = Path(__file__).parent / "pictures"
SIZE = {"width": 1200, "height": 780}
PHONE = {"width": 390, "height": 780}


def main() -> None:
    """Mine the sample web, serve it and photograph its views."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        web, workspace = Path(folder) / "sample.warc.gz", Path(folder) / "sample-web"
        write(web, seed=1, pages=300)
        mine([web], workspace)
        command = [sys.executable, "-m", "sitestrata", "serve", str(workspace), "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        try:
            with sync_playwright() as playwright:
                options = ["--no-sandbox"] if os.geteuid() == 0 else []
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
                _take(browser, address)
                browser.close()
        finally:
            server.terminate()
            server.wait()


def _take(browser: Any, address: str) -> None:
    base = address.partition("/#")[0]
    page = browser.new_page(viewport=SIZE)
    page.goto(address)
    page.wait_for_selector("canvas[data-drawn]")

    def ask(path: str, field: str) -> str:
        return str(page.evaluate(f"fetch('/api/{path}').then(r => r.json()).then(d => {field})"))

    def shoot(name: str, path: str, **viewport: Any) -> None:
        page.set_viewport_size(viewport.get("size", SIZE))
        page.emulate_media(color_scheme=viewport.get("scheme", "light"))
        page.goto(base + path)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(400)
        page.screenshot(path=PICTURES / f"ui-{name}.png")

    site = ask("sites?limit=2", "d.rows[1].site")
    shown = ask(f"pages?site={site}&limit=200&sort=links&descending=true", "d.rows[0].page")
    concept = ask("taxonomy", "d.rows.sort((a, b) => b.children - a.children)[0].concept")
    shoot("map", "/")
    shoot("tree", f"/site/{site}/tree")
    shoot("menus", f"/site/{site}/menus")
    shoot("page", f"/page/{shown}/labels?show=menus,blocks,tables,records")
    shoot("taxonomy", f"/taxonomy/{concept}")
    shoot("scales", f"/site/{site}/scales", scheme="dark")
    shoot("phone", f"/site/{site}", size=PHONE)


if __name__ == "__main__":
    main()
