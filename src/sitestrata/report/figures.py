"""The report's pictures as SVG inside the page: static, without script, with a text alternative each."""

from collections.abc import Sequence

from sitestrata.report.layout import SiteTrees, icicle, spread_out
from sitestrata.report.markup import Markup, escaped, shortened

__all__ = ["draw_histogram", "draw_icicle", "draw_map"]

WIDTH = 960.0
LETTER = 6.3  # mean width of a letter at the size of labels, in units of the picture
LINE = 13.0  # the least height of a rectangle that has a label
SMALLEST = 4.0  # the least height of a rectangle
DEEPEST = 5  # levels below the root
LABELLED = 36  # circles of the map that may have a label
SHORTEST = 6  # letters of a label that was cut
SHOWN_EDGES = 400


def draw_icicle(trees: SiteTrees, root: int, labels: Sequence[str], *, tallest: float) -> Markup:
    """Draw the tree of one site; ``labels`` goes by row."""
    pages = int(trees.size[root])
    height = min(tallest, max(64.0, 15.0 * pages))
    cells = icicle(trees, root, height=height, smallest=SMALLEST, deepest=DEEPEST)
    columns = max(cell.depth for cell in cells) + 1
    width = WIDTH / columns
    parts = []
    for cell in cells:
        name = labels[cell.row] if cell.row >= 0 else "small ones together"
        said = f"{shortened(name, 120)}: {cell.pages:,} page{'s' if cell.pages > 1 else ''}"
        kind = f"d{min(cell.depth, DEEPEST)}" if cell.row >= 0 else "few"
        left = cell.depth * width
        label = ""
        if cell.height >= LINE:
            text = shortened(name, max(int((width - 14) / LETTER), 1)) if cell.row >= 0 else f"+ {cell.pages:,}"
            middle = cell.top + min(cell.height / 2, 40) + 4
            label = f'<text x="{left + 7:.1f}" y="{middle:.1f}">{escaped(text)}</text>'
        parts.append(
            f'<g><title>{escaped(said)}</title><rect class="{kind}" x="{left:.1f}" y="{cell.top:.1f}" '
            f'width="{width - 1.5:.1f}" height="{max(cell.height - 1, 1):.1f}" rx="2"/>{label}</g>'
        )
    said = f"Tree of {shortened(labels[root], 80)}: {pages:,} pages, {columns} levels"
    return _picture(parts, height, said, "icicle")


def draw_map(
    names: Sequence[str], pages: Sequence[int], edges: Sequence[tuple[int, int, int]], *, anchors: Sequence[str]
) -> Markup:
    """Draw sites as circles, and lines between those that link one another."""
    height = min(620.0, 200.0 + 14 * len(names))
    most = max(pages, default=1)
    largest = 40.0 if len(names) <= 40 else 26.0
    radii = [4 + (largest - 4) * (count / most) ** 0.5 for count in pages]
    heaviest = sorted(edges, key=lambda edge: (-edge[2], edge))[:SHOWN_EDGES]
    weights = [(a, b, float(weight) ** 0.25) for a, b, weight in heaviest]
    places = spread_out(radii, weights, width=WIDTH, height=height)
    strongest = max((weight for _, _, weight in weights), default=1.0)
    parts = [
        f'<line x1="{places[a][0]:.1f}" y1="{places[a][1]:.1f}" x2="{places[b][0]:.1f}" y2="{places[b][1]:.1f}" '
        f'stroke-width="{0.5 + 3 * (weight / strongest) ** 2:.2f}" '
        f'stroke-opacity="{0.15 + 0.6 * weight / strongest:.2f}"/>'
        for a, b, weight in sorted(weights)
    ]
    for number, (name, count) in enumerate(zip(names, pages, strict=True)):
        x, y = places[number]
        parts.append(
            f'<a href="#{escaped(anchors[number])}"><title>{escaped(shortened(name, 120))}: {count:,} pages</title>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radii[number]:.1f}"/></a>'
        )
    taken: list[tuple[float, float, float, float]] = [
        (x - r * 0.7, y - r * 0.7, x + r * 0.7, y + r * 0.7) for (x, y), r in zip(places.tolist(), radii, strict=True)
    ]
    for number in sorted(range(len(names)), key=lambda item: (-pages[item], item))[:LABELLED]:
        x, y = places[number].tolist()
        radius = radii[number]
        inside = max(int(1.9 * radius / LETTER), 1)
        # Below the circle, above it, on it, or cut to fit into it: the first that covers nothing.
        for base, limit in ((y + radius + 12, 26), (y - radius - 5, 26), (y + 4, 26), (y + 4, min(inside, 26))):
            text = shortened(names[number], limit)
            half = len(text) * LETTER / 2
            middle = min(max(x, half + 2), WIDTH - half - 2)
            box = (middle - half, base - 10, middle + half, base + 3)
            own = taken[number] if base == y + 4 else None
            is_free = not any(_covers(box, other) for other in taken if other is not own)
            if limit >= SHORTEST and 8 < base < height - 2 and is_free:
                taken.append(box)
                parts.append(f'<text x="{middle:.1f}" y="{base:.1f}" text-anchor="middle">{escaped(text)}</text>')
                break
    return _picture(parts, height, f"Map of {len(names):,} sites and the links between them", "map")


def draw_histogram(counts: Sequence[int], labels: Sequence[str], said: str) -> Markup:
    """Draw a column for each count, with its label below and its number above."""
    height, base = 150.0, 128.0
    step = WIDTH / max(len(counts), 1)
    most = max([*counts, 1])
    parts = []
    for number, (count, label) in enumerate(zip(counts, labels, strict=True)):
        tall = (base - 18) * count / most
        middle = (number + 0.5) * step
        parts.append(
            f'<rect class="d1" x="{number * step + 4:.1f}" y="{base - tall:.1f}" width="{step - 8:.1f}" '
            f'height="{tall:.1f}" rx="2"/><text x="{middle:.1f}" y="{base - tall - 4:.1f}" text-anchor="middle">'
            f'{count:,}</text><text x="{middle:.1f}" y="{height - 6:.1f}" text-anchor="middle">{escaped(label)}</text>'
        )
    return _picture(parts, height, said, "columns")


def _picture(parts: Sequence[str], height: float, said: str, kind: str) -> Markup:
    content = "\n".join(parts)
    return Markup(
        f'<div class="picture"><svg class="{kind}" viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img" '
        f'aria-label="{escaped(said)}">\n{content}\n</svg></div>'
    )


def _covers(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
