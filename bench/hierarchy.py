"""Score the hierarchies of workspaces beside folders of addresses, and against breadcrumbs that were withheld.

python bench/hierarchy.py WS --gold GOLD...      # pairs and parents, ours and those of URL folders
python bench/hierarchy.py WS --crumbs            # mined with --no-breadcrumb-markup: do declared breadcrumbs agree?
"""

import argparse
from pathlib import Path

from sitestrata import open_workspace
from sitestrata.evaluate import evaluate
from sitestrata.evaluate.answer import answer_of_tables
from sitestrata.evaluate.facts import Facts
from sitestrata.evaluate.formats import read_facts
from sitestrata.identity.rules import is_conventional_index


def main() -> None:
    """Print one line a system."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--gold", nargs="+", type=Path)
    parser.add_argument("--crumbs", action="store_true")
    options = parser.parse_args()
    workspace = open_workspace(options.workspace)
    if options.crumbs:
        print_crumbs(workspace)
    if options.gold:
        found = answer_of_tables(workspace.reader(), workspace.tables, name="found")
        gold = read_facts(options.gold)
        for name, facts in (("found", found), ("folders", folders(found))):
            scores = {score.metric: score for score in evaluate(facts, gold, tasks=["hierarchy"]).scores}
            line = ", ".join(f"{metric} {score.value:.4f}" for metric, score in scores.items())
            print(f"{name}: {line} ({scores['recall'].count:,} pairs, {scores['parent_accuracy'].count:,} pages)")


def folders(found: Facts) -> Facts:
    """Return the hierarchy that folders of addresses give: the page for the nearest folder above, within a site."""
    assert found.pages is not None
    rows = found.pages.select(["url", "canonical", "site"]).to_pylist()
    rows = [row for row in rows if row["url"] == row["canonical"]]
    entry = {site.site: site.entry for site in found.sites}
    index: dict[tuple[str, str], str] = {}
    for row in rows:
        folder, _, name = row["url"].partition("?")[0].rpartition("/")
        if not name or is_conventional_index(name):
            index.setdefault((row["site"], folder), row["url"])
    parents = []
    for row in rows:
        folder = row["url"].partition("?")[0].rpartition("/")[0]
        if index.get((row["site"], folder)) == row["url"]:
            folder = folder.rpartition("/")[0]
        while folder.count("/") > 2 and (row["site"], folder) not in index:
            folder = folder.rpartition("/")[0]
        above = index.get((row["site"], folder)) or entry[row["site"]]
        parents.append({**row, "parent": None if above == row["url"] else above})
    import pyarrow as pa

    table = pa.Table.from_pylist(parents)
    return Facts("folders", pages=table, aliases=found.aliases, sites=found.sites)


def print_crumbs(workspace: object) -> None:
    """Compare the page above each page with the last step of its declared breadcrumb that leads to another page."""
    rows = workspace.query(  # type: ignore[attr-defined]
        "SELECT s.entry_url AS site, t.page_id, t.parent, p.breadcrumb FROM tree t "
        "JOIN pages p ON p.url_id = t.page_id "
        "JOIN sites s ON s.site = t.site WHERE len(p.breadcrumb) > 0 AND t.parent IS NOT NULL ORDER BY 1, 2"
    ).to_pylist()
    names = workspace.query("SELECT a.url, a.page_id FROM aliases a SEMI JOIN tree t ON t.page_id = a.page_id")  # type: ignore[attr-defined]
    page_of = dict(zip(names["url"].to_pylist(), names["page_id"].to_pylist(), strict=True))
    right: dict[str, list[bool]] = {}
    for row in rows:
        steps = [page_of.get(step["url"]) for step in row["breadcrumb"] if step["url"]]
        above = [page for page in steps if page is not None and page != row["page_id"]]
        if above:
            right.setdefault(row["site"], []).append(above[-1] == row["parent"])
    for site, answers in sorted(right.items()):
        print(f"{site}: {sum(answers)} of {len(answers)}")
    everything = [answer for answers in right.values() for answer in answers]
    print(f"all: {sum(everything)} of {len(everything)} = {sum(everything) / max(len(everything), 1):.4f}")


if __name__ == "__main__":
    main()
