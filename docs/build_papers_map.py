"""Write docs/papers.md, the map from paper sections to modules, from the lines ``Paper: ...`` of module docstrings.

python docs/build_papers_map.py
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAPERS = {
    "MenuMiner": "MenuMiner: revealing the information architecture of large web sites by analysing maximal cliques",
    "Senellart": "Identifying websites with flow simulation",
    "OntoMiner": "OntoMiner: bootstrapping and populating ontologies from domain-specific web sites",
}
_LINE = re.compile(r"^Paper: (.+)$", re.MULTILINE)


def papers_map() -> str:
    """Return the text of docs/papers.md."""
    rows: dict[str, list[tuple[str, str, str]]] = {name: [] for name in PAPERS}
    for path in sorted((ROOT / "src" / "sitestrata").rglob("*.py")):
        docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        for line in _LINE.findall(docstring):
            paper = ""
            for part in re.split(r"[,;] ", line):
                first, _, rest = part.partition(" ")
                paper, section = (first, rest) if first in PAPERS else (paper, part)
                if paper in rows and re.match(r"\d|Fig", section):
                    module = path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".")
                    rows[paper].append((section, module, docstring.splitlines()[0]))
    lines = [
        "# From paper section to module",
        "",
        "Made by `python docs/build_papers_map.py` from the modules' docstrings.",
        "",
    ]
    for name, title in PAPERS.items():
        lines += [f"## {title}", "", "| section | module | what it does |", "|---|---|---|"]
        lines += [
            f"| {section} | `{module}` | {what} |".replace("\\", "")
            for section, module, what in sorted(rows[name], key=_order)
        ]
        lines.append("")
    return "\n".join(lines)


def _order(row: tuple[str, str, str]) -> tuple[list[int], str, str]:
    return [int(number) for number in re.findall(r"\d+", row[0])[:3]], row[0], row[1]


if __name__ == "__main__":
    (ROOT / "docs" / "papers.md").write_text(papers_map(), "utf-8")
