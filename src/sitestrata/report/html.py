"""The report: one HTML file that needs nothing else, neither network nor script.

Titles, addresses and reasons come from crawled pages: everything goes through `escaped`, and the page forbids itself to
load or run anything (Content-Security-Policy).
"""

import html
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path

from sitestrata.run.listing import list_sites, summary
from sitestrata.run.workspace import Workspace

__all__ = ["SECTIONS", "escaped", "table", "write_report"]

NAME = "report.html"
SHOWN_SITES = 2000
# Bidirectional controls reorder what a person reads (Unicode UAX 9); they mean nothing good in a report.
_BIDI = dict.fromkeys([0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd")

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.5rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { text-align: left; padding: .25rem 1rem .25rem 0; vertical-align: top; border-bottom: 1px solid #8884 }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
td { overflow-wrap: anywhere }
"""


def write_report(workspace: Workspace) -> Path:
    """Write the report of a workspace and return its path."""
    sections = [(title, section(workspace)) for title, section in SECTIONS.items()]
    body = "".join(f"<h2>{escaped(title)}</h2>\n{content}\n" for title, content in sections if content)
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Sitestrata: {escaped(workspace.folder.name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escaped(workspace.folder.name)}</h1>\n<p>{escaped(summary(workspace))}</p>\n{body}</body>\n</html>\n"
    )
    path = workspace.folder / NAME
    temporary = path.with_suffix(".new")
    temporary.write_text(text, "utf-8", errors="replace")
    temporary.replace(path)
    return path


def escaped(value: object) -> str:
    """Return text that is text, whatever it contains."""
    return html.escape(str(value).translate(_BIDI)).replace("\0", "\ufffd")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return an HTML table; numbers are set right, nothing for no rows."""
    lines = ["<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows]
    if not lines:
        return ""
    head = "".join(f"<th>{escaped(column)}</th>" for column in columns)
    return f"<table>\n<tr>{head}</tr>\n" + "\n".join(lines) + "\n</table>"


def _cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td class="number">{value:,}</td>'
    return f"<td>{escaped('' if value is None else value)}</td>"


def _inputs(workspace: Workspace) -> str:
    rows = ((item.source.name, item.source.kind, item.size, item.digest) for item in workspace.manifest.inputs)
    return table(("source", "kind", "bytes", "digest of its content"), rows)


def _stages(workspace: Workspace) -> str:
    rows = (
        (
            name,
            ", ".join(f"{table} {count:,}" for table, count in record.rows.items() if not table.startswith("_")),
            round(record.seconds, 2),
            round(record.peak_memory / 1e6),
            "must be done again" if record.is_stale else "done",
        )
        for name, record in workspace.manifest.stages.items()
    )
    return table(("stage", "rows", "seconds", "peak memory, MB", ""), rows)


def _sites(workspace: Workspace) -> str:
    rows = (
        (row["name"], row["entry_url"], ", ".join(row["hosts"][:3]), row["pages"], round(row["confidence"], 2))
        for row in islice(list_sites(workspace), SHOWN_SITES)
    )
    return table(("site", "entry page", "hosts", "pages", "confidence"), rows)


def _objectives(workspace: Workspace) -> str:
    if "objectives" not in workspace.tables:
        return ""
    rows = workspace.query("SELECT partition, parts, round(value, 1) AS value FROM objectives ORDER BY value DESC")
    return table(("pages parted by", "parts", "votes kept together"), (tuple(row.values()) for row in rows.to_pylist()))


def _hosts(workspace: Workspace) -> str:
    if "pages" not in workspace.tables:
        return ""
    rows = workspace.query(
        "SELECT split_part(url, '/', 3) AS host, count(*) AS pages FROM pages GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50"
    )
    return table(("host", "pages"), (tuple(row.values()) for row in rows.to_pylist()))


def _rejects(workspace: Workspace) -> str:
    if "rejects" not in workspace.tables:
        return ""
    rows = workspace.query(
        "SELECT stage, reason, count(*) AS count, min(detail) AS detail, list(input ORDER BY input)[:3] AS examples "
        "FROM rejects GROUP BY stage, reason ORDER BY count DESC, stage, reason"
    ).to_pylist()
    lines = ((*list(row.values())[:-1], ", ".join(row["examples"])) for row in rows)
    return table(("stage", "reason", "count", "for example", "inputs"), lines)


# Stages add a section each: a title and a function from the workspace to HTML, empty if it has nothing to say.
SECTIONS: dict[str, Callable[[Workspace], str]] = {
    "Sites": _sites,
    "How the sites compare with simpler partitions": _objectives,
    "Hosts": _hosts,
    "What could not be used": _rejects,
    "Stages": _stages,
    "Sources": _inputs,
}
