"""robots.txt: what is allowed, and to whom."""

import random

import pytest
from protego import Protego

from sitestrata.sources.crawl.robots import MAX_BYTES, Robots, parse_robots


def allows(text: str, url: str, agent: str = "FooBot") -> bool:
    return parse_robots(text.encode()).allows(url, agent)


def test_empty_file_allows_everything() -> None:
    assert Robots().allows("http://h/x", "FooBot")
    assert allows("", "http://h/x")


def test_longest_rule_wins_and_allow_wins_a_tie() -> None:
    text = "user-agent: *\ndisallow: /p\nallow: /page\n"
    assert allows(text, "http://h/page.html")
    assert not allows(text, "http://h/poem")
    assert allows("user-agent: *\ndisallow: /a\nallow: /a\n", "http://h/a")


def test_own_group_replaces_that_of_everybody() -> None:
    text = "user-agent: *\ndisallow: /\nuser-agent: FooBot\ndisallow: /x\n"
    assert allows(text, "http://h/y")
    assert not allows(text, "http://h/x")
    assert not allows(text, "http://h/y", "Other")


def test_several_groups_for_one_agent_are_one() -> None:
    text = "user-agent: foobot\ndisallow: /a\n\nuser-agent: b\ndisallow: /\n\nuser-agent: FooBot\ndisallow: /c\n"
    assert not allows(text, "http://h/a")
    assert not allows(text, "http://h/c")
    assert allows(text, "http://h/d")


def test_unknown_line_does_not_end_the_head_of_a_group() -> None:
    assert not allows("user-agent: FooBot\nfunny: yes\nuser-agent: *\ndisallow: /\n", "http://h/")


def test_agent_is_cut_at_the_first_sign_that_no_token_has() -> None:
    assert not allows("user-agent: FooBot/2.1 beta\ndisallow: /\n", "http://h/")


def test_star_and_dollar_are_the_only_signs() -> None:
    text = "user-agent: *\ndisallow: /*.php$\ndisallow: /a*b*c\n"
    assert not allows(text, "http://h/x.php")
    assert allows(text, "http://h/x.php?y")
    assert not allows(text, "http://h/a-x-b-y-c-z")
    assert allows(text, "http://h/a-c-b")
    assert allows("user-agent: *\ndisallow: /a.c\n", "http://h/abc")


def test_path_is_compared_in_percent_encoded_form() -> None:
    assert not allows("user-agent: *\ndisallow: /\u30c4\n", "http://h/%E3%83%84")
    assert not allows("user-agent: *\ndisallow: /%e3%83%84\n", "http://h/%E3%83%84")


def test_allowed_index_page_stands_for_its_folder() -> None:
    text = "user-agent: *\nallow: /x/index.html\ndisallow: /\n"
    assert allows(text, "http://h/x/")
    assert not allows(text, "http://h/x/y")


def test_robots_txt_itself_is_always_allowed() -> None:
    assert allows("user-agent: *\ndisallow: /\n", "http://h/robots.txt")


def test_what_lies_behind_500_kib_is_not_read() -> None:
    filler = "#" + "x" * 1022 + "\n"
    text = "user-agent: *\n" + filler * (MAX_BYTES // 1024) + "disallow: /\n"
    assert allows(text, "http://h/")


def test_crawl_delay_and_sitemaps_are_read() -> None:
    robots = parse_robots(b"Sitemap: http://h/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow:\nSitemap: /b.xml\n")

    assert robots.sitemaps == ("http://h/a.xml", "/b.xml")
    assert robots.crawl_delay("x") == 2.5
    assert robots.allows("http://h/", "x")


@pytest.mark.parametrize("delay", ["nan", "-1", "inf", "1e99", "soon", ""])
def test_absurd_crawl_delay_is_ignored(delay: str) -> None:
    assert parse_robots(f"user-agent: *\ncrawl-delay: {delay}\n".encode()).crawl_delay("x") is None


@pytest.mark.parametrize("body", [b"\xff\xfe\x00", b"\x00" * 100, b"user-agent", b"disallow: /\n" * 3, b"\r\r\n\n"])
def test_no_input_makes_reading_fail(body: bytes) -> None:
    assert parse_robots(body).allows("http://h/", "x") in (True, False)


def test_protego_agrees_on_files_without_its_known_faults() -> None:
    """Protego is an independent reading of the same rules; its faults concern tokens, unknown lines and escapes."""
    rng = random.Random(7)
    paths = ["/", "/a", "/a/", "/a/b", "/ab", "/b*", "/*b", "/a*b$", "/a$", "/*", "/a/b/c", "/*.c"]
    urls = ["/", "/a", "/a/", "/ab", "/a/b", "/b", "/bb", "/a/b/c", "/x.c", "/a/b.c", "/aXb", "/c?a=b"]
    for _ in range(300):
        lines = []
        for agent in rng.sample(["*", "foobot", "bar"], k=rng.randint(1, 3)):
            lines.append(f"User-agent: {agent}")
            lines += [f"{rng.choice(['Allow', 'Disallow'])}: {rng.choice(paths)}" for _ in range(rng.randint(1, 5))]
        text = "\n".join(lines)
        ours, theirs = parse_robots(text.encode()), Protego.parse(text)
        for url in urls:
            assert ours.allows(f"http://h{url}", "foobot") == theirs.can_fetch(f"http://h{url}", "foobot"), (text, url)
