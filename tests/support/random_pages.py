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


def random_tables(seed: int, *, tables: int = 6) -> PageFacts:
    """Return a page of tables, some inside others, with spans, scopes, sections, pictures, controls and bold cells."""
    random = Random(seed)
    texts = (
        *WORDS,
        "1,200",
        "3.5 %",
        "2004-11-02",
        "<b>Total</b>",
        "<img alt=x>",
        "<input>",
        "<p>a<p>b",
        "<a href=/>x</a>",
    )

    def table(depth: int) -> str:
        rows = []
        for _ in range(random.randrange(1, 7)):
            cells = []
            for _ in range(random.randrange(0, 6)):
                span = random.choice(["", "", "", " colspan=2", " rowspan=2", " rowspan=0", " scope=row", " scope=col"])
                inner = table(depth + 1) if depth < 2 and not random.randrange(25) else random.choice(texts)
                cells.append(f"<{random.choice(['td', 'td', 'th'])}{span}>{inner}")
            rows.append(f"{random.choice(['', '', '', '<thead>', '<tbody>', '<tfoot>'])}<tr>{''.join(cells)}")
        return f"<table>{random.choice(['', '<caption>Prices</caption>'])}{''.join(rows)}</table>"

    body = "".join(table(0) for _ in range(tables)) + "<dl><dt>Born<dd>1912<dt>Died<dd>1954<dd>June</dl>"
    return read_page(body.encode(), "https://example.org/a/")
