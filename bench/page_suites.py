"""Is a page read as the standards say? Tree-construction and encoding cases in html5lib's format.

    python bench/page_suites.py --trees $SUITES/html-tree $SUITES/html5lib/tree-construction \
        --encodings $SUITES/html5lib/encoding [--verbose]

A `Dom` leaves things out on purpose: comments, blank texts, what stands in scripts, styles and templates, attributes
nobody reads. The expected tree is reduced in the same way, and what is left must be equal. A case that fails is charged
to the parser if a plain walk over the parser's own tree does not give the expected tree either, and otherwise to us.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitestrata.page import ATTRIBUTES, TAGS, Dom, decode, encoding_for_label, parse
from sitestrata.page.limits import UnusablePageError
from sitestrata.page.vocabulary import ROLES, Role

SECTION = re.compile(rb"^#(data|errors|new-errors|document-fragment|document|script-on|script-off|encoding)\n", re.M)
LINE = re.compile(r"\| ((?:  )*)(.*)\Z", re.DOTALL)
RAW = frozenset(tag for number, tag in enumerate(TAGS) if ROLES[number] & Role.RAW)
KEPT = frozenset(ATTRIBUTES)

Row = tuple[int, str, tuple[tuple[str, str], ...]]  # depth, tag or text, attributes


@dataclass
class Tally:
    """How the cases of a suite came out."""

    passed: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    def line(self, name: str) -> str:
        """Say it in one line."""
        total = self.passed + sum(self.failed.values())
        parts = [f"{name}: {self.passed:,} of {total:,} passed"]
        parts += [f"{count} failed: {reason}" for reason, count in sorted(self.failed.items())]
        parts += [f"{count} not applicable: {reason}" for reason, count in sorted(self.skipped.items())]
        return "; ".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, nargs="*", default=[], help="folders or files of tree cases")
    parser.add_argument("--encodings", type=Path, nargs="*", default=[], help="folders or files of encoding cases")
    parser.add_argument("--verbose", action="store_true", help="show the cases that fail")
    options = parser.parse_args()
    own = 0
    for folders, run in ((options.trees, run_tree), (options.encodings, run_encoding)):
        for folder in folders:
            tally = Tally()
            for path in files_of(folder):
                for case in cases_of(path):
                    run(case, tally, complain(path) if options.verbose else lambda *_: None)
            print(tally.line(str(folder.name)))
            own += sum(count for reason, count in tally.failed.items() if reason.startswith("ours"))
    return 1 if own else 0


def files_of(path: Path) -> list[Path]:
    return sorted(path.glob("*.dat")) if path.is_dir() else [path]


def complain(path: Path) -> Callable[..., None]:
    def show(reason: str, data: bytes, expected: object, actual: object) -> None:
        print(
            f"{path.name}: {reason}\n  data     {data!r}\n  expected {expected}\n  actual   {actual}", file=sys.stderr
        )

    return show


def cases_of(path: Path) -> Iterator[dict[str, bytes]]:
    """Yield the cases of a file, each a mapping of section to content."""
    case: dict[str, bytes] = {}
    content = path.read_bytes()
    marks = list(SECTION.finditer(content))
    for number, mark in enumerate(marks):
        name = mark[1].decode()
        if name == "data" and case:
            yield case
            case = {}
        end = marks[number + 1].start() if number + 1 < len(marks) else len(content)
        case[name] = content[mark.end() : end]
    if case:
        yield case


def run_tree(case: dict[str, bytes], tally: Tally, show: Callable[..., None]) -> None:
    if "document-fragment" in case:
        tally.skipped["fragments"] += 1
        return
    if "script-on" in case:
        tally.skipped["scripts are never run"] += 1
        return
    data = case["data"].removesuffix(b"\n")
    try:
        data.decode()
    except UnicodeDecodeError:
        tally.skipped["no UTF-8"] += 1
        return
    expected = list(reduced(expected_rows(case["document"].decode())))
    try:
        actual = list(rows_of(parse(data)))
    except UnusablePageError as error:
        tally.failed[f"refused ({error.reason})"] += 1
        return
    if actual == expected:
        tally.passed += 1
        return
    is_parsers = list(reduced(parser_rows(data))) != expected
    reason = "the parser's own tree differs" if is_parsers else "ours"
    if b"<selectedcontent" in data:
        reason = "the chosen option is not copied into <selectedcontent>"
    tally.failed[reason] += 1
    show(reason, data, expected, actual)


def expected_rows(document: str) -> Iterator[Row]:
    """Yield elements and texts of a tree as the suite writes it; attributes belong to the element before them."""
    lines: list[str] = []
    for line in document.rstrip("\n").split("\n"):
        if line.startswith("| "):
            lines.append(line)
        elif lines:
            lines[-1] += "\n" + line  # texts may have several lines
    element: tuple[int, str] | None = None
    attributes: list[tuple[str, str]] = []
    for line in lines:
        match = LINE.match(line)
        if match is None:
            continue
        depth, content = len(match[1]) // 2, match[2]
        assignment = re.match(r'([^"]*?)="(.*)"\Z', content, re.DOTALL)
        if assignment and element is not None and depth == element[0] + 1:
            attributes.append((assignment[1].replace(" ", ":").lower(), assignment[2]))
            continue
        if element is not None:
            yield (*element, tuple(attributes))
        element, attributes = None, []
        if content.startswith('"'):
            yield depth, "#" + content[1:-1], ()
        elif content.startswith("<!--"):
            yield depth, "#", ()  # what was apart stays apart
        elif content.startswith("<") and not content.startswith(("<!", "<?")):
            element = depth, content[1:-1].rpartition(" ")[2].lower()
        elif content == "content":
            element = depth, "#content"
    if element is not None:
        yield (*element, tuple(attributes))


def parser_rows(data: bytes) -> Iterator[Row]:
    """Yield elements and texts of the parser's tree."""
    root = LexborHTMLParser(data.decode()).root
    stack: list[tuple[LexborNode | None, int]] = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        while node is not None:
            if node.is_text_node:
                yield depth, "#" + (node.text_content or ""), ()
            elif node.is_element_node:
                yield (
                    depth,
                    str(node.tag).lower(),
                    tuple((name.lower(), value or "") for name, value in node.attributes.items()),
                )
                if node.first_child is not None:
                    stack.append((node.next if depth else None, depth))
                    node, depth = node.first_child, depth + 1
                    continue
            node = node.next if depth else None


def reduced(rows: Iterator[Row]) -> Iterator[Row]:
    """Leave out what a Dom leaves out."""
    skipped: int | None = None  # depth below which nothing counts
    raw: int | None = None
    for depth, name, attributes in rows:
        if skipped is not None and depth > skipped:
            continue
        skipped = None
        if raw is not None and depth <= raw:
            raw = None
        if name.startswith("#"):
            if name == "#content":
                skipped = depth
            elif raw is None and (text := " ".join(name[1:].split())):
                yield depth, "#" + text, ()
            continue
        kept = tuple(sorted((key, value) for key, value in attributes if key in KEPT))
        yield depth, name, kept
        is_data = any(key == "type" and "ld+json" in value.lower() for key, value in kept)
        if name in RAW and not (name == "script" and is_data):
            raw = depth


def rows_of(dom: Dom) -> Iterator[Row]:
    """Yield elements and texts of a Dom."""
    for node in range(len(dom)):
        depth = int(dom.depth[node])
        if dom.is_text(node):
            yield depth, "#" + " ".join(dom.own_text(node).split()), ()
            continue
        attributes = []
        for i in range(int(dom.attribute_first[node]), int(dom.attribute_first[node + 1])):
            value = dom.text[dom.attribute_start[i] : dom.attribute_end[i]].decode()
            attributes.append((ATTRIBUTES[dom.attribute_name[i]], value))
        yield depth, dom.tag_name(node), tuple(sorted(attributes))


def run_encoding(case: dict[str, bytes], tally: Tally, show: Callable[..., None]) -> None:
    label = case["encoding"].strip().decode()
    expected = encoding_for_label(label)
    if expected is None:
        tally.skipped[f"the Encoding Standard does not know {label}"] += 1
        return
    found = decode(case["data"].removesuffix(b"\n"))
    if found.charset == expected:
        tally.passed += 1
        return
    reason = f"ours: {found.source} says otherwise"
    tally.failed[reason] += 1
    show(reason, case["data"][:300], expected, found.charset)


if __name__ == "__main__":
    sys.exit(main())
