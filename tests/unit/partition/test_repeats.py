"""Children of one element that stand out by nothing but their repetition."""

import pytest

from sitestrata.page import read_page
from sitestrata.partition.labels import label_forest
from sitestrata.partition.lines import Label

PAIRS = {"Weight": "2 kg", "Height": "30 cm", "Built": "1912", "Price": "20 EUR"}


def forest(html: str) -> list[object]:
    page = f"<!doctype html><body><div>{html}</div>"
    return [_plain(label) for label in label_forest(read_page(page.encode(), "https://example.org/"))]


def _plain(label: Label) -> object:
    return [label.text, *(_plain(child) for child in label.children)] if label.children else label.text


def pairs(label: str, value: str) -> str:
    return "".join(
        f"<{label}>{name}</{label.split()[0]}><{value}>{text}</{value.split()[0]}>" for name, text in PAIRS.items()
    )


@pytest.mark.parametrize(
    ("label", "value"),
    [("p", "div"), ("div class=x1", "div class=x2"), ("div class=a", "pre class=a")],
    ids=["tags", "classes", "tags of one class"],
)
def test_flat_sequence_of_labels_and_values_becomes_pairs(label: str, value: str) -> None:
    assert [[name, text] for name, text in PAIRS.items()] == forest(pairs(label, value))


def test_label_owns_all_values_up_to_the_next() -> None:
    text = "<p>Cast</p><div>Ann Lee</div><div>Bo Ray</div><p>Crew</p><div>Cy Poe</div><p>Music</p><div>Di Fox</div>"

    assert [["Cast", "Ann Lee", "Bo Ray"], ["Crew", "Cy Poe"], ["Music", "Di Fox"]] == forest(text)


def test_plain_labels_between_links_head_them() -> None:
    """The menu profile: what the links are called, and in which order, does not count."""

    def links(*names: str) -> str:
        return "".join(f"<div><a href=/{name}>{name}</a></div>" for name in names)

    text = f"<p>Shop</p>{links('hats', 'coats')}<p>Help</p>{links('returns', 'sizes', 'contact')}"

    assert [["Shop", "hats", "coats"], ["Help", "returns", "sizes", "contact"]] == forest(text)


def test_pattern_of_the_first_children_holds_for_a_long_sequence() -> None:
    text = "".join(f"<p>Name {chr(65 + n // 26)}{chr(65 + n % 26)}</p><div>{n}</div>" for n in range(200))

    assert [[f"Name {chr(65 + n // 26)}{chr(65 + n % 26)}", str(n)] for n in range(200)] == forest(text)


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"<div class={'odd' if n % 2 else 'even'}>{name}</div>" for n, name in enumerate(PAIRS)),
        "<p>Sign in</p><div><a href=/a>A</a></div><div><a href=/b>B</a></div><div><a href=/c>C</a></div>",
        "<p>More</p><div>2 kg</div><p>More</p><div>30 cm</div><p>More</p><div>1912</div>",
        "<p>One</p><p>Two</p><div>2 kg</div><p>Three</p><p>Four</p><div>30 cm</div>",
        "<p>Weight</p><div>2 kg</div><p>Height</p>",
    ],
    ids=["striped rows", "once", "one text", "side by side", "nothing behind the last"],
)
def test_what_repeats_without_naming_anything_heads_nothing(text: str) -> None:
    assert all(isinstance(label, str) for label in forest(text))
