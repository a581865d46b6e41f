"""What pages carry, in an order that does not change from run to run."""

from sitestrata.sites.evidence import read_evidence
from sitestrata.urls import url_id
from support.html_webs import HtmlWeb

WORDS = ["oscar", "lima", "kilo", "golf", "juliet", "papa", "echo", "india", "quebec", "hotel", "romeo", "mike"]


def test_words_of_a_title_are_numbered_in_order() -> None:
    """Sums over words are taken in this order, and sums of floats depend on it; that of a set changes."""
    urls = sorted((f"http://a.example/{number}" for number in range(len(WORDS) + 1)), key=url_id)
    titles = [" ".join(WORDS), *sorted(WORDS)]  # the first page numbers all words, the others have one each

    pages = {url: f"<title>{title}</title>" for url, title in zip(urls, titles, strict=True)}
    words = read_evidence(HtmlWeb(pages)).title_words

    assert list(range(len(WORDS))) == words.indices[words.indptr[1] :].tolist()
