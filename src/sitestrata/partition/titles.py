"""Labels that would stand over others, and name none of them -> set free: titles, current items, fields, notices.

Paper: OntoMiner 4.3.3
"""

from sitestrata.partition.lines import COLON, LAST_HEADING, Label, words

__all__ = ["are_fields", "are_links", "free", "headings", "is_notice", "without_titles"]

WHOLE = 0.5  # share of the leaves of a page that only its title covers


def without_titles(forest: list[Label], leaves: int, title: str, said: set[str]) -> list[Label]:
    """Take the names of the page or the site, its logo too, from above everything else: they say nothing of it.

    The current item of a menu is no link and stands out; it is told from the name of the menu by what it says, which
    the page says again over its text, or elsewhere, where it is a link to this page (``said``).
    """
    out: list[Label] = []
    stack = forest[::-1]
    while stack:
        label = stack.pop()
        covered = label.end - label.first
        is_title = False
        if covered > 3 and label.children:
            heads = sum([bool(child.children) for child in label.children])
            is_title = (covered > WHOLE * leaves and heads > 1) or (
                (label.rank <= 2 or label.is_picture) and len(label.text) > 3 and words(label.text) in title
            )
            if not is_title and not heads and not label.is_link and label.rank > LAST_HEADING:
                is_title = words(label.text) in said and are_links(label.children)
        if is_title:
            children, label.children = label.children, []
            label.end = label.first + 1
            out.append(label)
            stack.extend(children[::-1])
        else:
            out.append(label)
    return out


def free(labels: list[Label], at: int) -> None:
    """Put what a label stands over behind it."""
    label = labels[at]
    labels[at + 1 : at + 1] = label.children
    label.children = []
    label.end = label.first + 1


def are_fields(labels: list[Label]) -> bool:
    """Tell whether most of some labels end in a colon that nothing follows."""
    fields = 0
    for label in labels:
        fields += label.rank == COLON and not label.children
    return 2 * fields >= len(labels)


def is_notice(text: str) -> bool:
    """Tell whether a text has the sign of copyright before it or in it; behind a letter it is a character misread."""
    at = text.find("©")
    return at >= 0 and (at == 0 or not text[at - 1].isalpha())


def are_links(labels: list[Label]) -> bool:
    """Tell whether all of some labels are links."""
    for label in labels:  # noqa: SIM110  (compiled functions hold no generators)
        if not label.is_link:
            return False
    return True


def headings(forest: list[Label], url: str) -> set[str]:
    """Return what labels say that are headings, stand over more than links, or link the page itself."""
    said: set[str] = set()
    stack = list(forest)
    while stack:
        label = stack.pop()
        if not label.is_link and (label.children or label.rank <= LAST_HEADING):
            if label.rank <= LAST_HEADING or not are_links(label.children):
                said.add(words(label.text))
        elif label.is_link and label.url == url:
            said.add(words(label.text))
        stack.extend(label.children)
    return said
