"""Pages without sense but with every construct that a reader of labels looks for, by seed."""

from random import Random

from sitestrata.page import PageFacts, read_page

# fmt: off
TAGS = (
    "div", "div", "p", "ul", "li", "li", "h2", "h3", "b", "span", "section", "nav", "table", "tr", "td", "dl", "dt",
    "dd", "a", "a", "em", "br", "select", "option", "label", "center",
)
# fmt: on
WORDS = ("Home", "NEWS", "About us", "Price:", "12", "(", "|", "read on and on and on, " * 9, "Größe：", "", "—")


def random_page(seed: int, *, size: int = 300) -> PageFacts:
    """Return a page of about so many pieces; tags open and close at random."""
    random = Random(seed)
    parts = ["<title>Home of News</title><body>"]
    for _ in range(size):
        tag = random.choice(TAGS)
        match random.randrange(6):
            case 0 | 1:
                parts.append(f"<{tag}>")
            case 2:
                parts.append(f"</{tag}>")
            case 3:
                parts.append(f"<a href='/{random.choice('abc')}/{random.choice('abc')}{random.choice(['', '#x'])}'>")
                parts.append(random.choice([random.choice(WORDS), "<img alt='A picture'>", "<h3>Card</h3><p>text</p>"]))
                parts.append("</a>")
            case _:
                parts.append(random.choice(WORDS))
    return read_page("".join(parts).encode(), "https://example.org/a/")
