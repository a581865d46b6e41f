"""Which lists of a page form one menu."""

import numpy as np

from sitestrata.menus.containers import PageLinks, PageSegments, join_strands


def page(*segments: tuple[str, int, list[tuple[str, int, int, float]]]) -> list[set[int]]:
    """Join the strands of a page given as (path, parent, links as (path below, strand, pages, home share))."""
    texts = [""]

    def step(path: str, depth: int) -> int:
        texts.append(path.split("/")[depth])
        return len(texts) - 1

    made = PageSegments(
        np.array([parent for _, parent, _ in segments], np.int32),
        np.array([step(path, -1) for path, _, _ in segments]),
        np.array([step(path, _depth(segments[parent][0]) if parent >= 0 else 0) for path, parent, _ in segments]),
    )
    links = [(number, *link) for number, (_, _, below_it) in enumerate(segments) for link in below_it]
    columns = PageLinks(
        np.array([segment for segment, *_ in links]),
        np.array([step(below, 0) for _, below, *_ in links]),
        np.array([strand for *_, strand, _, _ in links]),
        np.array([pages for *_, pages, _ in links]),
        np.array([home for *_, home in links]),
    )
    menu = join_strands(made, columns, texts)
    found: dict[int, set[int]] = {}
    for strand in sorted({strand for strand in columns.strand.tolist() if strand >= 0}):
        found.setdefault(int(menu[strand]), set()).add(strand)
    return sorted(found.values(), key=sorted)


def _depth(path: str) -> int:
    return path.count("/") + 1


def items(
    count: int, strand: int, *, pages: int = 50, home: float = 1.0, step: str = "li/a"
) -> list[tuple[str, int, int, float]]:
    return [(step, strand, pages, home)] * count


def test_drop_downs_belong_to_their_bar() -> None:
    bar = ("html/body/ul", -1, items(3, 1))

    assert [{1, 2, 3}] == page(bar, ("html/body/ul/li/ul", 0, items(4, 2)), ("html/body/ul/li/ul", 0, items(5, 3)))


def test_drop_down_that_other_sites_show_too_belongs_to_the_bar_it_hangs_from() -> None:
    bar = ("html/body/ul", -1, items(4, 1))

    assert [{1, 2}] == page(bar, ("html/body/ul/li/ul", 0, items(5, 2, pages=400, home=0.0)))


def test_submenu_of_a_section_is_a_menu_of_its_own() -> None:
    bar = ("html/body/ul", -1, items(4, 1))

    assert [{1}, {2}] == page(bar, ("html/body/ul/li/ul", 0, items(5, 2, pages=9)))


def test_parts_of_a_side_column_are_one_menu_with_linked_headings_or_not() -> None:
    column = ("html/body/div", -1, [("h3/a", 9, 50, 1.0)] * 2)
    lists = [("html/body/div/ul", 0, items(3, strand)) for strand in (1, 2, 3)]

    assert [{1, 2, 3, 9}] == page(column, *lists)
    assert [{1, 2, 3}] == page(("html/body/div", -1, []), *lists)


def test_regions_of_a_header_are_not_one_menu() -> None:
    header = ("html/body/header", -1, [("a.logo", 9, 50, 1.0)])

    assert [{1}, {2}, {9}] == page(
        header, ("html/body/header/ul.main", 0, items(5, 1)), ("html/body/header/ul.login", 0, items(2, 2, home=0.0))
    )


def test_a_logo_beside_lists_of_one_class_stays_out() -> None:
    nav = ("html/body/nav", -1, [("div.logo/a", 9, 50, 1.0)])
    lists = [("html/body/nav/div.part", 0, items(4, strand, step="a")) for strand in (1, 2, 3)]

    assert [{1, 2, 3}, {9}] == page(nav, *lists)


def test_links_in_the_text_keep_a_region_from_being_a_menu() -> None:
    body = ("html/body/div", -1, [("p/a", -1, 0, 0.0)] * 6)

    assert [{1}, {2}] == page(body, ("html/body/div/ul", 0, items(3, 1)), ("html/body/div/ol", 0, items(3, 2)))
