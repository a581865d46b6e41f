"""What must hold for any text that stands where an address is expected."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sitestrata import urls

# Pieces that steer the parser into its corners, mixed with anything at all, surrogates included.
PIECES = [
    "http:",
    "https:",
    "//",
    "/",
    "\\",
    "?",
    "#",
    ".",
    "..",
    "%2e",
    ":",
    "@",
    "[",
    "]",
    "a",
    "example.org",
    " ",
    "\t",
    "\n",
    "\0",
    "é",
]
TEXT = st.lists(st.one_of(st.sampled_from(PIECES), st.text(st.characters(), max_size=3)), max_size=8).map("".join)
PATH = st.lists(st.sampled_from(["/", "a", "b", "..", ".", "?q", "é"]), max_size=6).map("".join)
BASE = PATH.map(lambda path: urls.normalise("http://example.org/" + path) or "http://example.org/")


@settings(deadline=None)
@given(TEXT, st.none() | BASE | TEXT)
def test_normalise_is_idempotent_and_never_raises(href: str, base: str | None) -> None:
    address = urls.normalise(href, base)

    if address is not None:
        assert address.startswith(("http://", "https://"))
        assert "#" not in address
        assert address.isascii()
        assert urls.normalise(address) == address
        assert urls.host(address)
        assert urls.folder(address).startswith(urls.origin(address))


@settings(deadline=None)
@given(TEXT)
def test_parts_of_any_text_never_raise(text: str) -> None:
    assert -(2**63) <= urls.url_id(text) < 2**63
    urls.host(text), urls.origin(text), urls.folder(text), urls.surt(text), urls.tokens(text)
    urls.registered_domain(text)
    urls.is_within(text, text)


@settings(deadline=None)
@given(st.lists(BASE, max_size=5), st.lists(TEXT | PATH, max_size=8))
def test_resolver_answers_as_if_it_remembered_nothing(bases: list[str], hrefs: list[str]) -> None:
    resolver = urls.Resolver()

    for base in bases:
        expected = [urls.resolve(href, base) for href in hrefs]

        assert expected == [answer and answer[1:] for answer in resolver.resolve_all(hrefs, base)]
