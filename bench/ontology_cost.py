"""What an ontology costs beside parsing the same pages, in CPU seconds of one process.

    python bench/ontology_cost.py WS GOLD.json

WS is a mined workspace, GOLD.json names the home pages. Parsed are all pages of the workspace; mined are the ontology
of the home pages, the same three levels deep without a limit of pages, and what the stages of `mine` find,
which are run again there.
"""

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path

from sitestrata.ontology.options import OntologyOptions
from sitestrata.run.mine import mine
from sitestrata.run.one_page import stored_pages
from sitestrata.run.ontology import workspace_ontology
from sitestrata.run.workspace import open_workspace


def cpu(action: Callable[[], object]) -> tuple[float, object]:
    """Return the CPU seconds of an action, and what it gives."""
    start = time.process_time()
    made = action()
    return time.process_time() - start, made


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("gold", type=Path)
    options = parser.parse_args()
    workspace = open_workspace(options.workspace)
    homes = [home["url"] for home in json.loads(options.gold.read_text("utf-8"))["homes"]]
    parsing, pages = cpu(lambda: sum(1 for _ in stored_pages(workspace)))
    print(f"parsing {pages:,} pages: {parsing:.1f} s")
    deep = OntologyOptions(depth=3, concept_pages=1_000_000)
    actions: dict[str, Callable[[], object]] = {
        f"ontology of {len(homes)} home pages": lambda: workspace_ontology(workspace, homes),
        "three levels deep, all pages of concepts": lambda: workspace_ontology(workspace, homes, deep),
        "stages of mine": lambda: mine([], options.workspace, only=["entries", "domains", "ontology"]),
    }
    for name, action in actions.items():
        seconds, _ = cpu(action)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{name}: {seconds:.1f} s, {seconds / parsing:.1f} x parsing; peak so far {peak} MB")


if __name__ == "__main__":
    main()
