"""A crawl survives kill -9 at any moment (a few kills of what bench/crawl_kill.py does a hundred times)."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.network
def test_killed_crawls_resume_without_loss(request: pytest.FixtureRequest) -> None:
    script = Path(request.config.rootpath) / "bench" / "crawl_kill.py"
    command = [sys.executable, str(script), "--kills", "10", "--kills-a-crawl", "5", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)

    assert done.returncode == 0, done.stdout + done.stderr
