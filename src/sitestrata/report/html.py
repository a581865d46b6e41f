"""The report: one HTML file that needs nothing else, neither network nor script.

Titles, addresses and reasons come from crawled pages: everything goes through `escaped`, and the page forbids itself to
load or run anything (Content-Security-Policy).
"""

import os
from pathlib import Path

from sitestrata import __version__
from sitestrata.report.markup import escaped, table, thousands
from sitestrata.report.sections import SECTIONS
from sitestrata.report.style import STYLE
from sitestrata.run.listing import summary
from sitestrata.run.workspace import Workspace

__all__ = ["SECTIONS", "escaped", "table", "write_report"]

NAME = "report.html"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_TILES = ("sites", "pages", "menus", "links", "data_tables", "concepts", "instances", "rejects")


def write_report(workspace: Workspace, path: str | os.PathLike[str] | None = None) -> Path:
    """Write the report of a workspace, into the workspace if no path is given, and return its path."""
    target = workspace.folder / NAME if path is None else Path(path)
    temporary = target.with_name(target.name + ".new")
    with temporary.open("w", encoding="utf-8", errors="replace") as file:
        made = [(title, content) for title, section in SECTIONS.items() if (content := section(workspace))]
        name = escaped(workspace.folder.absolute().name)
        file.write(
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{escaped(POLICY)}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="referrer" content="no-referrer">\n<meta name="robots" content="noindex">\n'
            f"<title>Sitestrata: {name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
            f"<header><h1>{name}</h1>\n<p>{escaped(summary(workspace))}</p>\n{_tiles(workspace)}</header>\n"
        )
        links = "".join(f'<a href="#{_anchor(title)}">{escaped(title)}</a>' for title, _ in made)
        file.write(f'<nav aria-label="Parts of this report">{links}</nav>\n<main>\n')
        for title, content in made:
            file.write(f'<section id="{_anchor(title)}">\n<h2>{escaped(title)}</h2>\n{content}\n</section>\n')
        file.write(
            f"</main>\n<footer>Sitestrata {escaped(__version__)}. Why a page is where it is: "
            "<code>sitestrata explain WS URL</code></footer>\n</body>\n</html>\n"
        )
    temporary.replace(target)
    return target


def _tiles(workspace: Workspace) -> str:
    counts = [(name, _count(workspace, name)) for name in _TILES if name in workspace.tables]
    tiles = "".join(
        f"<div><b>{thousands(count)}</b><span>{escaped(name.replace('_', ' '))}</span></div>" for name, count in counts
    )
    return f'<div class="tiles">{tiles}</div>\n'


def _count(workspace: Workspace, name: str) -> int:
    """Return how many there are; the table of data tables holds layout tables too."""
    if name != "data_tables":
        return workspace.count(name)
    found: int = workspace.query("SELECT count(*) AS n FROM data_tables WHERE is_data")["n"][0].as_py()
    return found


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")
