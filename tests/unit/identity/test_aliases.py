"""Each rule where it must join two addresses, and where it must not."""

import pytest

from sitestrata.identity import PAPER_RULES, RULES, IdentityOptions
from sitestrata.model import TABLES
from sitestrata.urls import url_id
from support.tiny_web import TinyWeb

H = "https://example.org"


def test_without_rules_every_address_is_its_own_page() -> None:
    """The papers' identity: an address without its fragment."""
    web = TinyWeb().page(f"{H}/a").redirect(f"{H}/b", "/a").link("http://example.org/a", f"{H}/a?")

    found = web.aliases(rules=PAPER_RULES)

    assert all(alias.page_id == url_id(url) == alias.url_id for url, alias in found.items())
    assert {alias.rules for alias in found.values()} == {()}


def test_an_empty_collection_has_no_aliases() -> None:
    assert {} == TinyWeb().aliases()


def test_rows_follow_the_schema_of_the_table() -> None:
    made = TinyWeb().page(f"{H}/a").link("http://example.org/a").identify()["aliases"]

    assert TABLES["aliases"].schema == made.schema


def test_unknown_rule_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'slahs'.*slash"):
        IdentityOptions(rules=("slahs",))


class TestPresumedRules:
    """They hold unless the collection contradicts them."""

    @pytest.mark.parametrize(
        ("one", "other", "rules"),
        [
            ("https://example.org/a", "http://example.org/a", ("scheme",)),
            ("https://example.org/~a", "https://example.org/%7Ea", ("percent",)),
            ("https://example.org/%C3%A9", "https://example.org/%c3%a9", ("percent",)),
            ("https://example.org/a?q=b%20c", "https://example.org/a?q=b+c", ("space",)),
            ("https://example.org/a?q=b+c%20d", "https://example.org/a?q=b%20c+d", ("space",)),
            ("https://example.org/a", "https://example.org/a?", ("empty-query",)),
            ("https://example.org/a", "https://example.org/a?utm_source=x&utm_medium=y", ("parameter",)),
            ("https://example.org/a", "https://example.org/a;jsessionid=12AB", ("parameter",)),
            ("https://example.org/a?b=1", "https://example.org/a?fbclid=x&b=1", ("parameter",)),
            ("https://example.org/a", "http://example.org/a?gclid=x", ("scheme", "parameter")),
        ],
    )
    def test_address_that_was_not_captured_is_the_captured_one(
        self, one: str, other: str, rules: tuple[str, ...]
    ) -> None:
        found = TinyWeb().page(one).link(other).aliases()

        assert found[other].canonical == one
        assert found[other].rules == rules
        assert not found[other].is_captured
        assert found[one].rules == ()

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("https://example.org/a/b", "https://example.org/a%2Fb"),  # an escaped slash is no separator
            ("https://example.org:8443/a", "http://example.org:8443/a"),
            ("https://example.org/a", "https://example.org/a?q="),
            ("https://example.org/a+b", "https://example.org/a%20b"),  # in a path a plus is a plus
            ("https://example.org/a?q=b+c", "https://example.org/a?q=b%2Bc"),
            ("https://example.org/a?utm=1", "https://example.org/a"),
            ("https://example.org/a", "https://example.com/a"),
        ],
    )
    def test_what_no_rule_covers_stays_apart(self, one: str, other: str) -> None:
        assert not TinyWeb().page(one).link(other).same(one, other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("https://example.org/a", "http://example.org/a"),
            ("https://example.org/~a", "https://example.org/%7Ea"),
            ("https://example.org/a", "https://example.org/a?utm_source=x"),
            ("https://example.org/a?q=c+x", "https://example.org/a?q=c%20x"),
        ],
    )
    def test_captured_with_different_content_stays_apart(self, one: str, other: str) -> None:
        web = TinyWeb().page(one, "one text").page(other, "quite another text")

        assert not web.same(one, other)

    def test_one_host_that_contradicts_keeps_its_unseen_addresses_apart(self) -> None:
        web = TinyWeb().page(f"{H}/a", "secure").page("http://example.org/a", "an old and plain server")
        web.page("https://example.com/a").link(f"{H}/b", "http://example.org/b", "http://example.com/a")

        assert not web.same(f"{H}/b", "http://example.org/b")
        assert web.same("https://example.com/a", "http://example.com/a")

    def test_mark_that_carries_meaning_on_a_host_is_kept(self) -> None:
        web = TinyWeb()
        for number in range(4):
            web.page(f"{H}/list?sessionid={number}", f"talks of session {number * 1000}", links=[f"/talk{number}"])
        web.link(f"{H}/list?sessionid=8", f"{H}/list?sessionid=9")

        assert not web.same(f"{H}/list?sessionid=8", f"{H}/list?sessionid=9")


class TestRedirects:
    def test_redirect_is_the_page_it_leads_to(self) -> None:
        found = TinyWeb().page(f"{H}/new").redirect(f"{H}/old", "/new").aliases()

        assert found[f"{H}/old"].page_id == url_id(f"{H}/new")
        assert found[f"{H}/old"].rules == ("redirect",)
        assert found[f"{H}/old"].is_captured

    def test_chain_is_followed_to_its_end(self) -> None:
        web = TinyWeb().page(f"{H}/z")
        for number in range(20):
            web.redirect(f"{H}/{number}", f"/{number + 1}" if number < 19 else "/z", status=302)

        assert web.same(f"{H}/z", *(f"{H}/{number}" for number in range(20)))

    def test_redirect_may_cross_hosts_and_end_outside_the_collection(self) -> None:
        found = TinyWeb().redirect(f"{H}/a", "https://example.com/b").redirect(f"{H}/c", "/a").aliases()

        assert found[f"{H}/c"].canonical == "https://example.com/b"
        assert found["https://example.com/b"].page_id == url_id("https://example.com/b")

    def test_loop_ends_as_one_page_and_is_reported(self) -> None:
        web = TinyWeb().redirect(f"{H}/a", "/bb").redirect(f"{H}/bb", "/a").redirect(f"{H}/in", "/a")
        web.redirect(f"{H}/self", "/self").redirect(f"{H}/to-self", "/self")

        made = web.identify()

        assert web.same(f"{H}/a", f"{H}/bb", f"{H}/in")
        rejects = made["rejects"].to_pylist()
        assert {reject["input"] for reject in rejects} == {
            f"{H}/{name}" for name in ("a", "bb", "in", "self", "to-self")
        }
        assert {reject["reason"] for reject in rejects} == {"redirect-loop"}

    def test_meta_refresh_is_no_identity(self) -> None:
        web = TinyWeb().page(f"{H}/a", "moved", links=["https://example.com/"]).page("https://example.com/", "new")

        assert not web.same(f"{H}/a", "https://example.com/")

    def test_redirect_overrides_what_a_rule_would_guess(self) -> None:
        web = TinyWeb().page(f"{H}/a", "page").redirect("http://example.org/a", "https://example.org/login")
        web.link(f"{H}/login")

        assert web.same("http://example.org/a", f"{H}/login")
        assert not web.same("http://example.org/a", f"{H}/a")

    def test_later_answer_counts_when_an_address_changed(self) -> None:
        web = TinyWeb().redirect(f"{H}/a", "/old").redirect(f"{H}/a", "/new").page(f"{H}/new")

        assert web.same(f"{H}/a", f"{H}/new")
        assert not web.same(f"{H}/a", f"{H}/new", captures="first")


class TestPresumedIndexNames:
    """A folder and the file that servers answer for it with are one page unless the collection contradicts."""

    @pytest.mark.parametrize("name", ["index.html", "index.php", "Default.aspx"])
    def test_menu_that_links_the_file_leads_to_the_captured_folder(self, name: str) -> None:
        web = TinyWeb().page(f"{H}/a/").link(f"{H}/a/{name}")

        assert web.same(f"{H}/a/", f"{H}/a/{name}")

    def test_link_to_the_folder_leads_to_the_captured_file(self) -> None:
        web = TinyWeb().page(f"{H}/a/index.html").link(f"{H}/a/")

        assert web.same(f"{H}/a/", f"{H}/a/index.html")

    @pytest.mark.parametrize("name", ["index.de.html", "index.html.en", "home.html", "index"])
    def test_other_names_need_evidence(self, name: str) -> None:
        web = TinyWeb().page(f"{H}/a/").link(f"{H}/a/{name}")

        assert not web.same(f"{H}/a/", f"{H}/a/{name}")

    def test_two_files_that_differ_stay_two_pages(self) -> None:
        web = TinyWeb().page(f"{H}/a/index.html", "one text").page(f"{H}/a/index.php", "quite another text")

        assert not web.same(f"{H}/a/index.html", f"{H}/a/index.php")


class TestSupportedRules:
    """They hold on a host whose captured pairs support them."""

    PAIRS = (
        ("www", "https://example.org/{}", "https://www.example.org/{}"),
        ("slash", "https://example.org/{}", "https://example.org/{}/"),
        ("slashes", "https://example.org/d/{}", "https://example.org/d//{}"),
        ("index", "https://example.org/{}/", "https://example.org/{}/index.html"),
        ("extension", "https://example.org/{}", "https://example.org/{}.html"),
    )

    ADDRESSES = tuple(pair[1:] for pair in PAIRS)

    @pytest.mark.parametrize(("rule", "one", "other"), PAIRS)
    def test_one_equal_pair_speaks_for_unseen_addresses_of_its_host(self, rule: str, one: str, other: str) -> None:
        web = TinyWeb().page(one.format("a")).page(other.format("a")).link(one.format("b"), other.format("b"))

        found = web.aliases()

        assert found[one.format("a")].page_id == found[other.format("a")].page_id
        assert found[one.format("b")].page_id == found[other.format("b")].page_id
        assert {alias.rules for alias in found.values() if alias.rules} == {(rule,)}

    @pytest.mark.parametrize(("one", "other"), ADDRESSES)
    def test_redirect_from_one_to_the_other_speaks_for_it_too(self, one: str, other: str) -> None:
        web = TinyWeb().page(one.format("a")).redirect(other.format("a"), one.format("a"))
        web.link(one.format("b"), other.format("b"))

        assert web.same(one.format("b"), other.format("b"))

    @pytest.mark.parametrize(("one", "other"), [pair[1:] for pair in PAIRS if pair[0] != "index"])
    def test_nothing_is_guessed_without_any_evidence(self, one: str, other: str) -> None:
        web = TinyWeb().page(one.format("a")).link(other.format("a"))

        assert not web.same(one.format("a"), other.format("a"))

    @pytest.mark.parametrize(("one", "other"), ADDRESSES)
    def test_different_pair_speaks_against_it(self, one: str, other: str) -> None:
        web = TinyWeb().page(one.format("a"), "one text").page(other.format("a"), "quite another text")
        web.page(one.format("c")).page(other.format("c")).link(one.format("b"), other.format("b"))

        assert not web.same(one.format("a"), other.format("a"))
        assert not web.same(one.format("b"), other.format("b"))

    @pytest.mark.parametrize(("one", "other"), ADDRESSES)
    def test_missing_page_speaks_against_it(self, one: str, other: str) -> None:
        web = TinyWeb().page(one.format("a")).missing(other.format("a")).link(one.format("b"), other.format("b"))

        assert not web.same(one.format("a"), other.format("a"))
        assert not web.same(one.format("b"), other.format("b"))

    @pytest.mark.parametrize("status", [304, 403, 429, 503])
    def test_server_that_did_not_answer_speaks_neither_for_nor_against(self, status: int) -> None:
        web = TinyWeb().page(f"{H}/a").missing(f"{H}/a/", status=status).page(f"{H}/b").redirect(f"{H}/b/", "/b")

        assert web.same(f"{H}/a", f"{H}/a/")

    @pytest.mark.parametrize(("rule", "one", "other"), PAIRS)
    def test_rule_can_be_switched_off(self, rule: str, one: str, other: str) -> None:
        web = TinyWeb().page(one.format("a")).redirect(other.format("a"), one.format("a"))
        web.link(one.format("b"), other.format("b"))

        assert not web.same(one.format("b"), other.format("b"), rules=tuple(name for name in RULES if name != rule))

    def test_hosts_without_evidence_follow_when_others_agree(self) -> None:
        web = TinyWeb().link("https://silent.example/b", "https://silent.example/b/")
        for number in range(3):
            web.page(f"https://h{number}.example/a").redirect(f"https://h{number}.example/a/", "/a")

        assert web.same("https://silent.example/b", "https://silent.example/b/")

    def test_hosts_without_evidence_do_not_follow_two_others(self) -> None:
        web = TinyWeb().link("https://silent.example/b", "https://silent.example/b/")
        for number in range(2):
            web.page(f"https://h{number}.example/a").redirect(f"https://h{number}.example/a/", "/a")

        assert not web.same("https://silent.example/b", "https://silent.example/b/")

    def test_one_exception_among_many_is_kept_apart_and_the_rest_is_joined(self) -> None:
        web = TinyWeb().page(f"{H}/x", "a page").page(f"{H}/x/", "a folder of that name").link("http://example.org/x/")
        for number in range(12):
            web.page(f"{H}/{number}", f"text {number}").redirect(f"{H}/{number}/", f"/{number}")

        assert not web.same(f"{H}/x", f"{H}/x/")
        assert web.same(f"{H}/x/", "http://example.org/x/")
        assert web.same(f"{H}/3", f"{H}/3/")

    def test_file_and_folder_of_one_name_are_not_joined_by_two_rules(self) -> None:
        web = TinyWeb().page(f"{H}/a").page(f"{H}/a.html").page(f"{H}/b").page(f"{H}/b/")
        web.page(f"{H}/c.html", "file").link(f"{H}/c/", "http://example.org/c/")

        assert not web.same(f"{H}/c.html", f"{H}/c/")
        assert web.same(f"{H}/c/", "http://example.org/c/")

    def test_www_of_a_public_suffix_is_no_alias_of_it(self) -> None:
        web = TinyWeb().page("https://www.com/").page("https://com/").link("https://www.com/a", "https://com/a")

        assert not web.same("https://www.com/a", "https://com/a")


class TestLearnedNames:
    def test_any_name_served_like_its_folder_is_learned_as_index(self) -> None:
        web = TinyWeb().link(f"{H}/z/", f"{H}/z/accueil.htm")
        for number in range(3):
            web.page(f"{H}/{number}/", f"text {number}").page(f"{H}/{number}/accueil.htm", f"text {number}")

        assert web.same(f"{H}/z/", f"{H}/z/accueil.htm")

    def test_odd_name_needs_more_than_one_folder(self) -> None:
        web = TinyWeb().redirect(f"{H}/", "/home").page(f"{H}/home").link(f"{H}/z/", f"{H}/z/home")

        assert web.same(f"{H}/", f"{H}/home")
        assert not web.same(f"{H}/z/", f"{H}/z/home")

    def test_parameter_that_never_changes_a_page_is_dropped(self) -> None:
        web = TinyWeb().link(f"{H}/z?ref=1", f"{H}/z?ref=2")
        for number in range(3):
            for ref in ("menu", "footer"):
                web.page(f"{H}/{number}?ref={ref}", f"text {number}", links=[f"/z?ref={ref}", f"/{number}"])

        found = web.aliases()

        assert found[f"{H}/z?ref=1"].page_id == found[f"{H}/z?ref=2"].page_id
        assert found[f"{H}/1?ref=menu"].page_id == found[f"{H}/1?ref=footer"].page_id

    def test_parameter_that_changes_some_page_is_kept(self) -> None:
        web = TinyWeb().link(f"{H}/z?id=1", f"{H}/z?id=2")
        for number in range(3):
            for id_ in ("1", "2"):
                web.page(f"{H}/{number}?id={id_}", f"text {number}" + (" and more" if number == id_ == "2" else ""))
        web.page(f"{H}/list?id=1", "first").page(f"{H}/list?id=2", "second, longer")

        assert not web.same(f"{H}/z?id=1", f"{H}/z?id=2")

    def test_pages_of_one_list_look_alike_but_stay_apart(self) -> None:
        """The same title and size, half of the links in common: similar is not enough to drop a parameter."""
        web = TinyWeb()
        for stem in "abc":
            for number in range(4):
                common = [f"/menu{item}" for item in range(10)]
                web.page(
                    f"{H}/{stem}?page={number}",
                    f"results {number}" * 10,
                    title="results",
                    links=[*common, *(f"/{stem}{number}{item}" for item in range(3))],
                    canonical=f"/{stem}",
                )

        assert not web.same(f"{H}/a?page=1", f"{H}/a?page=2")

    def test_error_page_that_is_served_everywhere_teaches_nothing(self) -> None:
        web = TinyWeb().link(f"{H}/z?id=1", f"{H}/z?id=2")
        for stem in "abcd":
            for id_ in "123":
                web.page(f"{H}/{stem}?id={id_}", "not found")

        assert not web.same(f"{H}/z?id=1", f"{H}/z?id=2")

    def test_redirects_to_one_log_in_teach_nothing(self) -> None:
        web = TinyWeb().page(f"{H}/login").link(f"{H}/z?id=1", f"{H}/z?id=2")
        for stem in "abcd":
            for id_ in "123":
                web.redirect(f"{H}/{stem}?id={id_}", "/login", status=302)

        assert not web.same(f"{H}/z?id=1", f"{H}/z?id=2")

    def test_case_is_learned_from_pages_served_under_both(self) -> None:
        web = TinyWeb().link(f"{H}/Z", f"{H}/z")
        for stem in "abc":
            web.page(f"{H}/{stem}", f"text {stem}").page(f"{H}/{stem.upper()}", f"text {stem}")

        assert web.same(f"{H}/Z", f"{H}/z")

    def test_case_matters_otherwise(self) -> None:
        web = TinyWeb().page(f"{H}/A", "text").page(f"{H}/a", "text").link(f"{H}/Z", f"{H}/z")

        assert not web.same(f"{H}/Z", f"{H}/z")


class TestCanonicalLinks:
    def test_canonical_link_to_the_same_page_joins(self) -> None:
        web = TinyWeb().page(f"{H}/print?of=a", "text", canonical="/a").page(f"{H}/a", "text")

        found = web.aliases(rules=("canonical",))

        assert found[f"{H}/print?of=a"].canonical == f"{H}/a"
        assert found[f"{H}/print?of=a"].rules == ("canonical",)

    def test_canonical_link_to_another_page_does_not(self) -> None:
        web = (
            TinyWeb().page(f"{H}/posts/2", "older posts", canonical="/posts").page(f"{H}/posts", "newest posts of all")
        )

        assert not web.same(f"{H}/posts/2", f"{H}/posts")

    def test_canonical_link_to_a_page_that_links_elsewhere_does_not(self) -> None:
        web = TinyWeb().page(f"{H}/v1/a", "text", links=["b"], canonical="/v2/a").page(f"{H}/v2/a", "text", links=["b"])

        assert not web.same(f"{H}/v1/a", f"{H}/v2/a")

    def test_canonical_link_to_what_was_not_captured_does_not(self) -> None:
        assert not TinyWeb().page(f"{H}/a", canonical="/b").same(f"{H}/a", f"{H}/b")

    def test_canonical_links_that_follow_a_rule_speak_for_the_rule(self) -> None:
        web = TinyWeb().page(f"{H}/a/", canonical="/a").link(f"{H}/b", f"{H}/b/")

        assert web.same(f"{H}/a", f"{H}/a/")
        assert web.same(f"{H}/b", f"{H}/b/")


class TestEqualBytes:
    def test_equal_bytes_and_equal_links_are_one_page(self) -> None:
        web = (
            TinyWeb()
            .page(f"{H}/d/smtp", "manual", links=["#x", "a", "/"])
            .page(f"{H}/d/lmtp", "manual", links=["#x", "a", "/"])
        )

        found = web.aliases()

        assert found[f"{H}/d/smtp"].canonical == f"{H}/d/lmtp"
        assert found[f"{H}/d/smtp"].rules == ("bytes",)

    def test_equal_bytes_that_differ_by_query_are_one_page_though_it_links_itself_with_it(self) -> None:
        links = ["?ref=home", "#top", "b"]
        web = TinyWeb().page(f"{H}/a", "text", links=links).page(f"{H}/a?ref=home", "text", links=links)

        assert web.same(f"{H}/a", f"{H}/a?ref=home")

    def test_equal_bytes_whose_links_resolve_differently_are_two(self) -> None:
        web = TinyWeb().page(f"{H}/v1/a", "manual", links=["b"]).page(f"{H}/v2/a", "manual", links=["b"])

        assert not web.same(f"{H}/v1/a", f"{H}/v2/a")

    def test_equal_bytes_without_links_to_compare_are_two(self) -> None:
        web = TinyWeb().page(f"{H}/a", "soon", links=[]).page(f"{H}/b", "soon", links=[])
        web.page(f"{H}/c", "later", links=["#top"]).page(f"{H}/d", "later", links=["#top"])

        assert not web.same(f"{H}/a", f"{H}/b")
        assert not web.same(f"{H}/c", f"{H}/d")

    def test_equal_bytes_on_two_hosts_are_two(self) -> None:
        links = [f"{H}/"]
        web = TinyWeb().page(f"{H}/a", "soon", links=links).page("https://example.com/a", "soon", links=links)

        assert not web.same(f"{H}/a", "https://example.com/a")

    def test_page_shared_by_two_versions_of_a_manual_is_two(self) -> None:
        web = TinyWeb().page(f"{H}/v1/a", "same in both").page(f"{H}/v2/a", "same in both")
        web.page(f"{H}/v1/b", "what the first can do").page(f"{H}/v2/b", "what the second can do, which is more")

        assert not web.same(f"{H}/v1/a", f"{H}/v2/a")


class TestRepresentative:
    def test_captured_page_stands_before_shorter_addresses(self) -> None:
        found = TinyWeb().page(f"{H}/a").link("http://example.org/a").aliases()

        assert found["http://example.org/a"].canonical == f"{H}/a"

    def test_shortest_then_first_in_alphabet(self) -> None:
        found = TinyWeb().link(f"{H}/a?utm_source=b", f"{H}/a?utm_source=a", f"{H}/a?utm_source=cc").aliases()

        assert {alias.canonical for alias in found.values()} == {f"{H}/a?utm_source=a"}

    def test_file_is_told_by_its_bytes(self) -> None:
        same = TinyWeb().file(f"{H}/a.pdf", "x").file("http://example.org/a.pdf", "x")
        other = TinyWeb().file(f"{H}/a.pdf", "x").file("http://example.org/a.pdf", "y")

        assert same.same(f"{H}/a.pdf", "http://example.org/a.pdf")
        assert not other.same(f"{H}/a.pdf", "http://example.org/a.pdf")


def test_changing_page_is_still_one_page_under_two_addresses() -> None:
    """A teaser that changes between two visits does not part http from https."""
    menu = [f"/m{item}" for item in range(12)]
    web = TinyWeb().page(f"{H}/", "news " * 50 + "1", title="News", links=[*menu, "/teaser1"])
    web.page("http://example.org/", "news " * 50 + "22", title="News", links=[*menu, "/teaser2"])

    assert web.same(f"{H}/", "http://example.org/")


def test_session_that_is_handed_on_in_links_does_not_part_pages() -> None:
    web = TinyWeb()
    for session in ("1a2b", "3c4d"):
        for stem in "abc":
            links = [f"/b?s={session}", f"/c?s={session}", "/about"]
            web.page(f"{H}/{stem}?s={session}", f"text {stem}", links=links)

    assert web.same(f"{H}/a?s=1a2b", f"{H}/a?s=3c4d")
    assert not web.same(f"{H}/a?s=1a2b", f"{H}/b?s=1a2b")


@pytest.mark.parametrize(
    "url",
    [
        f"{H}/" + "a;b=c" * 5000,
        f"{H}/?" + "&".join(f"p{number}=1" for number in range(3000)),
        f"{H}/" + "%" * 2000,
        f"{H}/" + "/" * 20000,
        f"{H}/?&&==&",
        f"{H}/;=;;=",
    ],
)
def test_hostile_addresses_are_taken_as_they_are(url: str) -> None:
    found = TinyWeb().page(url).page(f"{H}/a", "other").aliases()

    assert found[url].page_id in {url_id(url)}
