"""Label trees written as nested tuples, for tests."""

from typing import Any

from sitestrata.model import TreeNode
from sitestrata.taxonomy.trees import SiteTree

Shape = str | tuple[Any, ...]


def tree(
    *shapes: Shape,
    site: int = 1,
    owner: str | None = None,
    host: str | None = None,
    language: str | None = "en",
    page: str = "/",
    linked: bool = True,
    role: str = "navigation",
) -> SiteTree:
    """Build a tree: a string is a leaf, ``("News", [...])`` has children, ``["a", "b"]`` is a group.

    Labels link to ``http://host/label`` unless ``linked`` is false.
    """
    home = f"http://{host or f'site{site}.example'}"
    nodes: list[TreeNode] = []

    def add(parent: int, kind: str, label: str) -> int:
        ordinal = len(nodes)
        slug = label.lower().replace(" ", "-")
        url = f"{home}/{slug}" if linked and label else None
        nodes.append(TreeNode(site, ordinal, parent, kind, role, label, url, ordinal, ordinal, ordinal + 1))
        return ordinal

    def build(parent: int, shape: Any, kind: str = "leaf") -> None:
        match shape:
            case str():
                add(parent, kind, shape)
            case list():
                group = add(parent, "group", "")
                for member in shape:
                    build(group, member, "member")
            case (str() as label, list() as members):
                group = add(parent, "group", label)
                for member in members:
                    build(group, member, "member")
            case (str() as label, *children):
                node = add(parent, "block", label)
                for child in children:
                    build(node, child)
            case _:
                raise ValueError(shape)

    root = add(-1, "root", "")
    for shape in shapes:
        build(root, shape)
    return SiteTree(site, owner or f"owner{site}", f"{home}{page}", language, tuple(nodes))
