"""Draw the sites of a workspace as an SVG picture: one bar a site, as long as it has pages, cut into its hosts.

sitestrata demo && python docs/draw_sites.py demo/ws docs/pictures/sites.svg
"""

import html
import sys
from collections import Counter
from pathlib import Path

from sitestrata.run.listing import list_pages, list_sites
from sitestrata.run.workspace import open_workspace
from sitestrata.urls import host

ROW, LEFT, WIDTH = 24, 240, 840
COLOURS = ("#2b6cb0", "#d97706", "#2f855a", "#9f1239", "#6b46c1", "#0e7490", "#a16207", "#4a5568")


def draw(folder: Path) -> str:
    """Return the picture of a workspace."""
    workspace = open_workspace(folder)
    sites = list(list_sites(workspace))[:24]
    hosts: dict[str, Counter[str]] = {}
    for page in list_pages(workspace):
        hosts.setdefault(page["site"], Counter())[host(page["url"])] += 1
    names = sorted({name for site in sites for name in hosts[site["site"]]})
    colour = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
    scale = (WIDTH - LEFT - 240) / max(sum(hosts[site["site"]].values()) for site in sites)
    size = f'width="{WIDTH}" height="{ROW * len(sites) + 8}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        f'<rect {size} fill="#fff"/>',
    ]
    for row, site in enumerate(sites):
        y = row * ROW + 6
        name = site["name"] if len(site["name"]) < 36 else site["name"][:34] + "…"
        lines.append(f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end" fill="#111">{html.escape(name)}</text>')
        x = float(LEFT)
        for name, pages in sorted(hosts[site["site"]].items(), key=lambda item: (-item[1], item[0])):
            lines.append(
                f'<rect x="{x:.1f}" y="{y}" width="{max(pages * scale, 1):.1f}" height="17" fill="{colour[name]}"/>'
            )
            x += pages * scale
        label = " + ".join(sorted(hosts[site["site"]]))
        lines.append(f'<text x="{x + 6:.1f}" y="{y + 13}" fill="#444">{html.escape(label)}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    source, target = sys.argv[1:]
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    Path(target).write_text(draw(Path(source)), "utf-8")
