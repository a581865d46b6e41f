"""Webs of any size: what is planned, how sites overlap, and that memory stays bounded."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sklearn.metrics import adjusted_rand_score

from sitestrata.sample import KINDS, truth
from sitestrata.sample.world import make_world


@pytest.mark.parametrize("pages", [1, 10, 999, 5000, 100_000, 1_000_000])
def test_plans_add_up_to_the_pages_asked_for(pages: int) -> None:
    plans = make_world(3, pages).plans

    assert sum(plan.pages for plan in plans) == pages


def test_a_web_of_a_thousand_pages_has_every_kind_and_several_shops() -> None:
    kinds = Counter(plan.kind for plan in make_world(3, 1000).plans)

    assert set(kinds) == set(KINDS)
    assert kinds["shop"] >= 3


def test_names_and_hosts_of_groups_differ() -> None:
    plans = make_world(3, 100_000).plans

    assert len({plan.home for plan in plans}) == len(plans)


def test_addresses_alone_neither_solve_nor_hide_the_sites() -> None:
    rows = [row for name, row in truth(12, 1200) if name == "truth"]
    sites = [row["site"] for row in rows]
    hosts = [urlsplit(row["url"]).netloc for row in rows]
    folders = ["/".join(row["url"].split("/")[2:4]) for row in rows]

    assert 0.3 < adjusted_rand_score(sites, hosts) < 0.97
    assert 0.1 < adjusted_rand_score(sites, folders) < 0.97


def test_addresses_fail_on_sister_sites() -> None:
    rows = [row for name, row in truth(12, 700, only=["sisters"]) if name == "truth"]
    sites = [row["site"] for row in rows]

    assert adjusted_rand_score(sites, [urlsplit(row["url"]).netloc for row in rows]) < 0.1
    assert adjusted_rand_score(sites, ["/".join(row["url"].split("/")[2:4]) for row in rows]) < 0.6


def test_concepts_of_a_domain_overlap_under_different_labels() -> None:
    taxonomies = {row["domain"]: row["taxonomy"] for name, row in truth(12, 1500) if name == "ontology"}
    concepts = [concept for taxonomy in taxonomies.values() for concept in taxonomy["concepts"]]

    assert sum(len(concept["sites"]) > 1 for concept in concepts) > 30
    assert sum(len(concept["labels"]) > 1 for concept in concepts) > 20
    assert all(taxonomy["is_a"] for taxonomy in taxonomies.values())


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_a_large_web_needs_little_memory(tmp_path: Path) -> None:
    script = (
        "import re, sys; from sitestrata.sample import write; write(sys.argv[1], seed=5, pages=8_000); "
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    run = subprocess.run([sys.executable, "-c", script, str(tmp_path / "web.warc.gz")], capture_output=True, check=True)

    assert int(run.stdout) < 150_000  # kilobytes; the bodies alone are over 200 MB
