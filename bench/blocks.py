"""What is content and what is navigation: our block roles against trafilatura and resiliparse.

    pip install --target $SCRATCH/peers trafilatura resiliparse
    PYTHONPATH=$SCRATCH/peers python bench/blocks.py $CORPORA/blocks

Every leaf that gold marks as part of a menu, link list, header or footer is navigation, every leaf of an article,
content or table is content; others are not judged. A peer says "content" of a leaf if its text occurs in what it
extracts (trafilatura: favor_recall; resiliparse: main_content). We say so if its block is an article, a record or a
listing.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from gold_pages import captures

from sitestrata.page import PageFacts, read_page
from sitestrata.partition.blocks import find_blocks

NAVIGATION = frozenset({"Menu", "LinkList", "Header", "Footer", "Sidebar", "Searchbar"})
CONTENT = frozenset({"Article", "Content", "Table", "Comments", "Title"})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    marked: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with (options.folder / "labels.jsonl").open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            marked[row["url"]].append((row["xpath"], row["type"]))
    systems: dict[str, Callable[[PageFacts, bytes], list[bool]]] = {
        "sitestrata": ours,
        "trafilatura": trafilatura_says,
        "resiliparse": resiliparse_says,
        "everything is content": lambda facts, _: [True] * len(facts.leaves),
    }
    counts = {name: [0, 0, 0, 0] for name in systems}  # content called so, all called so, content, right
    judged = 0
    for url, body in captures(options.folder / "pages.warc.gz"):
        if url not in marked:
            continue
        facts = read_page(body, url)
        truth = leaf_truth(body, marked.pop(url), facts)
        judged += sum(value is not None for value in truth)
        for name, say in systems.items():
            for said, true in zip(say(facts, body), truth, strict=True):
                if true is not None:
                    count = counts[name]
                    count[0] += said and true
                    count[1] += said
                    count[2] += true
                    count[3] += said == true
    for name, (both, said, true, right) in counts.items():
        print(
            f"{name}: content P {both / max(said, 1):.3f} R {both / max(true, 1):.3f} "
            f"F {2 * both / max(said + true, 1):.3f}; accuracy {right / max(judged, 1):.3f} of {judged} leaves"
        )


def leaf_truth(body: bytes, blocks: list[tuple[str, str]], facts: PageFacts) -> list[bool | None]:
    """Return of each leaf whether gold calls it content; None where it does not say, or says both."""
    from difflib import SequenceMatcher

    from lxml import html

    root = html.document_fromstring(body.decode("utf-8", "replace").encode(), parser=html.HTMLParser(encoding="utf-8"))
    from sitestrata.evaluate.formats.blocks import page_leaves

    elements, texts = zip(*page_leaves(root), strict=True) if len(root) else ((), ())
    said: dict[int, set[bool]] = defaultdict(set)
    place = {element: [] for element in elements}
    for number, element in enumerate(elements):
        place[element].append(number)
    for xpath, kind in blocks:
        if kind in NAVIGATION or kind in CONTENT:
            for block in root.getroottree().xpath(xpath)[:1]:
                for element in block.iter():
                    for number in place.get(element, ()):
                        said[number].add(kind in CONTENT)
    own = [facts.leaf_text(leaf) for leaf in range(len(facts.leaves))]
    truth: list[bool | None] = [None] * len(own)
    for a, b, size in SequenceMatcher(None, texts, own, autojunk=False).get_matching_blocks():
        for i in range(size):
            if len(said[a + i]) == 1:
                truth[b + i] = next(iter(said[a + i]))
    return truth


def ours(facts: PageFacts, _body: bytes) -> list[bool]:
    answer: list[bool] = []
    for block in find_blocks(facts):
        answer += [block.role in ("article", "record", "listing", "other")] * (block.end - block.first)
    return answer


def trafilatura_says(facts: PageFacts, body: bytes) -> list[bool]:
    import trafilatura

    return in_text(
        facts, trafilatura.extract(body, favor_recall=True, include_comments=True, include_links=False) or ""
    )


def resiliparse_says(facts: PageFacts, body: bytes) -> list[bool]:
    from resiliparse.extract.html2text import extract_plain_text

    return in_text(facts, extract_plain_text(body.decode("utf-8", "replace"), main_content=True))


def in_text(facts: PageFacts, text: str) -> list[bool]:
    folded = " ".join(text.split())
    return [facts.leaf_text(leaf) in folded for leaf in range(len(facts.leaves))]


if __name__ == "__main__":
    main()
