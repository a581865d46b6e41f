"""The parts of the report: each a function from the workspace to HTML, empty if it has nothing to say."""

from collections.abc import Callable
from typing import Any

from sitestrata.export.escape import file_id
from sitestrata.report.facts import SiteFacts, link_counts, page_labels, read_sites, read_trees
from sitestrata.report.figures import draw_histogram, draw_icicle, draw_map
from sitestrata.report.markup import Markup, address, bar, escaped, isolated, shortened, table
from sitestrata.run.workspace import Workspace

__all__ = ["SECTIONS"]

SHOWN_SITES = 2_000
SHOWN_ON_MAP = 120
OPEN_CARDS = 12  # sites whose details are open from the start
TALL_CARDS = 60  # sites whose tree may be drawn tall
SHOWN_MENU = 14  # items of a main menu
SHOWN_MENUS = 40
SHOWN_TABLES = 30
SHOWN_CONCEPTS = 400
SHOWN_INSTANCES = 40
SHOWN_REJECTS = 100


def _anchor(site: int) -> str:
    return f"site-{file_id(site)}"


def _map(workspace: Workspace) -> str:
    sites = read_sites(workspace, SHOWN_ON_MAP)
    if len(sites) < 2:
        return ""
    place = {site.site: number for number, site in enumerate(sites)}
    links = link_counts(workspace)
    edges = [(place[one], place[other], count) for one, other, count in links if one in place and other in place]
    picture = draw_map(
        [site.name for site in sites],
        [site.pages for site in sites],
        edges,
        anchors=[_anchor(site.site) for site in sites],
    )
    total = workspace.count("sites")
    left_out = f" The {len(sites):,} largest of {total:,} sites are drawn." if total > len(sites) else ""
    return f"<p>A circle is a site, as large as it has pages; a line is links between two.{left_out}</p>{picture}"


def _sites(workspace: Workspace) -> str:
    sites = read_sites(workspace, SHOWN_SITES)
    rows = (
        (
            Markup(
                f'<a href="#{_anchor(site.site)}">{isolated(site.name, 60)}</a><div>{address(site.entry_url)}</div>'
            ),
            _hosts_of(site),
            site.pages,
            Markup(_menu_text(site, 5)),
            bar(site.confidence, f"{site.confidence:.2f}"),
        )
        for site in sites
    )
    made = table(("site and entry page", "hosts", "pages", "main menu", "confidence"), rows)
    total = workspace.count("sites")
    if total > len(sites):
        left_out = f"{total - len(sites):,} smaller sites are left out; list all"
        return f"{made}<p>{left_out}: <code>sitestrata sites WS</code></p>"
    return made


def _hosts_of(site: SiteFacts) -> str:
    more = f" and {len(site.hosts) - 3:,} more" if len(site.hosts) > 3 else ""
    return ", ".join(site.hosts[:3]) + more


def _menu_text(site: SiteFacts, limit: int) -> str:
    shown = " · ".join(isolated(label, 30) for label, _ in site.menu[:limit])
    return shown + (f" <small>+{len(site.menu) - limit}</small>" if len(site.menu) > limit else "")


def _cards(workspace: Workspace) -> str:
    sites = read_sites(workspace, SHOWN_SITES)
    trees = read_trees(workspace)
    labels = page_labels(workspace) if trees is not None else []
    row_of = {} if trees is None else {int(site): row for row, site in enumerate(trees.ids.tolist())}
    cards = []
    for number, site in enumerate(sites):
        picture = ""
        if trees is not None and site.site in row_of and trees.size[row_of[site.site]] > 1:
            tallest = 360.0 if number < TALL_CARDS else 120.0
            picture = draw_icicle(trees, row_of[site.site], labels, tallest=tallest)
        cards.append(_card(site, picture, is_open=number < OPEN_CARDS))
    return "\n".join(cards)


def _card(site: SiteFacts, picture: str, *, is_open: bool) -> str:
    facts: list[tuple[str, str]] = [("entry page", address(site.entry_url)), ("hosts", escaped(_hosts_of(site)))]
    if site.parent:
        facts.append(("part of", isolated(site.parent, 60)))
    if site.menu:
        items = "".join(f"<li>{isolated(label, 40)}</li>" for label, _ in site.menu[:SHOWN_MENU])
        more = f"<li><small>+{len(site.menu) - SHOWN_MENU}</small></li>" if len(site.menu) > SHOWN_MENU else ""
        facts.append(("main menu", f'<ul class="chips">{items}{more}</ul>'))
    if site.access:
        facts.append(("way in", escaped(site.access)))
    if site.keywords:
        facts.append(("linked as", isolated(", ".join(site.keywords[:10]), 160)))
    facts.append(("confidence", bar(site.confidence, f"{site.confidence:.2f}")))
    listed = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    state = " open" if is_open else ""
    pages = f"{site.pages:,} page{'s' if site.pages > 1 else ''}"
    return (
        f'<details class="card" id="{_anchor(site.site)}"{state}><summary>{isolated(site.name, 80)} '
        f"<small>{pages}</small></summary><dl>{listed}</dl>{picture}</details>"
    )


def _menus(workspace: Workspace) -> str:
    if not {"menus", "menu_items"} <= set(workspace.tables):
        return ""
    roles = workspace.query(
        "SELECT role, count(*) AS menus, sum(pages)::BIGINT AS shown, round(avg(confidence), 2) AS sure "
        "FROM menus GROUP BY role ORDER BY menus DESC, role"
    ).to_pylist()
    largest = _first(
        SHOWN_MENUS,
        workspace,
        "SELECT m.role, m.pages, m.items, m.signature, m.confidence, m.kind, "
        "list({'label': i.label, 'changes': i.target IS NULL AND i.pages > 0} ORDER BY i.ordinal) "
        "FILTER (i.level = 0) AS labels "
        "FROM menus m LEFT JOIN menu_items i ON i.menu = m.menu "
        "GROUP BY m.menu, m.role, m.pages, m.items, m.signature, m.confidence, m.kind ORDER BY m.pages DESC, m.menu",
    )
    rows = (
        (
            row["role"],
            row["pages"],
            row["items"],
            Markup(" · ".join(_entry(item) for item in (row["labels"] or [])[:8])),
            Markup(f"<code>{escaped(shortened(row['signature'], 90))}</code>"),
            bar(row["confidence"], f"{row['confidence']:.2f}"),
        )
        for row in largest
    )
    return table(("role", "menus", "places they are shown", "mean confidence"), map(_values, roles)) + table(
        ("role", "pages", "items", "first items", "where it stands", "confidence"),
        rows,
        caption=f"The {min(len(largest), SHOWN_MENUS)} menus that most pages show; * leads elsewhere on each page",
    )


def _entry(item: dict[str, Any]) -> Markup:
    return Markup(f"{isolated(item['label'], 24)}{'*' if item['changes'] else ''}")


def _tables(workspace: Workspace) -> str:
    if "data_tables" not in workspace.tables:
        return ""
    kinds = workspace.query(
        "SELECT orientation, count(*) AS tables, sum(rows)::BIGINT AS rows FROM data_tables WHERE is_data "
        "GROUP BY 1 ORDER BY tables DESC, orientation"
    ).to_pylist()
    largest = _first(
        SHOWN_TABLES,
        workspace,
        "SELECT p.url, t.title, t.orientation, t.rows, t.columns, t.grid[1] AS head FROM data_tables t "
        "JOIN pages p ON p.url_id = t.page WHERE t.is_data "
        "ORDER BY t.rows * t.columns DESC, p.url, t.index",
    )
    rows = (
        (
            address(row["url"]),
            row["title"],
            row["orientation"],
            row["rows"],
            row["columns"],
            ", ".join(shortened(cell, 24) for cell in (row["head"] or [])[:6]),
        )
        for row in largest
    )
    return table(("headers", "tables", "rows"), map(_values, kinds)) + table(
        ("page", "title", "headers", "rows", "columns", "first row"),
        rows,
        caption=f"The {min(len(largest), SHOWN_TABLES)} largest data tables",
    )


def _taxonomy(workspace: Workspace) -> str:
    if not {"concepts", "is_a"} <= set(workspace.tables):
        return ""
    concepts = _first(
        SHOWN_CONCEPTS, workspace, "SELECT concept, label, support FROM concepts ORDER BY support DESC, label, concept"
    )
    if not concepts:
        return ""
    known = {row["concept"]: row for row in concepts}
    parents: dict[int, int] = {}
    pairs = workspace.query(
        "SELECT parent, child FROM is_a WHERE NOT is_facet ORDER BY confidence DESC, support DESC, parent, child"
    ).to_pylist()
    for pair in pairs:  # the surest broader concept of each; none that would close a circle
        if pair["child"] in known and pair["parent"] in known and pair["child"] not in parents:
            above: int | None = pair["parent"]
            while above is not None and above != pair["child"]:
                above = parents.get(above)
            if above is None:
                parents[pair["child"]] = pair["parent"]
    children: dict[int | None, list[int]] = {}
    for concept in known:
        children.setdefault(parents.get(concept), []).append(concept)
    total = workspace.count("concepts")
    said = (
        f"<p>{total:,} concepts"
        + (f", of which {len(concepts):,} are shown" if total > len(concepts) else "")
        + ".</p>"
    )
    return f'{said}<ul class="tree">{"".join(_branch(root, known, children) for root in children.get(None, []))}</ul>'


def _branch(
    concept: int, known: dict[int, dict[str, Any]], children: dict[int | None, list[int]], depth: int = 0
) -> str:
    row = known[concept]
    below = children.get(concept, []) if depth < 20 else []
    inner = f"<ul>{''.join(_branch(child, known, children, depth + 1) for child in below)}</ul>" if below else ""
    return f"<li>{isolated(row['label'], 60)} <small>{row['support']:,}</small>{inner}</li>"


def _instances(workspace: Workspace) -> str:
    if not {"instances", "attributes"} <= set(workspace.tables):
        return ""
    # Some of many pages: records of one listing say less than those of several.
    rows = _first(
        SHOWN_INSTANCES,
        workspace,
        "SELECT * FROM (SELECT p.url, i.name, i.kind, i.confidence, "
        "list(concat_ws(': ', a.label, a.value) ORDER BY a.ordinal) AS attributes, row_number() OVER ("
        "PARTITION BY i.page ORDER BY count(a.value) DESC, i.confidence DESC, i.name) AS place "
        "FROM instances i JOIN pages p ON p.url_id = i.page "
        "LEFT JOIN attributes a ON a.page = i.page AND a.instance = i.instance "
        "GROUP BY i.page, i.instance, p.url, i.name, i.kind, i.confidence) "
        "ORDER BY (place - 1) // 3, confidence DESC, url, name",
    )
    total = workspace.count("instances")
    lines = (
        (
            row["name"],
            row["kind"],
            "; ".join(shortened(item, 60) for item in row["attributes"][:6] if item),
            address(row["url"]),
        )
        for row in rows
    )
    return table(("name", "found in", "attributes", "page"), lines, caption=f"{len(rows):,} of {total:,} records")


def _confidence(workspace: Workspace) -> str:
    if "boundaries" not in workspace.tables:
        return ""
    rows = workspace.query(
        "SELECT least(floor(confidence * 10), 9)::INTEGER AS tenth, count(*) AS pages FROM boundaries GROUP BY 1"
    ).to_pylist()
    if not rows:
        return ""
    counts = {row["tenth"]: row["pages"] for row in rows}
    columns = [counts.get(tenth, 0) for tenth in range(10)]
    labels = [f"{tenth / 10:.1f}-{(tenth + 1) / 10:.1f}" for tenth in range(10)]
    sure = sum(columns[8:])
    said = f"Pages by the confidence of their site: {sure:,} of {sum(columns):,} at 0.8 or more"
    return f"<p>{said}.</p>{draw_histogram(columns, labels, said)}{_objectives(workspace)}"


def _objectives(workspace: Workspace) -> str:
    if "objectives" not in workspace.tables:
        return ""
    rows = workspace.query("SELECT partition, parts, round(value, 1) AS value FROM objectives ORDER BY value DESC, 1")
    return table(
        ("pages parted by", "parts", "votes kept together"),
        map(_values, rows.to_pylist()),
        caption="How the sites compare with simpler partitions",
    )


def _hosts(workspace: Workspace) -> str:
    if "pages" not in workspace.tables:
        return ""
    rows = workspace.query(
        "SELECT split_part(url, '/', 3) AS host, count(*) AS pages FROM pages GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50"
    )
    return table(("host", "pages"), map(_values, rows.to_pylist()))


def _rejects(workspace: Workspace) -> str:
    if "rejects" not in workspace.tables:
        return ""
    rows = _first(
        SHOWN_REJECTS,
        workspace,
        "SELECT stage, reason, count(*) AS count, min(detail) AS detail, list(input ORDER BY input)[:3] AS examples "
        "FROM rejects GROUP BY stage, reason ORDER BY count DESC, stage, reason",
    )
    lines = (
        (
            row["stage"],
            row["reason"],
            row["count"],
            row["detail"],
            ", ".join(shortened(item, 80) for item in row["examples"]),
        )
        for row in rows
    )
    return table(("stage", "reason", "count", "for example", "inputs"), lines)


def _stages(workspace: Workspace) -> str:
    stages = workspace.manifest.stages
    longest = max([record.seconds for record in stages.values()] + [0.01])
    rows = (
        (
            name,
            ", ".join(f"{made} {count:,}" for made, count in record.rows.items() if not made.startswith("_")),
            bar(record.seconds / longest, f"{record.seconds:.2f}"),
            round(record.peak_memory / 1e6),
            "must be done again" if record.is_stale else "done",
        )
        for name, record in stages.items()
    )
    return table(("stage", "rows", "seconds", "peak memory, MB", ""), rows)


def _inputs(workspace: Workspace) -> str:
    rows = (
        (item.source.name, item.source.kind, item.size, Markup(f"<code>{escaped(item.digest)}</code>"))
        for item in workspace.manifest.inputs
    )
    return table(("source", "kind", "bytes", "digest of its content"), rows)


def _first(count: int, workspace: Workspace, sql: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = workspace.query(f"{sql} LIMIT {count}").to_pylist()
    return rows


def _values(row: dict[str, Any]) -> tuple[object, ...]:
    return tuple(row.values())


# A title and a function from the workspace to HTML.
SECTIONS: dict[str, Callable[[Workspace], str]] = {
    "Map": _map,
    "Sites": _sites,
    "Site by site": _cards,
    "Menus": _menus,
    "Tables": _tables,
    "Taxonomy": _taxonomy,
    "Records": _instances,
    "How sure": _confidence,
    "Hosts": _hosts,
    "What could not be used": _rejects,
    "Stages": _stages,
    "Sources": _inputs,
}
