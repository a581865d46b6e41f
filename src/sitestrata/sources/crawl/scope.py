"""Which addresses belong to a crawl."""

import re
from pathlib import Path

from sitestrata import urls
from sitestrata.errors import UsageError
from sitestrata.sources.crawl.options import CrawlOptions

__all__ = ["Scope", "read_surts"]


class Scope:
    """Decides from the address alone; the scheme never matters."""

    def __init__(self, options: CrawlOptions) -> None:
        self._kind = "surt" if options.surts else options.scope
        if self._kind not in ("host", "domain", "prefix", "any", "surt"):
            raise UsageError(f"unknown scope {options.scope!r}: host, domain, prefix, any, or a file of SURT prefixes")
        self._include = [_pattern(text) for text in options.include]
        self._exclude = [_pattern(text) for text in options.exclude]
        self._allowed: set[str] = set()
        self._prefixes = tuple(text for text in options.surts if not text.startswith("-"))
        self._except = tuple(text[1:] for text in options.surts if text.startswith("-"))

    def add_seed(self, url: str) -> None:
        """Let what an address stands for (its host, domain or folder) belong to the crawl."""
        if self._kind == "host":
            self._allowed.add(urls.host(url))
        elif self._kind == "domain":
            self._allowed.add(urls.registered_domain(url))
        elif self._kind == "prefix":
            self._allowed.add(urls.surt(urls.folder(url)))
            self._prefixes = tuple(sorted(self._allowed))

    def holds(self, url: str) -> bool:
        """Tell whether an address belongs to the crawl."""
        return self._is_inside(url) and self.passes(url)

    def passes(self, url: str) -> bool:
        """Tell whether the include and exclude patterns let an address through."""
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return False
        return not any(pattern.search(url) for pattern in self._exclude)

    def _is_inside(self, url: str) -> bool:
        if self._kind == "any":
            return True
        if self._kind == "host":
            return urls.host(url) in self._allowed
        if self._kind == "domain":
            return urls.registered_domain(url) in self._allowed
        surt = urls.surt(url)
        return surt.startswith(self._prefixes) and not (self._except and surt.startswith(self._except))


def read_surts(path: Path) -> tuple[str, ...]:
    """Read a file of SURT prefixes as Heritrix does: ``http://(org,example,`` or ``org,example)/docs``; - takes out.

    A line that is a plain URL stands for its folder; lines that begin with # are comments.
    """
    surts: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        sign = "-" if text.startswith("-") else ""
        text = text.lstrip("+-").strip()
        if "(" not in text and "://" in text:
            url = urls.normalise(text)
            if url is None:
                raise UsageError(f"{path}: {text!r} is neither a SURT prefix nor an http address")
            text = urls.surt(urls.folder(url))
        else:
            text = text.partition("://(")[2] if "://(" in text else text.lstrip("(")
        surts.append(sign + text)
    if not surts:
        raise UsageError(f"{path} holds no SURT prefix")
    return tuple(surts)


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(f"{text!r} is not a regular expression: {error}") from error
