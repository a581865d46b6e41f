"""The hierarchy of a mined site: subsites are marked where they begin."""

import pytest

from sitestrata.run.mine import mine
from sitestrata.run.tree import site_tree, tree_rows
from sitestrata.run.workspace import Workspace, open_workspace
from support.menu_webs import menu_site

HOME = "http://soft.example/"
MANUAL = f"{HOME}manual/"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A site of twelve pages and its manual of ten, which has a menu of its own and links home."""
    folder = tmp_path_factory.mktemp("tree")
    links = menu_site(HOME, 12, extra=[MANUAL]) | menu_site(MANUAL, 10, extra=[HOME])
    for url, targets in links.items():
        name = url.removeprefix(HOME)
        path = folder / "web" / (f"{name}index.html" if name.endswith("/") or not name else f"{name}.html")
        path.parent.mkdir(parents=True, exist_ok=True)
        pages = [target if target.endswith("/") else f"{target}.html" for target in targets]
        items = "".join(f"<li><a href='{page}'>{page[len(HOME) :] or 'Home'}</a></li>" for page in pages)
        path.write_text(f"<title>{name or 'Soft'} - Soft</title><ul>{items}</ul><p>{name} is here.</p>")
    mine([folder / "web"], folder / "ws", base_url=HOME, workers=1)
    return open_workspace(folder / "ws")


def test_a_subsite_is_marked_where_it_begins_and_only_there(workspace: Workspace) -> None:
    root = site_tree(workspace, HOME)
    marked = []
    stack = [root]
    while stack:
        node = stack.pop()
        marked += [node["url"]] if "subsite" in node else []
        stack += node["children"]

    assert [MANUAL] == marked


def test_every_page_of_a_subsite_names_it(workspace: Workspace) -> None:
    names = {row["subsite"] for row in tree_rows(workspace, HOME) if row["url"].startswith(MANUAL)}

    assert 1 == len(names)
    assert None not in names
    assert all(row["subsite"] is None for row in tree_rows(workspace, HOME) if not row["url"].startswith(MANUAL))
