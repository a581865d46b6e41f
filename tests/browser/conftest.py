"""A real browser: whatever Chromium does with a page counts, not what we think it does."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def dom_after_load(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], str]:
    """Return a function that opens a file in Chromium, scripts on, and returns the document as it then is."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("Chromium is not installed (make browser installs it where it may)")
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
