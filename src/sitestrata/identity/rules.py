"""The rules that turn one address into another that may stand for the same page, and their order.

A rule only proposes. Whether a host follows it is decided from the collection (`sitestrata.identity.evidence`) and
written into a `Policy`; `reduce_url` then takes away whatever the policies of the address's host call meaningless, and
two addresses with the same remainder are candidates for one page.

Some rules hold on nearly every server and are applied unless the collection contradicts them (``PRESUMED``); the others
need support first. `loosest` applies every rule at once: it never decides an identity, it only says which addresses
are worth comparing and which links may be the same link.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = [
    "FILE_MARK",
    "FOLDER_MARK",
    "PRESUMED",
    "PRESUMED_INDEX",
    "REDUCTIONS",
    "Policies",
    "Policy",
    "differences",
    "is_conventional_index",
    "is_conventional_parameter",
    "loosest",
    "loosest_path",
    "parameters",
    "reduce_url",
    "resting",
    "scope",
    "variants",
]

# In the order they are applied; later ones see what earlier ones left.
PRESUMED = ("percent", "space", "empty-query", "scheme")
REDUCTIONS = (*PRESUMED, "www", "slashes", "parameter", "index", "extension", "slash", "case")
# Files that servers answer for a folder with unless told otherwise; names with a language in them are not among them,
# because a folder has several of those.
PRESUMED_INDEX = frozenset(
    f"{name}.{ending}"
    for names, endings in (
        (("index", "Index"), "html htm shtml xhtml php php3 php4 php5 phtml asp aspx jsp jspx cfm cgi pl"),
        (("default", "Default"), "html htm asp aspx"),
    )
    for name in names
    for ending in endings.split()
)

_MAX_PARAMETERS = 16  # of one address that are tried one by one; a hostile address holds thousands
FILE_MARK, FOLDER_MARK = "\n.", "\n/"  # no address contains a line break

_URL = re.compile(r"(https?)://([^/?]*)([^?]*)(?:\?(.*))?\Z", re.DOTALL)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")  # RFC 3986, 2.3
_SLASHES = re.compile(r"//+")
_PATH_PARAMETER = re.compile(r";([^/;=]+)=[^/;]*")
_EXTENSION = re.compile(r"(?<=[^/])\.(?:html?|xhtml|shtml|php[3-7]?|phtml|aspx?|jspx?|cfm|cgi|do|pl)\Z", re.IGNORECASE)
# Directory indexes that servers look for by default (Apache DirectoryIndex, nginx index, IIS default documents).
_INDEX = re.compile(r"(?:index|default)(?:\.[A-Za-z0-9]{1,5}){0,2}\Z", re.IGNORECASE)
# Parameters that advertising and analytics services append, and session ids of common platforms, in lower case.
_MARKS = re.compile(
    r"(?:utm_[a-z_]+|mtm_[a-z_]+|pk_[a-z]+|piwik_[a-z]+|matomo_[a-z]+|hsa_[a-z]+|gclid|gclsrc|dclid|wbraid|gbraid|fbclid"
    r"|msclkid|yclid|ymclid|twclid|ttclid|igshid|li_fat_id|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|_openstat|vero_id"
    r"|phpsessid|jsessionid|aspsessionid[a-z]*|cfid|cftoken|sessionid|session_id|oscsid|zenid)\Z"
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What the addresses of one host may lose without changing the page they stand for."""

    rules: frozenset[str] = frozenset()  # of those without a name: scheme, www, ...
    index: frozenset[str] = frozenset()  # last segments that stand for their folder
    extension: frozenset[str] = frozenset()  # endings that may be missing
    dropped: frozenset[str] = frozenset()  # parameters without meaning
    kept: frozenset[str] = frozenset()  # conventional marks that do carry meaning here


@dataclass(frozen=True, slots=True)
class Policies:
    """The policy of every host with evidence of its own, and that of all others."""

    default: Policy = Policy()
    by_scope: dict[str, Policy] = field(default_factory=dict)


def scope(url: str) -> str:
    """Return the host (and port) that evidence about an address is gathered under: without ``www.``."""
    start = url.find("//") + 2
    end = url.find("/", start)
    return _without_www(url[start:] if end < 0 else url[start:end])


def is_conventional_index(name: str) -> bool:
    """Tell whether servers commonly answer for a folder with a file of this name."""
    return _INDEX.match(name) is not None


def is_conventional_parameter(name: str) -> bool:
    """Tell whether a parameter is commonly appended for tracking or sessions."""
    return _MARKS.match(name.lower()) is not None


def parameters(url: str) -> list[str]:
    """List the names of the parameters of an address, of its query and of its path."""
    path, _, query = url.partition("?")
    names = [piece.partition("=")[0] for piece in query.split("&")] if query else []
    if ";" in path:
        names.extend(_PATH_PARAMETER.findall(path))
    return names


def reduce_url(url: str, policies: Policies, pieces: list[tuple[str, str]] | None = None) -> str:
    """Return what is left of an address when its host's policy is applied; note what each rule took in ``pieces``.

    Where a host may leave out both endings and final slashes, "/a.html" and "/a/" leave the same, but no evidence
    says that a file and a folder of one name are one page: the remainder then ends in FILE_MARK or FOLDER_MARK.
    """
    # Called for every address of a collection: plain string operations, nothing made that is not needed.
    start = 8 if url.startswith("https://") else 7
    slash = url.find("/", start)
    if slash < 0:
        return url
    scheme, authority, path = url[: start - 3], url[start:slash], url[slash:]
    mark = path.find("?")
    query = None
    if mark >= 0:
        path, query = path[:mark], path[mark + 1 :]
    bare = _without_www(authority) if authority.startswith("www.") else authority
    policy = policies.by_scope.get(bare, policies.default)
    rules = policy.rules
    noted = [] if pieces is None else pieces
    ending = ""
    if "%" in url and "percent" in rules:
        if pieces is not None:
            noted.extend(("percent", escape) for escape in _needless_escapes(path + (query or "")))
        path, query = _unescape(path), query and _unescape(query)
    if query and "+" in query and "space" in rules:
        noted.extend(("space", piece) for piece in query.split("&") if "+" in piece)
        query = _with_spaces(query)
    if query == "" and "empty-query" in rules:
        noted.append(("empty-query", "?"))
        query = None
    if start == 7 and "scheme" in rules and _has_default_port(authority):
        noted.append(("scheme", scheme))
        scheme = "https"
    if bare is not authority and bare != authority and "www" in rules:
        noted.append(("www", "www."))
        authority = bare
    if "//" in path and "slashes" in rules:
        noted.extend(("slashes", run) for run in _SLASHES.findall(path))
        path = _SLASHES.sub("/", path)
    if (query or ";" in path) and (policy.dropped or "parameter" in rules):
        path, query = _drop(path, query, policy, noted)
    if policy.index:
        name = path[path.rfind("/") + 1 :]
        if name in policy.index:
            noted.append(("index", name))
            path = path[: len(path) - len(name)]
    found = _EXTENSION.search(path) if policy.extension else None
    if found is not None and found.group().lower() in policy.extension:
        noted.append(("extension", found.group()))
        path = path[: found.start()]
        ending = FILE_MARK if "slash" in rules else ""
    if len(path) > 1 and path.endswith("/") and "slash" in rules:
        noted.append(("slash", "/"))
        path = path[:-1]
        ending = FOLDER_MARK if policy.extension else ""
    if "case" in rules and path.lower() != path:
        noted.append(("case", path))
        path = path.lower()
    return _join(scheme, authority, path, query) + ending


def differences(one: str, other: str, policies: Policies) -> tuple[str, ...]:
    """Name the rules that took something else from one address than from the other, in the order of application."""
    left: list[tuple[str, str]] = []
    right: list[tuple[str, str]] = []
    reduce_url(one, policies, left)
    reduce_url(other, policies, right)
    return tuple(
        rule
        for rule in sorted({taken for taken, _ in (*left, *right)}, key=REDUCTIONS.index)
        if [piece for taken, piece in left if taken == rule] != [piece for taken, piece in right if taken == rule]
    )


def resting(url: str, rules: frozenset[str]) -> str:
    """Apply the presumed rules only: the form in which the other rules compare addresses."""
    return reduce_url(url, Policies(Policy(rules & frozenset(PRESUMED))))


def variants(url: str, rules: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (rule, name, other address) for each single rule that changes an address in its resting form."""
    match = _URL.match(url)
    if match is None:
        return
    scheme, authority, path, query = match.groups()
    if "www" in rules and _without_www(authority) != authority:
        yield "www", "", _join(scheme, _without_www(authority), path, query)
    if "slashes" in rules and "//" in path:
        yield "slashes", "", _join(scheme, authority, _SLASHES.sub("/", path), query)
    if "parameter" in rules and (query or ";" in path):
        names = sorted(set(parameters(url)))
        for name in names if len(names) <= _MAX_PARAMETERS else ():
            yield "parameter", name, _join(scheme, authority, *_drop(path, query, Policy(dropped=frozenset([name]))))
    name = path[path.rfind("/") + 1 :]
    if "index" in rules and name:
        yield "index", name, _join(scheme, authority, path[: len(path) - len(name)], query)
    if "extension" in rules:
        ending = _EXTENSION.search(path)
        if ending is not None:
            yield "extension", ending.group().lower(), _join(scheme, authority, path[: ending.start()], query)
    if "slash" in rules and len(path) > 1 and not name:
        yield "slash", "", _join(scheme, authority, path[:-1], query)
    if "case" in rules and path.lower() != path:
        yield "case", "", _join(scheme, authority, path.lower(), query)


def loosest(url: str, own: frozenset[str] = frozenset()) -> str:
    """Return an address without anything that any rule might take, nor the parameters ("name=value") in ``own``."""
    match = _URL.match(url)
    if match is None:
        return url
    _, authority, path, query = match.groups()
    if ";" in path:
        path = _PATH_PARAMETER.sub(lambda found: "" if found.group()[1:] in own else found.group(), path)
        path = _drop(path, None, Policy(rules=frozenset(["parameter"])))[0]
    if query:
        pieces = [piece for piece in query.split("&") if piece not in own]
        query = "&".join(piece for piece in pieces if not is_conventional_parameter(piece.partition("=")[0]))
    return _without_www(authority) + _loose_path(path) + (f"?{_with_spaces(_unescape(query))}" if query else "")


def loosest_path(url: str) -> str:
    """Return the loosest form of an address without its query and path parameters, in lower case."""
    path = url.partition("?")[0].partition("://")[2]
    authority, _, path = path.partition("/")
    return _without_www(authority) + _loose_path(_PATH_PARAMETER.sub("", "/" + path)).lower()


def _loose_path(path: str) -> str:
    if "%" in path:
        path = _unescape(path)
    if "//" in path:
        path = _SLASHES.sub("/", path)
    name = path[path.rfind("/") + 1 :]
    if name and _INDEX.match(name):
        path = path[: len(path) - len(name)]
    return _EXTENSION.sub("", path).rstrip("/")


def _join(scheme: str, authority: str, path: str, query: str | None) -> str:
    return f"{scheme}://{authority}{path}" if query is None else f"{scheme}://{authority}{path}?{query}"


def _without_www(authority: str) -> str:
    # "www.com" is a domain, not the www host of "com".
    return authority[4:] if authority.startswith("www.") and "." in authority[4:] else authority


def _has_default_port(authority: str) -> bool:
    return ":" not in authority.rpartition("@")[2].rpartition("]")[2]


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_unescape_one, text) if "%" in text else text


def _with_spaces(query: str) -> str:
    """Write the spaces of a query in one way: forms send them as "+" (URL Standard, 5.1), links as "%20"."""
    return query.replace("+", "%20")


def _needless_escapes(text: str) -> list[str]:
    return [match.group() for match in _ESCAPE.finditer(text) if _unescape_one(match) != match.group()]


def _unescape_one(match: re.Match[str]) -> str:
    char = chr(int(match.group(1), 16))
    return char if char in _UNRESERVED else match.group().upper()


def _drop(
    path: str, query: str | None, policy: Policy, noted: list[tuple[str, str]] | None = None
) -> tuple[str, str | None]:
    """Take the parameters away that a policy calls meaningless."""
    taken = [] if noted is None else noted

    def is_dropped(name: str) -> bool:
        if name in policy.dropped:
            return True
        return "parameter" in policy.rules and name not in policy.kept and is_conventional_parameter(name)

    if ";" in path:

        def replace(found: re.Match[str]) -> str:
            if not is_dropped(found.group(1)):
                return found.group()
            taken.append(("parameter", found.group()))
            return ""

        path = _PATH_PARAMETER.sub(replace, path)
    if query:
        kept = []
        for piece in query.split("&"):
            if is_dropped(piece.partition("=")[0]):
                taken.append(("parameter", piece))
            else:
                kept.append(piece)
        query = "&".join(kept) or None
    return path, query
