"""Is every crawl read completely, and every damage noticed?

    python bench/sources.py --corpora $CORPORA --suites $SUITES

Four questions, each answered by counts that somebody else's file or program decides:

* corpora: every record that FastWARC sees is a capture or a reject for a bad address, bodies come back, and the HTML
  answers are the rows of ``truth.tsv``;
* suites: on each sample archive, our captures are what warcio reads, or a reject says why not; encoded bodies unpack to
  the same page; bombs are stopped; archives that try to escape are refused;
* damage: a slice of a real WARC is cut at 104 places and has 300 single bits flipped, and for each: is there a reject,
  and are all records that the damage does not touch recovered?
* speed: one pass of indexing beside FastWARC (interleaved, ratios).
"""

import csv
import io
import random
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from provenance import commit, machine, own_command
from timing import Contender, arguments, compare, report

from sitestrata.model import Capture, Reject, table_from_records
from sitestrata.sources import (
    Limits,
    Source,
    captures_of,
    choose_captures,
    find_sources,
    index_source,
    read_bodies,
    read_jobs,
    resolve_revisits,
)
from sitestrata.sources.codings import TooLargeError, UnknownCodingError, undo_codings

CUTS = 104
FLIPS = 300
SEED = 20261116
SLICE = 2_000_000  # bytes of a corpus WARC that are damaged
PARTS = ("corpora", "suites", "damage", "speed")
ARCHIVES = ("warcio-data", "jwarc-resources", "iipc-warc-samples", "pywb-sample_archive", "commoncrawl", "stormcrawler")


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--corpora", type=Path, help="folder of corpora, each with WARCs and perhaps truth.tsv")
    parser.add_argument("--suites", type=Path, help="folder of sample archives")
    parser.add_argument("--slice", type=int, default=SLICE, help="bytes of a WARC that are damaged")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="which questions to answer")
    options = parser.parse_args()
    print(f"{own_command()}\ncommit {commit()}; {machine()}")
    is_good = True
    if options.corpora and "corpora" in options.only:
        is_good &= check_corpora(options.corpora)
    if options.suites and "suites" in options.only:
        is_good &= check_suites(options.suites)
    if options.corpora:
        warcs = sorted(options.corpora.rglob("*.warc.gz"), key=lambda path: -path.stat().st_size)
        if "damage" in options.only:
            for path in warcs[:2]:
                is_good &= check_damage(path, options.slice)
        if "speed" in options.only:
            measure_speed(warcs[0], options.rounds, options.record)
    return 0 if is_good else 1


# --- corpora


def check_corpora(corpora: Path) -> bool:
    is_good = True
    for folder in sorted({path.parent for path in corpora.rglob("*.warc.gz")}):
        sources = find_sources([str(path) for path in sorted(folder.glob("*.warc.gz"))])
        captures, rejects = index(sources)
        table, unresolved = resolve_revisits(table_from_records("captures", captures))
        chosen = choose_captures(table)
        bodies = sum(isinstance(item, tuple) for item in read(sources, chosen))
        pages = {c.url for c in captures if c.is_html and c.status == 200 and c.record_type != "revisit"}
        line = (
            f"{folder.relative_to(corpora)}: {len(captures)} captures, {len(rejects)} rejects, "
            f"{len(unresolved)} revisits unresolved, {chosen.num_rows} pages chosen, {bodies} bodies read back"
        )
        seen = sum(as_fastwarc_counts(folder).values())
        line += f"; records that FastWARC sees: {seen}"
        is_bad_url = all(reject.reason == "bad-url" for reject in rejects)
        is_complete = len(captures) + len(rejects) == seen and is_bad_url
        is_good &= is_complete and not unresolved and bodies == chosen.num_rows
        truth = folder / "truth.tsv"
        if truth.exists():
            with truth.open(encoding="utf-8", newline="") as file:
                rows = {row["url"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
            line += f"; HTML answered with 200: {len(pages)}, in truth.tsv: {len(rows)}, in both: {len(pages & rows)}"
            is_good &= pages == rows
        print(line)
    return is_good


def as_fastwarc_counts(folder: Path) -> Counter[str]:
    from fastwarc.warc import ArchiveIterator

    counts: Counter[str] = Counter()
    for path in folder.glob("*.warc.gz"):
        with path.open("rb") as file:
            counts.update(record.headers.get("WARC-Type") for record in ArchiveIterator(file, parse_http=False))
    return Counter({kind: counts[kind] for kind in ("response", "resource", "revisit")})


def index(sources: list[Source]) -> tuple[list[Capture], list[Reject]]:
    rows = [row for source in sources for row in index_source(source)]
    return [row for row in rows if isinstance(row, Capture)], [row for row in rows if isinstance(row, Reject)]


def read(sources: list[Source], chosen: Any) -> Iterator[tuple[Capture, bytes] | Reject]:
    for source, rows in read_jobs(sources, chosen):
        yield from read_bodies(source, captures_of(rows))


# --- suites


def check_suites(suites: Path) -> bool:
    is_good = True
    for name in ARCHIVES:
        if (suites / name).is_dir():
            is_good &= check_archives(suites / name)
    if (suites / "scrapy-compressed").is_dir():
        is_good &= check_codings(suites / "scrapy-compressed")
    if (suites / "zip-slip").is_dir():
        is_good &= check_escapes(suites / "zip-slip")
    return is_good


def check_archives(folder: Path) -> bool:
    """Compare with warcio, record by record, on every archive of a suite."""
    passed, total, records = 0, 0, 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or not any(mark in path.name for mark in (".warc", ".arc", ".wacz")):
            continue
        total += 1
        sources = find_sources([str(path)])
        captures, rejects = index(sources)
        ours = Counter((c.url, c.status) for c in captures)
        bodies = [item for s in sources if s.kind != "unusable" for item in read_bodies(s, _held(captures, s))]
        theirs = Counter() if path.suffix == ".wacz" else as_warcio_reads(path)
        missing = theirs - ours
        is_same = not missing or bool(rejects)
        is_back = not any(isinstance(item, Reject) for item in bodies)
        records += sum(ours.values())
        passed += is_same and is_back
        notes = Counter(reject.reason for reject in rejects)
        if notes or missing or not is_back:
            told = ", ".join(f"{count} {reason}" for reason, count in sorted(notes.items())) or "nothing"
            more = sum(missing.values())
            print(f"    {path.name}: {sum(ours.values())} captures; warcio has {more} more; reported: {told}")
    print(
        f"{folder.name}: {passed} of {total} archives as warcio reads them, or with a reject that says why; "
        f"{records} captures"
    )
    return passed == total


def _held(captures: list[Capture], source: Source) -> list[Capture]:
    return [c for c in captures if c.source == source.name and c.digest]


def as_warcio_reads(path: Path) -> Counter[tuple[str, int]]:
    from warcio.archiveiterator import ArchiveIterator

    from sitestrata.urls import normalise

    found: Counter[tuple[str, int]] = Counter()
    sys.stderr, kept = io.StringIO(), sys.stderr
    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, arc2warc=True):
                url = normalise(record.rec_headers.get_header("WARC-Target-URI") or "")
                if record.rec_type in ("response", "resource") and url is not None:
                    status = record.http_headers.get_statuscode() if record.http_headers else "200"
                    found[url, int(status) if status.isdigit() else 0] += 1
    except Exception:  # how far it gets is what is asked
        pass
    finally:
        sys.stderr = kept
    return found


def check_codings(folder: Path) -> bool:
    cases = {
        "html-br.bin": [b"br"],
        "html-gzip.bin": [b"gzip"],
        "html-rawdeflate.bin": [b"deflate"],
        "html-zlibdeflate.bin": [b"deflate"],
        "html-gzip-deflate.bin": [b"gzip", b"deflate"],
        "html-gzip-deflate-gzip.bin": [b"gzip", b"deflate", b"gzip"],
        "html-zstd-static-content-size.bin": [b"zstd"],
        "html-zstd-static-no-content-size.bin": [b"zstd"],
        "html-zstd-streaming-no-content-size.bin": [b"zstd"],
    }
    passed, total = 0, 0
    for name, codings in cases.items():
        total += 1
        raw = (folder / name).read_bytes()
        body, is_whole = undo_codings(raw, codings, limit=1 << 24, max_codings=5)
        passed += is_whole and body.startswith(b"<!DOCTYPE HTML>") and body == plainly_decoded(raw, codings)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name, coding in (
        ("bomb-br.bin", b"br"),
        ("bomb-deflate.bin", b"deflate"),
        ("bomb-gzip.bin", b"gzip"),
        ("bomb-zstd.bin", b"zstd"),
    ):
        total += 1
        try:
            undo_codings((folder / name).read_bytes(), [coding], limit=1 << 20, max_codings=5)
        except (TooLargeError, UnknownCodingError):
            passed += 1
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    total += 1
    body, is_whole = undo_codings((folder / "unexpected-eof.gz").read_bytes(), [b"gzip"], limit=1 << 24, max_codings=5)
    text = (folder / "unexpected-eof-output.txt").read_text(encoding="utf-8")
    passed += not is_whole and body.decode("cp1252", "replace") == text
    for name in ("truncated-crc-error.gz", "truncated-crc-error-short.gz"):
        total += 1
        body, is_whole = undo_codings((folder / name).read_bytes(), [b"gzip"], limit=1 << 24, max_codings=5)
        passed += not is_whole and len(body) > 0
    print(f"{folder.name}: {passed} of {total} bodies; peak memory grew by {grown} KiB over four bombs")
    return passed == total


def plainly_decoded(raw: bytes, codings: list[bytes]) -> bytes:
    """Decode with the one-shot functions of other libraries."""
    import zlib

    import brotli
    import zstandard

    for coding in reversed(codings):
        if coding == b"br":
            raw = brotli.decompress(raw)
        elif coding == b"zstd":
            raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
        elif coding == b"deflate" and raw[0] & 15 != 8:
            raw = zlib.decompress(raw, -15)
        else:
            raw = zlib.decompress(raw, 47)
    return raw


def check_escapes(folder: Path) -> bool:
    passed, total = 0, 0
    for path in sorted(folder.iterdir()):
        if path.suffix in (".zip", ".tar"):
            total += 1
            captures, rejects = index(find_sources([str(path)]))
            wanted = "unsafe-member" if path.suffix == ".zip" else "unknown-type"
            passed += not captures and any(reject.reason == wanted for reject in rejects)
    print(f"{folder.name}: {passed} of {total} archives refused")
    return passed == total


# --- damage


def check_damage(path: Path, size: int) -> bool:
    """Cut and flip a slice of a WARC that ends with a record."""
    (source,) = find_sources([str(path)])
    offsets = []
    end = 0
    for row in index_source(source, Limits()):
        assert isinstance(row, Capture)
        if row.offset + row.length > size:
            break
        offsets.append(row.offset)
        end = row.offset + row.length
    with path.open("rb") as file:
        whole = file.read(end)
    generator = random.Random(SEED)
    inner = [position for position in range(1, end) if position not in set(offsets)]
    cuts = sorted(generator.sample(inner, CUTS))
    flips = sorted(generator.sample(range(end * 8), FLIPS))
    print(f"{path.parent.name}/{path.name}, first {end} bytes, {len(offsets)} captures:")
    is_good = True
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / path.name
        target.write_bytes(whole)
        before = as_rows(target)
        for name, damages in (("cuts", cuts), ("flips", flips)):
            reported, recovered, unseen = 0, 0, []
            for damage in damages:
                if name == "cuts":
                    target.write_bytes(whole[:damage])
                    hit = range(damage, end)
                else:
                    spoilt = bytearray(whole)
                    spoilt[damage // 8] ^= 1 << damage % 8
                    target.write_bytes(spoilt)
                    hit = range(damage // 8, damage // 8 + 1)
                after = as_rows(target)
                expected = {row for row in before if not touches(row, hit)}
                lost = expected - after
                has_report = None in after
                recovered += not lost and after - {None} <= before
                reported += has_report
                if not has_report:
                    unseen.append((damage, after == before))
            harmless = sum(is_same for _, is_same in unseen)
            print(
                f"    {len(damages)} {name}: {reported} reported, {harmless} unseen with every record unchanged, "
                f"{len(unseen) - harmless} unseen with damage; all other records recovered in {recovered}"
            )
            is_good &= len(unseen) == harmless and recovered == len(damages)
    return is_good


Row = tuple[str, int, int, str] | None


def as_rows(path: Path) -> set[Row]:
    """Return what is read from a file; None among it stands for a reject."""
    rows: set[Row] = set()
    for source in find_sources([str(path)]):
        for row in index_source(source):
            rows.add((row.url, row.offset, row.length, row.digest) if isinstance(row, Capture) else None)
    return rows


def touches(row: Row, hit: range) -> bool:
    return row is not None and row[1] < hit.stop and hit.start < row[1] + row[2]


# --- speed


def measure_speed(path: Path, rounds: int, record: Path | None) -> None:
    def ours() -> int:
        (source,) = find_sources([str(path)])
        return sum(isinstance(row, Capture) for row in index_source(source))

    def fastwarc(*, digests: bool, hashes: bool = False) -> int:
        from fastwarc.warc import ArchiveIterator, WarcRecordType

        kinds = WarcRecordType.response | WarcRecordType.revisit | WarcRecordType.resource
        count = 0
        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=True, record_types=kinds):
                if digests:
                    record.verify_block_digest()
                body = record.reader.read()
                if hashes:
                    blake2b(body, digest_size=16).hexdigest()
                count += 1
        return count

    def warcio() -> int:
        from warcio.archiveiterator import ArchiveIterator

        count = 0
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests=True):
                if record.rec_type in ("response", "revisit", "resource"):
                    record.content_stream().read()
                    count += 1
        return count

    contenders = [
        Contender("index_source (checks everything, hashes, sniffs)", ours, answer=int),
        Contender(
            "FastWARC, block digests verified, bodies hashed", lambda: fastwarc(digests=True, hashes=True), answer=int
        ),
        Contender("FastWARC, block digests verified", lambda: fastwarc(digests=True), answer=int),
        Contender("warcio, digests verified", warcio, answer=int),
        Contender("FastWARC", lambda: fastwarc(digests=False), answer=int),
    ]
    outcome = compare(contenders, against="FastWARC", rounds=rounds, quiet=True)
    notes = "Ours unpacks, checks CRC and block digest, decodes, hashes (BLAKE2b) and sniffs; FastWARC reads."
    report("How fast is one pass of indexing, beside FastWARC?", outcome, data=[path], notes=notes, record=record)


if __name__ == "__main__":
    sys.exit(main())
