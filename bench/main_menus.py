"""Main menus of the true sites: what is chosen for them from the menus of a workspace, against gold.

    python bench/main_menus.py $SCRATCH/apache $CORPORA/apache/truth.tsv $CORPORA/apache/menus.json

Sites are taken from gold, so that only menus are judged; entry pages are those that the product finds for these sites.
Prints the mean F1 of items by target, over all menus and by their kind, and the worst.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from sitestrata.evaluate.facts import ItemFact
from sitestrata.evaluate.formats.recognise import read_facts
from sitestrata.evaluate.menus import score_menu
from sitestrata.menus import main_menus, read_front_pages
from sitestrata.run.workspace import open_workspace
from sitestrata.sites.entry import entry_pages, first_links, read_doors
from sitestrata.sites.evidence import read_evidence
from sitestrata.urls import normalise, url_id


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("workspace", type=Path)
    parser.add_argument("gold", type=Path, nargs="+")
    parser.add_argument("--worst", type=int, default=10)
    options = parser.parse_args()
    gold = read_facts(options.gold)
    reader = open_workspace(options.workspace).reader()
    aliases = reader.read("aliases", ["url_id", "page_id"])
    page_of = dict(zip(aliases["url_id"].to_pylist(), aliases["page_id"].to_pylist(), strict=True))

    def resolve(url: str) -> str:
        identity = url_id(normalise(url) or url)
        return str(page_of.get(identity, identity))

    evidence = read_evidence(reader)
    assert gold.pages is not None
    site_of = {
        resolve(url): site
        for url, site in zip(gold.pages["url"].to_pylist(), gold.pages["site"].to_pylist(), strict=True)
    }
    names = sorted(set(site_of.values()))
    number = {name: place for place, name in enumerate(names)}
    # Pages that gold does not know belong to a site of their own, which is not judged.
    site = np.array(
        [number.get(site_of.get(str(page), ""), len(names)) for page in evidence.page_id.tolist()], np.int64
    )
    entries = entry_pages(evidence, site, first_links(reader, evidence), doors=read_doors(reader, evidence))
    entry = {place: int(evidence.page_id[row]) for place, row in enumerate(entries.tolist())}
    tables = {name: reader.read(name) for name in ("menus", "menu_items", "menu_pages")}
    items: dict[int, list[ItemFact]] = defaultdict(list)
    for item in main_menus(
        evidence.page_id, site, entry, **tables, fronts=read_front_pages(reader, set(entry.values()))
    ):
        items[item.site].append(ItemFact(item.label, item.url))
    scores = defaultdict(list)
    for fact in gold.sites:
        if fact.site not in number or not any(item.url for item in fact.main_menu):
            continue
        score = score_menu(items[number[fact.site]], fact.main_menu, resolve)
        scores[fact.kind or "menu"].append((score.by_target.f1, fact.site))
    everything = [one for some in scores.values() for one in some]
    print(f"all {len(everything)} menus: F1 by target {np.mean([f1 for f1, _ in everything]):.3f}")
    for kind, some in sorted(scores.items()):
        print(f"  {kind}: {np.mean([f1 for f1, _ in some]):.3f} ({len(some)})")
    for f1, name in sorted(everything)[: options.worst]:
        print(f"    {f1:.2f} {name}")


if __name__ == "__main__":
    main()
