"""Which address comes next: urgency, one connection a host, pauses, robots.txt, budgets."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sitestrata.sources.crawl.frontier import Frontier, Wanted
from sitestrata.sources.crawl.options import CrawlOptions
from sitestrata.sources.crawl.robots import parse_robots
from sitestrata.sources.crawl.scheduler import ROBOTS_WAITS, Scheduler


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


Make = Callable[..., tuple[Scheduler, Frontier, Clock]]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def build(**options: object) -> tuple[Scheduler, Frontier, Clock]:
        frontier = Frontier(tmp_path / "f.sqlite")
        clock = Clock()
        chosen = CrawlOptions(**{"delay": 1.0, "robots": False, **options})  # type: ignore[arg-type]
        return Scheduler(frontier, chosen, clock=clock), frontier, clock

    return build


def add(scheduler: Scheduler, *urls: str, priority: float = 1.0) -> None:
    for url in urls:
        found = scheduler.frontier.want(url, priority=priority, depth=0)
        if found is not None:
            scheduler.add(found[0]) if found[1] else scheduler.moved(found[0])


def take(scheduler: Scheduler) -> str | None:
    found = scheduler.next()
    return found.url if isinstance(found, Wanted) else found


def test_urgent_address_comes_first_and_equals_in_order(make: Make) -> None:
    scheduler, _, _ = make(per_host=9, delay=0.0)
    add(scheduler, "http://a/1", "http://a/2")
    add(scheduler, "http://a/0", priority=0.0)

    assert [take(scheduler) for _ in range(4)] == ["http://a/0", "http://a/1", "http://a/2", None]


def test_host_under_way_waits_and_others_go_on(make: Make) -> None:
    scheduler, _, _ = make(delay=0.0)
    add(scheduler, "http://a/1", "http://a/2", "http://b/1")

    assert [take(scheduler) for _ in range(3)] == ["http://a/1", "http://b/1", None]
    scheduler.release("a", 0.0)
    assert take(scheduler) == "http://a/2"


def test_pause_lies_between_two_requests_to_a_host(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler, _, clock = make(delay=2.0)
    monkeypatch.setattr(scheduler, "_wake_later", lambda *_, **__: None)
    add(scheduler, "http://a/1", "http://a/2")
    take(scheduler)
    scheduler.release("a", 0.01)

    assert take(scheduler) is None
    clock.now += 1.9
    assert take(scheduler) is None
    clock.now += 0.2
    assert take(scheduler) == "http://a/2"


def test_slow_and_troubled_hosts_are_asked_less_often(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler, _, clock = make(delay=0.1)
    monkeypatch.setattr(scheduler, "_wake_later", lambda *_, **__: None)
    add(scheduler, *(f"http://a/{n}" for n in range(5)))
    take(scheduler)
    scheduler.release("a", 5.0)
    clock.now += 4.9
    assert take(scheduler) is None
    clock.now += 0.2
    assert take(scheduler) is not None
    scheduler.release("a", None, wait=60.0, is_trouble=True)
    clock.now += 59.0
    assert take(scheduler) is None
    clock.now += 2.0
    assert take(scheduler) is not None


def test_robots_txt_is_asked_for_first_and_obeyed(make: Make) -> None:
    scheduler, frontier, _ = make(robots=True, delay=0.0)
    add(scheduler, "http://a/no/1", "http://a/yes", "http://a:81/x")

    assert take(scheduler) == "http://a/"
    assert take(scheduler) is None
    scheduler.release("a", 0.0)
    scheduler.learned("http://a/", parse_robots(b"User-agent: *\nDisallow: /no\n"))
    assert take(scheduler) == "http://a/yes"
    scheduler.release("a", 0.0)
    assert take(scheduler) == "http://a:81/"
    assert frontier.counts()["robots"] == 1


def test_robots_txt_that_cannot_be_had_holds_the_host_then_gives_up(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler, frontier, clock = make(robots=True, delay=0.0)
    monkeypatch.setattr(scheduler, "_wake_later", lambda *_, **__: None)
    add(scheduler, "http://a/1")
    for wait in ROBOTS_WAITS:
        assert take(scheduler) == "http://a/"
        scheduler.release("a", 0.0)
        scheduler.learned("http://a/", None)
        clock.now += wait - 1
        assert take(scheduler) is None
        clock.now += 2
    assert take(scheduler) == "http://a/"
    scheduler.release("a", 0.0)
    scheduler.learned("http://a/", None)
    assert take(scheduler) is None
    assert frontier.counts() == {"robots unreachable": 1}
    frontier.reopen()
    assert frontier.counts() == {"wanted": 1}


def test_pages_under_way_count_against_the_budget(make: Make) -> None:
    scheduler, _, _ = make(max_pages=2, per_host=5, delay=0.0)
    add(scheduler, *(f"http://a/{n}" for n in range(5)))

    assert take(scheduler) and take(scheduler)
    assert take(scheduler) is None
    scheduler.release("a", 0.0)  # a redirect, say: no page
    assert take(scheduler) is not None
    scheduler.pages = 2
    assert not scheduler.has_pending()


def test_thousands_of_addresses_come_out_in_order(make: Make) -> None:
    """The scheduler holds a few of a host's addresses in memory; order must not depend on which."""
    scheduler, _, _ = make(per_host=10**6, delay=0.0)
    order = [(n * 7919) % 1000 for n in range(1000)]
    for n in order:
        add(scheduler, f"http://a/{n}", priority=float(n))
    got = []
    while (url := take(scheduler)) is not None:
        got.append(int(url.rpartition("/")[2]))

    assert got == sorted(order)


def test_what_was_under_way_is_wanted_after_a_crash(make: Make, tmp_path: Path) -> None:
    scheduler, frontier, _ = make(delay=0.0)
    add(scheduler, "http://a/1", "http://b/1")
    take(scheduler)
    frontier.commit()
    frontier._db.close()

    again = Frontier(tmp_path / "f.sqlite")
    again.reopen()
    assert again.counts() == {"wanted": 2}
