"""Text is grouped by Python's seeded hash inside the stage; the seed must not show in its rows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
from support.tiny_web import TinyWeb
H = "https://example.org"
web = TinyWeb()
for number in range(30):
    text = f"text {number % 7}"
    web.page(f"{H}/{number}", text, links=["#", "/1?x=2", f"http://example.org/{number}/"])
    web.page(f"{H}/{number}/", text, links=["#", "/1?x=2"])
    web.redirect(f"http://example.org/{number}", f"{H}/{number % 11}")
    web.link(f"{H}/{number}?utm_source=b", f"{H}/{number}?utm_source=a", f"{H}/{number}.html", f"{H}/{number}//")
for url, alias in sorted(web.aliases().items()):
    print(alias)
"""


@pytest.mark.slow
def test_rows_do_not_depend_on_the_seed_of_hash() -> None:
    tests = Path(__file__).parents[2]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(tests)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2", "3")
    }

    assert len(outputs) == 1
    assert "Alias(" in outputs.pop()
