"""Every view of the web interface, looked at with suspicion."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sitestrata.model import Decision
from sitestrata.run.decisions import add_decision

from .workspaces import web_of_texts

__all__ = ["faults_in_views", "hostile_workspaces", "paths_of_views"]

# What would make a text look like another.
HIDDEN = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\x00\x1b"


def hostile_workspaces(folder: Path, texts: Sequence[str]) -> tuple[Path, Path]:
    """Write two workspaces that hold nothing but some texts, in other places each, and decisions made of them."""
    now, early = folder / "now", folder / "early"
    web_of_texts(now, texts)
    web_of_texts(early, [*texts[3:], *texts[:3]])
    for text in texts:
        if text.strip():
            add_decision(now, Decision("name", "http://first.example/0/", text[:4000]), note=text[:4000])
            add_decision(now, Decision("menu-role", text[:4000], text[:4000]))
    return now, early


def paths_of_views(page: Any, *, pages: int = 4, concepts: int = 4) -> list[str]:
    """Return the addresses of all kinds of views of what a server serves."""

    def ids(path: str, name: str) -> list[str]:
        found: list[str] = page.evaluate(
            "([path, name]) => fetch(path).then(r => r.json()).then(d => d.rows.map(r => r[name]))", [path, name]
        )
        return found

    sites = ids("/api/sites?limit=2", "site")
    shown = ids(f"/api/pages?limit={pages}", "page")
    known = ids("/api/taxonomy", "concept")[:concepts]
    names = page.evaluate("fetch('/api/overview').then(r => r.json()).then(d => d.compare)")
    return [
        "/", "/pages", "/taxonomy", "/correct", "/correct/judge", "/run", "/compare", "/nonsense",
        *(f"/site/{site}{tab}" for site in sites for tab in ("", "/tree", "/menus", "/pages", "/scales")),
        *(f"/page/{one}{tab}" for one in shown for tab in ("", "/labels", "/tables", "/facts")),
        *(f"/taxonomy/{concept}" for concept in known),
        *(f"/compare/{name}?kind={kind}" for name in names for kind in ("moved", "new", "lost")),
    ]  # fmt: skip


def faults_in_views(look: Callable[[str], Any], paths: Iterable[str]) -> Iterator[str]:
    """Open views and yield what is wrong with how they look; ``look`` opens one and returns the browser's page."""
    for path in paths:
        page = look(path)
        text = page.locator("main").inner_text()
        if not text.strip():
            yield f"{path}: nothing can be read"
        if any(mark in text for mark in HIDDEN):
            yield f"{path}: characters that hide what a text is"
        if "PWNED" in page.title():
            yield f"{path}: a script has run"
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 1:
            yield f"{path}: {wide} pixels stick out"
        if page.locator("main script, main iframe:not([sandbox='']), main object, main embed").count():
            yield f"{path}: an element that none of ours makes"
