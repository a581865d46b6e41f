"""Do addresses come out as the standards say, and what does our resolver cost on top of bare ada-url?

    python bench/urls.py --suites DIR    counts passed: DIR/whatwg-url/*.json, DIR/publicsuffix/tests/tests.txt
    python bench/urls.py                 speed

The speed part resolves the hrefs of pages that share a menu, as pages of a site do.
"""

import json
from pathlib import Path
from typing import Any

import ada_url
from timing import Contender, arguments, compare, report

from sitestrata.urls import Resolver, normalise, registered_domain_of_host, resolve

PAGES, MENU, OWN = 2_000, 60, 20
PARTS = ("href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--suites", type=Path, help="folder with whatwg-url/ and publicsuffix/")
    options = parser.parse_args()
    if options.suites is not None:
        for line in suites(options.suites):
            print(line)
        return
    report("Resolving the links of pages", speed(options.rounds), record=options.record)


def suites(folder: Path) -> list[str]:
    cases = [case for case in read(folder / "whatwg-url" / "urltestdata.json") if isinstance(case, dict)]
    lines = [count("WHATWG parsing, the library", cases, library_passes)]
    lines.append(count("WHATWG parsing, normalise() and resolve()", cases, ours_passes))
    cases = [
        case for case in read(folder / "whatwg-url" / "urltestdata-javascript-only.json") if isinstance(case, dict)
    ]
    lines.append(count("WHATWG parsing, lone surrogates", cases, ours_passes))
    cases = [case for case in read(folder / "whatwg-url" / "toascii.json") if isinstance(case, dict)]
    lines.append(count("WHATWG hosts (toascii)", cases, host_passes))
    cases = [
        {"input": case["input"], "encoding": encoding, "output": output}
        for case in read(folder / "whatwg-url" / "percent-encoding.json")
        if isinstance(case, dict)
        for encoding, output in case["output"].items()
    ]
    lines.append(count("WHATWG queries in the page's encoding", cases, query_passes))
    vectors = (folder / "publicsuffix" / "tests" / "tests.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in vectors if line and not line.startswith("//")]
    lines.append(count("public suffix vectors", pairs, suffix_passes))
    return lines


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def count(name: str, cases: list[Any], passes: Any) -> str:
    failed = [case for case in cases if not passes(case)]
    names = [str(case["input"] if isinstance(case, dict) else case[0]).encode("unicode_escape") for case in failed]
    shown = f"; failed: {names[:5]}" if failed else ""
    return f"{name}: {len(cases) - len(failed)} of {len(cases)}{shown}"


def library_passes(case: dict[str, Any]) -> bool:
    try:
        url = ada_url.URL(case["input"], case["base"]) if case["base"] else ada_url.URL(case["input"])
    except (ValueError, UnicodeEncodeError):
        return bool(case.get("failure"))
    return not case.get("failure") and all(getattr(url, part) == case[part] for part in PARTS)


def ours_passes(case: dict[str, Any]) -> bool:
    """Expect None for a failure and for what is no http address; else address and fragment."""
    got = resolve(case["input"], case["base"] or None)
    if case.get("failure") or case["protocol"] not in ("http:", "https:"):
        return got is None
    address, mark, fragment = case["href"].partition("#")
    return got == (address, fragment if mark else None) and normalise(address) == address


def host_passes(case: dict[str, Any]) -> bool:
    got = normalise(f"https://{case['input']}/x")
    return got == (None if case["output"] is None else f"https://{case['output']}/x")


def query_passes(case: dict[str, Any]) -> bool:
    got = resolve(f"https://example.org/?{case['input']}", encoding=case["encoding"])
    return got is not None and got[0] == f"https://example.org/?{case['output']}"


def suffix_passes(pair: list[str]) -> bool:
    name, expected = (None if text == "null" else text for text in pair)
    if name is None:
        return expected is None and registered_domain_of_host("") is None
    address = normalise(f"http://{name}/")  # a host as our addresses hold it: lower case, punycode
    host = "" if address is None else address[7:-1]
    wanted = None if expected is None else (normalise(f"http://{expected}/") or "")[7:-1]
    return registered_domain_of_host(host) == wanted


def speed(rounds: int) -> Any:
    menu = [f"../section{number}/index.html" for number in range(MENU)]
    pages = [
        (
            f"https://example.org/part{page // 50}/page{page}.html",
            menu + [f"item{page}-{n}.html#top" for n in range(OWN)],
        )
        for page in range(PAGES)
    ]

    def bare() -> int:
        return sum(len({ada_url.join_url(base, href) for href in hrefs}) for base, hrefs in pages)

    def ours() -> int:
        resolver = Resolver()
        return sum(len({answer for answer in resolver.resolve_all(hrefs, base) if answer}) for base, hrefs in pages)

    return compare(
        [Contender("Resolver.resolve_all", ours, answer=int), Contender("ada_url.join_url", bare, answer=int)],
        rounds=rounds,
    )


if __name__ == "__main__":
    main()
