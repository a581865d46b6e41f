"""Score the listings of concept pages: is one region of the page the list that gold names?

    python bench/listings.py FOLDER... [--show]

Each FOLDER holds ``gold.json`` (instances by page) and ``pages.warc.gz``. A listing of several instances is found if
some region has nine in ten of its names, and nine in ten of the region's names are gold's.
"""

import argparse
import json
from pathlib import Path

from sitestrata.evaluate.text import plain
from sitestrata.instances.listings import find_listings
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.model import Capture
from sitestrata.page import read_page
from sitestrata.sources import find_sources, index_source, read_bodies
from sitestrata.urls import normalise

FOUND = 0.9  # precision and recall


def pages_of(folder: Path, wanted: set[str | None]) -> dict[str, PagePlaces]:
    """Read some pages of an archive."""
    found = {}
    for source in find_sources([str(folder / "pages.warc.gz")]):
        items = index_source(source)
        captures = [item for item in items if isinstance(item, Capture) and item.is_html and item.url in wanted]
        for item in read_bodies(source, captures):
            if isinstance(item, tuple):
                capture, body = item
                found[capture.url] = read_places(read_page(body, capture.url, charset=capture.charset))
    return found


def best_region(page: PagePlaces, wanted: set[str]) -> tuple[float, float]:
    """Return precision and recall of the region that is most like the wanted names."""
    best = (0.0, 0.0)
    for region in find_listings(page):
        names = {plain(page.texts[record.name]) for record in region.records}
        right = len(names & wanted)
        scores = (right / len(names), right / len(wanted))
        best = max(best, scores, key=lambda pair: (min(pair), sum(pair)))
    return best


def main() -> None:
    """Score every listing of more than one instance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    scored = []
    for folder in options.folders:
        gold = json.loads((folder / "gold.json").read_text("utf-8"))["instances"]
        listings = [entry for entry in gold if len(entry["instances"]) > 1]
        pages = pages_of(folder, {normalise(entry["page"]) for entry in listings})
        for entry in listings:
            page = pages.get(normalise(entry["page"]) or "")
            names = {plain(instance["name"]) for instance in entry["instances"]}
            scored.append((0.0, 0.0) if page is None else best_region(page, names))
            if options.show:
                print(f"{scored[-1][0]:.2f} {scored[-1][1]:.2f} of {len(names):3} {entry['page']} {entry['concept']}")
    print(f"listings found: {sum(min(scores) >= FOUND for scores in scored)} of {len(scored)}")


if __name__ == "__main__":
    main()
