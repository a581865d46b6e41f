"""Write docs/results.md from the recorded outcomes in docs/results/*.json.

    python bench/results.py           # write
    python bench/results.py --check   # fail if docs/results.md is not what the records say

Benchmarks and evaluations write the records (their ``--record`` option); nobody edits docs/results.md by hand.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "docs" / "results"
PAGE = ROOT / "docs" / "results.md"
HEAD = """# Results

Written by `python bench/results.py` from the records in `docs/results/`; do not edit.
Every figure stands with the command that made it, the commit, the machine and the digests of the data.
`$CORPORA` is the folder with the development corpora, `$SCRATCH` any folder for intermediate files.
Ratios are medians over interleaved rounds, with first and third quartile; 1.00 is the contender compared with.
"""
# The other pages, with what was tried and what goes wrong.
MORE = {
    "the site of a page": "flow",
    "menus": "menus",
    "hierarchy": "hierarchy",
    "tables and label trees": "partition",
    "taxonomy and records": "ontology",
    "crawling": "crawl",
    "reading pages": "pages",
    "Spark": "spark",
}
IS_ERROR = frozenset({"expected error"})  # measures of which less is better


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 if the page is out of date")
    wants_check = parser.parse_args().check
    page = render(RECORDS)
    if wants_check:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
            print("docs/results.md is out of date; run `python bench/results.py`", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(page, encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(list(RECORDS.glob('*.json')))} records", file=sys.stderr)
    return 0


def render(folder: Path) -> str:
    """Return the page that the records of a folder make, in the order of their file names."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    return "\n".join([HEAD, _glance(records), *map(_section, records)])


def _glance(records: list[dict[str, Any]]) -> str:
    """Return the main figure of each record, beside the best of what it was compared with."""
    body = [[record["question"], *_MAIN[record["kind"]](record["rows"])] for record in records]
    head = ["asked", "measure", "reached", "the best beside it"]
    more = ", ".join(f"[{what}](results-{page}.md)" for what, page in MORE.items())
    foot = f"More, with what was tried and what goes wrong: {more}."
    return "\n".join(["## At a glance", "", *_markdown(head, body), "", foot, ""])


def _main_score(rows: list[dict[str, Any]]) -> list[str]:
    measure = next(column for column in rows[0] if column)
    best = (min if measure in IS_ERROR else max)(rows[1:], key=lambda row: row[measure], default=None)
    beside = "" if best is None else f"{_cell(best[measure])} ({best['']})"
    return [measure, f"**{_cell(rows[0][measure])}**", beside]


def _main_ratio(rows: list[dict[str, Any]]) -> list[str]:
    peer = next(row for row in rows if row["ratio"] == 1)
    ours = next((row for row in rows if row is not peer), peer)
    return ["time, as a multiple", f"**{ours['ratio']:.2f}**", f"1.00 ({peer['name']})"]


def _main_growth(rows: list[dict[str, Any]]) -> list[str]:
    return ["exponent of time", f"**{rows[0]['exponent']:.2f}**", "1.00 (in proportion)"]


def _section(record: dict[str, Any]) -> str:
    lines = [f"## {record['question']}", "", f"    {record['command']}", ""]
    data = ", ".join(f"{name} `{digest}`" for name, digest in sorted(record["data"].items())) or "generated"
    lines += [f"Commit {record['commit']}; {record['machine']}; data: {data}.", ""]
    lines += _TABLES[record["kind"]](record["rows"])
    if record.get("notes"):
        lines += ["", str(record["notes"])]
    return "\n".join(lines) + "\n"


def _comparison(rows: list[dict[str, Any]]) -> list[str]:
    head = ["contender", "seconds", "ratio", "quartiles", "CPU s", "CPU ratio", "peak MB", "same answer"]
    agrees = {None: "", True: "yes", False: "no"}
    body = [
        [
            row["name"],
            f"{row['wall']:.4f}",
            f"**{row['ratio']:.2f}**",
            f"{row['ratio_low']:.2f}-{row['ratio_high']:.2f}",
            f"{row['cpu']:.4f}",
            f"{row['cpu_ratio']:.2f}",
            f"{row['peak'] / 1e6:.0f}",
            agrees[row["agrees"]],
        ]
        for row in rows
    ]
    return _markdown(head, body)


def _growth(rows: list[dict[str, Any]]) -> list[str]:
    head = ["", "size", "seconds", "CPU s", "peak MB", "exponent from the size before"]
    lines = []
    for row in rows:
        columns = zip(row["sizes"], row["wall"], row["cpu"], row["peak"], [None, *row["steps"]], strict=True)
        body = [
            [
                row["name"],
                f"{size:,}",
                f"{wall:.2f}",
                f"{cpu:.2f}",
                f"{peak / 1e6:.0f}",
                "" if step is None else f"{step:.2f}",
            ]
            for size, wall, cpu, peak, step in columns
        ]
        lines += _markdown(head, body)
        wall, cpu, memory = (f"{row[name]:.2f}" for name in ("exponent", "cpu_exponent", "memory_exponent"))
        grows = f"time grows with size^**{wall}** (processor time ^{cpu}), peak memory with size^{memory}"
        lines += ["", f"{row['name']}: {grows}.", ""]
    return lines[:-1]


def _scores(rows: list[dict[str, Any]]) -> list[str]:
    head = list(rows[0])
    return _markdown(head, [[_cell(row.get(column)) for column in head] for row in rows])


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _markdown(head: list[str], body: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *body]]


_MAIN = {"comparison": _main_ratio, "growth": _main_growth, "scores": _main_score}
_TABLES = {"comparison": _comparison, "growth": _growth, "scores": _scores}

if __name__ == "__main__":
    raise SystemExit(main())
