"""A finished crawl for other tools: a CDXJ index beside the WARC, and WACZ on request.

CDXJ is what pywb reads: one line a capture, sorted by the reversed host and path, a 14-digit time, and JSON.
WACZ 1.1.1 is a zip with the WARC files as they are, the index, a list of pages and a digest of every member.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sitestrata import urls
from sitestrata.sources.crawl.frontier import Done, Frontier
from sitestrata.sources.crawl.warc_out import WarcOut, stem

__all__ = ["write_cdxj", "write_wacz"]

_STEP = 1 << 20


def write_cdxj(out: Path) -> Path:
    """Write OUT.cdxj from the state of a crawl; return its path."""
    lines = sorted(_lines(out))
    path = out.with_name(f"{stem(out)}.cdxj")
    fresh = path.with_suffix(".cdxj.part")
    fresh.write_text("".join(lines), "utf-8")
    fresh.replace(path)
    return path


def write_wacz(out: Path) -> Path:
    """Write OUT.wacz from the state and the files of a crawl; return its path."""
    path = out.with_name(f"{stem(out)}.wacz")
    fresh = path.with_suffix(".wacz.part")
    index = write_cdxj(out)
    resources: list[dict[str, str | int]] = []
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_STORED, allowZip64=True) as pack:
        for warc in _files(out):
            _add_file(pack, f"archive/{warc.name}", warc, resources)
        _add_file(pack, "indexes/index.cdx", index, resources)
        _add_text(pack, "pages/pages.jsonl", "".join(_page_lines(out)), resources)
        package = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "software": "sitestrata/0.1",
            "created": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "resources": resources,
        }
        text = json.dumps(package, indent=2)
        _add_text(pack, "datapackage.json", text, [])
        digest = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
        _add_text(pack, "datapackage-digest.json", json.dumps({"path": "datapackage.json", "hash": digest}), [])
    fresh.replace(path)
    return path


def _records(out: Path) -> Iterator[tuple[str, Done]]:
    frontier = Frontier(out.with_name(f"{stem(out)}.state") / "frontier.sqlite")
    try:
        yield from frontier.records()
    finally:
        frontier.close()


def _files(out: Path) -> list[Path]:
    warc = WarcOut(out, rotate=0, info={})
    return [warc.path(serial) for serial in sorted({done.serial or 0 for _, done in _records(out)})]


def _lines(out: Path) -> Iterator[str]:
    warc = WarcOut(out, rotate=0, info={})
    names: dict[int, str] = {}
    for url, done in _records(out):
        serial = done.serial or 0
        name = names.setdefault(serial, warc.path(serial).name)
        fields = {
            "url": url,
            "mime": "warc/revisit" if done.record_type == "revisit" else (done.media_type or "unk"),
            "status": str(done.status),
            "digest": done.digest,
            "length": str(done.length),
            "offset": str(done.offset),
            "filename": name,
        }
        yield f"{_key(url)} {_digits(done)} {json.dumps(fields)}\n"


def _page_lines(out: Path) -> Iterator[str]:
    yield json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}) + "\n"
    for url, done in _records(out):
        if done.outcome == "ok" and done.media_type in ("text/html", "application/xhtml+xml"):
            yield json.dumps({"url": url, "ts": done.fetched_at}) + "\n"


def _key(url: str) -> str:
    # The key that pywb looks up: lower case, without www, without a final slash, parameters in order.
    text = urls.surt(url).lower()
    host, mark, rest = text.partition(")")
    path, question, query = rest.partition("?")
    path = path.rstrip("/") or "/"
    return host.removesuffix(",www") + mark + path + question + "&".join(sorted(query.split("&")))


def _digits(done: Done) -> str:
    return "".join(char for char in (done.fetched_at or "")[:19] if char.isdigit())


def _add_file(pack: zipfile.ZipFile, name: str, path: Path, resources: list[dict[str, str | int]]) -> None:
    digest = hashlib.sha256()
    with path.open("rb") as source, pack.open(name, "w", force_zip64=True) as target:
        while part := source.read(_STEP):
            digest.update(part)
            target.write(part)
    resources.append(_resource(name, digest.hexdigest(), path.stat().st_size))


def _add_text(pack: zipfile.ZipFile, name: str, text: str, resources: list[dict[str, str | int]]) -> None:
    data = text.encode()
    pack.writestr(name, data)
    resources.append(_resource(name, hashlib.sha256(data).hexdigest(), len(data)))


def _resource(name: str, digest: str, size: int) -> dict[str, str | int]:
    return {"name": name.rpartition("/")[2], "path": name, "hash": f"sha256:{digest}", "bytes": size}
