"""The frontier: every address a crawl knows, in SQLite, so that it survives kill -9.

An address is *wanted* (by priority), *under way*, *done* (with the place of its record in the WARC) or *aside* (known
but not to be fetched, with the reason). One transaction moves one page from under way to done, together with the
links found on it, the end of the WARC as written, and what the trap detector learned: after a crash either all of it
holds or none.

Order of writes: the WARC bytes reach the operating system before the transaction commits. A killed process therefore
never leaves a committed page without its record; bytes beyond the committed end are cut off on resume. Against power
loss the WARC is synced every few seconds (`mark_synced`); on resume records behind the last sync are read back and
their pages return to wanted if they did not survive (`WarcOut.recover`).
"""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sitestrata import urls
from sitestrata.errors import FormatError

__all__ = ["ASIDE", "DONE", "UNDER_WAY", "WANTED", "Done", "Frontier", "Wanted"]

WANTED, UNDER_WAY, DONE, ASIDE = range(4)
FORMAT = "1"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hosts (host INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS pages (
    url_id INTEGER PRIMARY KEY, url TEXT NOT NULL, host INTEGER NOT NULL, state INTEGER NOT NULL,
    priority REAL NOT NULL, seq INTEGER NOT NULL, depth INTEGER NOT NULL, hops INTEGER NOT NULL,
    kind TEXT NOT NULL, parent_key INTEGER NOT NULL, chain INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, outcome TEXT, status INTEGER, fetched_at TEXT,
    serial INTEGER, offset INTEGER, length INTEGER, record_type TEXT, media_type TEXT, digest TEXT, size INTEGER,
    location TEXT
);
CREATE INDEX IF NOT EXISTS pages_wanted ON pages (host, priority, seq) WHERE state = 0;
CREATE INDEX IF NOT EXISTS pages_under_way ON pages (state) WHERE state = 1;
CREATE TABLE IF NOT EXISTS robots (origin TEXT PRIMARY KEY, fetched_at REAL, status INTEGER, body BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS payloads (
    digest TEXT PRIMARY KEY, url TEXT NOT NULL, fetched_at TEXT NOT NULL, record_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS trap_groups (
    key INTEGER NOT NULL, kind INTEGER NOT NULL, fetched INTEGER NOT NULL, barren INTEGER NOT NULL,
    is_closed INTEGER NOT NULL, seen BLOB NOT NULL, PRIMARY KEY (key, kind)
) WITHOUT ROWID;
"""
_INSERT = (
    "INSERT OR IGNORE INTO pages (url_id, url, host, state, priority, seq, depth, hops, kind, parent_key, chain) "
    "VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """An address to be fetched."""

    url_id: int
    url: str
    host: int
    priority: float  # smaller is sooner
    seq: int
    depth: int
    hops: int  # redirects that led here
    kind: str  # page, seed, sitemap
    parent_key: int = 0  # content of the page that links here (traps.content_key)
    chain: int = 0  # pages in a row, up to that one, with this content
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """How the fetch of an address ended, and where its record lies."""

    outcome: str  # ok, redirect, status, error, ...
    status: int = 0
    fetched_at: str | None = None
    serial: int | None = None  # of the WARC file
    offset: int | None = None
    length: int | None = None
    record_type: str | None = None
    media_type: str | None = None
    digest: str | None = None
    size: int = 0
    location: str | None = None  # where a redirect leads


class Frontier:
    """The one writer of a crawl's state."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, cached_statements=64)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA cache_size = -32000")
        self._db.executescript(_SCHEMA)
        found = self.get("format")
        if found is None:
            self.put("format", FORMAT)
        elif found != FORMAT:
            raise FormatError(f"{path} was written by frontier format {found}; this release reads {FORMAT}")
        self._hosts: dict[str, int] = {name: key for key, name in self._db.execute("SELECT host, name FROM hosts")}
        self._seq: int = self._db.execute("SELECT coalesce(max(seq), 0) FROM pages").fetchone()[0]
        self._is_open = False

    def close(self) -> None:
        """Commit and close; the write-ahead log is folded into the file."""
        self.commit()
        self._db.close()

    # -- transactions

    def begin(self) -> None:
        """Open a transaction unless one is open."""
        if not self._is_open:
            self._db.execute("BEGIN IMMEDIATE")
            self._is_open = True

    def commit(self) -> None:
        """Make everything since `begin` hold."""
        if self._is_open:
            self._db.execute("COMMIT")
            self._is_open = False

    # -- small facts

    def get(self, key: str) -> Any:
        """Return a fact about the crawl, or None."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    def put(self, key: str, value: Any) -> None:
        """Remember a fact about the crawl."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def counts(self) -> dict[str, int]:
        """Return how many addresses are in each state and how each fetch ended."""
        rows = self._db.execute("SELECT state, outcome, count(*) FROM pages GROUP BY state, outcome")
        names = {WANTED: "wanted", UNDER_WAY: "under way"}
        counts: dict[str, int] = {}
        for state, outcome, count in rows:
            key = names.get(state) or outcome or "aside"
            counts[key] = counts.get(key, 0) + count
        return counts

    # -- addresses

    def host_key(self, name: str) -> int:
        """Return the key of a host name."""
        key = self._hosts.get(name)
        if key is None:
            self.begin()
            key = int(self._db.execute("INSERT INTO hosts (name) VALUES (?)", (name,)).lastrowid or 0)
            self._hosts[name] = key
        return key

    def host_names(self) -> dict[int, str]:
        """Return every host by key."""
        return {key: name for name, key in self._hosts.items()}

    def want(
        self,
        url: str,
        *,
        priority: float,
        depth: int,
        hops: int = 0,
        kind: str = "page",
        parent_key: int = 0,
        chain: int = 0,
    ) -> tuple[Wanted, bool] | None:
        """Add an address; return it and whether it is new, or None if it was known and has not become more urgent."""
        self.begin()
        key = urls.url_id(url)
        host = self.host_key(urls.host(url))
        self._seq += 1
        wanted = Wanted(key, url, host, priority, self._seq, depth, hops, kind, parent_key, chain)
        row = (key, url, host, priority, self._seq, depth, hops, kind, parent_key, chain)
        if self._db.execute(_INSERT, row).rowcount:
            return wanted, True
        known = self._db.execute(
            "SELECT state, priority, depth, outcome FROM pages WHERE url_id = ?", (key,)
        ).fetchone()
        if known[0] == WANTED and priority < known[1]:
            self._db.execute(
                "UPDATE pages SET priority = ?, seq = ?, depth = min(depth, ?) WHERE url_id = ?",
                (priority, self._seq, depth, key),
            )
            return wanted, False
        if known[0] == ASIDE and known[3] == "too deep" and depth < known[2]:
            self._db.execute(
                "UPDATE pages SET state = 0, outcome = NULL, priority = ?, seq = ?, depth = ? WHERE url_id = ?",
                (priority, self._seq, depth, key),
            )
            return wanted, True
        return None

    def put_aside(self, url: str, reason: str, *, depth: int) -> None:
        """Remember an address that is not to be fetched, unless it is known."""
        self.begin()
        self._seq += 1
        self._db.execute(
            "INSERT OR IGNORE INTO pages (url_id, url, host, state, priority, seq, depth, hops, kind, parent_key, "
            "chain, outcome) VALUES (?, ?, ?, 3, 0, ?, ?, 0, 'page', 0, 0, ?)",
            (urls.url_id(url), url, self.host_key(urls.host(url)), self._seq, depth, reason),
        )

    def heads(self, host: int, limit: int) -> list[Wanted]:
        """Return the first wanted addresses of a host."""
        rows = self._db.execute(
            "SELECT url_id, url, host, priority, seq, depth, hops, kind, parent_key, chain, attempts FROM pages "
            "WHERE state = 0 AND host = ? ORDER BY priority, seq LIMIT ?",
            (host, limit),
        )
        return [Wanted(*row) for row in rows]

    def wanted_counts(self) -> dict[int, int]:
        """Return how many addresses are wanted, by host."""
        return dict(self._db.execute("SELECT host, count(*) FROM pages WHERE state = 0 GROUP BY host"))

    def is_known(self, url: str) -> bool:
        """Tell whether an address is in the frontier in any state."""
        return self._db.execute("SELECT 1 FROM pages WHERE url_id = ?", (urls.url_id(url),)).fetchone() is not None

    def done(self, url: str) -> tuple[Done, int] | None:
        """Return how a fetch ended and its depth, if it has."""
        row = self._db.execute(
            "SELECT outcome, status, fetched_at, serial, offset, length, record_type, media_type, digest, size, "
            "location, depth "
            "FROM pages WHERE url_id = ? AND state IN (2, 3)",
            (urls.url_id(url),),
        ).fetchone()
        return None if row is None else (Done(*row[:-1]), row[-1])

    def take(self, url_id: int) -> None:
        """Move an address from wanted to under way."""
        self.begin()
        self._db.execute("UPDATE pages SET state = 1 WHERE url_id = ?", (url_id,))

    def finish(self, url_id: int, done: Done) -> None:
        """Move an address to done."""
        self.begin()
        self._db.execute(
            "UPDATE pages SET state = 2, outcome = ?, status = ?, fetched_at = ?, serial = ?, offset = ?, length = ?, "
            "record_type = ?, media_type = ?, digest = ?, size = ?, location = ? WHERE url_id = ?",
            (
                done.outcome,
                done.status,
                done.fetched_at,
                done.serial,
                done.offset,
                done.length,
                done.record_type,
                done.media_type,
                done.digest,
                done.size,
                done.location,
                url_id,
            ),
        )

    def lay_aside(self, url_id: int, reason: str) -> None:
        """Move an address to aside."""
        self.begin()
        self._db.execute("UPDATE pages SET state = 3, outcome = ? WHERE url_id = ?", (reason, url_id))

    def retry(self, wanted: Wanted) -> Wanted:
        """Move an address back to wanted after a try that failed, behind its equals."""
        self.begin()
        self._seq += 1
        self._db.execute(
            "UPDATE pages SET state = 0, attempts = attempts + 1, seq = ? WHERE url_id = ?", (self._seq, wanted.url_id)
        )
        return replace(wanted, seq=self._seq, attempts=wanted.attempts + 1)

    def reopen(self) -> None:
        """After a stop: what was under way, or held back for a passing reason, is wanted again."""
        self.begin()
        self._db.execute("UPDATE pages SET state = 0 WHERE state = 1")
        self._db.execute(
            "UPDATE pages SET state = 0, outcome = NULL WHERE state = 3 AND outcome = 'robots unreachable'"
        )
        self.commit()

    # -- records

    def payload(self, digest: str) -> tuple[str, str, str] | None:
        """Return URL, date and record id of the first record with a payload."""
        row = self._db.execute("SELECT url, fetched_at, record_id FROM payloads WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def remember_payload(self, digest: str, url: str, fetched_at: str, record_id: str) -> None:
        """Remember the first record with a payload."""
        self._db.execute("INSERT OR IGNORE INTO payloads VALUES (?, ?, ?, ?)", (digest, url, fetched_at, record_id))

    def records(self) -> Iterator[tuple[str, Done]]:
        """Return every page that has a record, by file and place."""
        rows = self._db.execute(
            "SELECT url, outcome, status, fetched_at, serial, offset, length, record_type, media_type, digest, size, "
            "location FROM pages WHERE state = 2 AND serial IS NOT NULL ORDER BY serial, offset"
        )
        for url, *rest in rows:
            yield url, Done(*rest)

    def forget_records_from(self, serial: int, offset: int) -> int:
        """Return pages to wanted whose record lies at or behind a place; tell how many."""
        self.begin()
        behind = "serial > ? OR (serial = ? AND offset >= ?)"
        lost = self._db.execute(
            f"UPDATE pages SET state = 0, serial = NULL WHERE state = 2 AND ({behind})",  # noqa: S608 - constant
            (serial, serial, offset),
        ).rowcount
        if lost:
            self._db.execute("DELETE FROM payloads")  # may refer to a lost record; later copies are kept whole
        self.commit()
        return int(lost)

    def rejects(self) -> Iterator[tuple[str, str]]:
        """Return address and reason of what was not fetched, or not with success."""
        yield from self._db.execute(
            "SELECT url, coalesce(outcome, 'aside') FROM pages WHERE state = 3 OR (state = 2 AND outcome = 'error') "
            "ORDER BY url_id"
        )

    # -- robots.txt

    def robots(self, origin: str) -> tuple[float, int, bytes] | None:
        """Return when a robots.txt was fetched, with which status, and what it said."""
        row = self._db.execute("SELECT fetched_at, status, body FROM robots WHERE origin = ?", (origin,)).fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def remember_robots(self, origin: str, fetched_at: float, status: int, body: bytes) -> None:
        """Keep a robots.txt."""
        self.begin()
        self._db.execute("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)", (origin, fetched_at, status, body))

    # -- traps

    def trap_groups(self) -> Iterable[tuple[int, int, int, int, int, bytes]]:
        """Return every group of addresses that the trap detector watches."""
        return self._db.execute("SELECT key, kind, fetched, barren, is_closed, seen FROM trap_groups")

    def put_trap_group(self, row: tuple[int, int, int, int, int, bytes]) -> None:
        """Keep one group of the trap detector."""
        self.begin()
        self._db.execute("INSERT OR REPLACE INTO trap_groups VALUES (?, ?, ?, ?, ?, ?)", row)
