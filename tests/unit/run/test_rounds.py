"""The loop between an algorithm that asks and whatever can get a page."""

from collections.abc import Sequence

from sitestrata.model import Want
from sitestrata.page import PageFacts, read_page
from sitestrata.run.rounds import Observed, StoredFetcher, run_rounds
from support.followers import Follow

WEB = {
    "http://h/0": ("/1", "/2"),
    "http://h/1": ("/3",),
    "http://h/2": ("/0", "/4"),
    "http://h/3": (),
    "http://h/4": ("/x",),
}


def lookup(url: str) -> PageFacts | None:
    if url not in WEB:
        return None
    return read_page("".join(f"<a href='{link}'>x</a>" for link in WEB[url]).encode(), url)


def test_every_wanted_page_is_observed_once() -> None:
    asker = Follow("http://h/0")
    result = run_rounds(asker, StoredFetcher(lookup))

    assert sorted(page.url for page in asker.seen) == [*(f"http://h/{n}" for n in range(5)), "http://h/x"]
    assert result.pages == 5 and result.asked == 6 and not result.is_spent


def test_budget_ends_the_loop() -> None:
    asker = Follow("http://h/0")
    result = run_rounds(asker, StoredFetcher(lookup), max_pages=2)

    assert result.pages == 2 and result.is_spent


def test_urgent_pages_come_first() -> None:
    class Two:
        def __init__(self) -> None:
            self.wants = [Want("http://h/1", "", 0.1), Want("http://h/2", "", 0.9)]
            self.seen: list[str] = []

        def wanted(self) -> Sequence[Want]:
            wants, self.wants = self.wants, []
            return wants

        def observe(self, page: Observed) -> None:
            self.seen.append(page.url)

    asker = Two()
    run_rounds(asker, StoredFetcher(lookup), max_under_way=1)

    assert asker.seen == ["http://h/2", "http://h/1"]
