"""The sample web on disk: a WARC, one gzip member a record, and the folder of truth files beside it."""

import base64
import hashlib
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from sitestrata.sample.truth import COLUMNS, walk
from sitestrata.sample.web import Capture
from sitestrata.sample.world import make_world

__all__ = ["TRUTH_FORMAT", "truth_folder", "write"]

TRUTH_FORMAT = 1
LEVEL = 1  # of compression: 6 takes three times as long for a seventh less
_DATE = "2026-01-01T00:00:00Z"  # fixed, so that the same seed gives the same bytes
_REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 404: "Not Found"}
_JSON_FILES = ("page_menus", "tables", "instances", "menus", "sites", "homes", "ontology", "compounds", "blocks")


def truth_folder(path: Path) -> Path:
    """Return the folder of truth files that belongs to a WARC."""
    name = path.name
    for suffix in (".gz", ".warc"):
        name = name.removesuffix(suffix)
    return path.with_name(f"{name}.truth")


def write(path: str | Path, *, seed: int, pages: int, hard: bool = False, only: Sequence[str] = ()) -> dict[str, Any]:
    """Write a web and its truth; return the manifest."""
    target = Path(path)
    folder = truth_folder(target)
    folder.mkdir(parents=True, exist_ok=True)
    world = make_world(seed, pages, hard=hard, only=only)
    counts = {"captures": 0, "pages": 0, **dict.fromkeys((*COLUMNS, *_JSON_FILES), 0)}
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    files: dict[str, TextIO] = {}
    try:
        for name in COLUMNS:
            files[name] = (folder / f"{name}.tsv").open("w", encoding="utf-8", newline="\n")
            files[name].write("\t".join(COLUMNS[name]) + "\n")
        for name in _JSON_FILES:
            files[name] = (folder / f"{name}.jsonl").open("w", encoding="utf-8", newline="\n")
        with target.open("wb") as warc:
            compress = target.name.endswith(".gz")
            _write_info(warc, compress)
            for event in walk(world):
                if isinstance(event, Capture):
                    warc.write(_response(event, compress))
                    counts["captures"] += 1
                    continue
                name, row = event
                counts[name] += 1
                if name in COLUMNS:
                    files[name].write("\t".join(map(_field, row.values())) + "\n")
                else:
                    files[name].write(encode(row) + "\n")
    finally:
        for file in files.values():
            file.close()
    manifest = {
        "format": TRUTH_FORMAT,
        "seed": seed,
        "pages": pages,
        "hard": hard,
        "only": list(only),
        "captures": counts["captures"],
        "sites": counts["sites"],
        "menus": counts["menus"],
        "tables": counts["tables"],
        "instances": counts["instances"],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest


def _field(value: str) -> str:
    return value.replace("\t", " ").replace("\n", " ")


def _digest(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode("ascii")


def _record(head: str, block: bytes, compress: bool) -> bytes:
    data = b"%b%b\r\n\r\n" % (head.encode("utf-8"), block)
    if not compress:
        return data
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def _record_id(url: str) -> str:
    number = hashlib.blake2b(url.encode("utf-8"), digest_size=16).hexdigest()
    return f"<urn:uuid:{number[:8]}-{number[8:12]}-4{number[13:16]}-8{number[17:20]}-{number[20:]}>"


def _write_info(warc: BinaryIO, compress: bool) -> None:
    block = b"software: sitestrata sample\r\nformat: WARC File Format 1.1\r\n"
    head = (
        f"WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: {_record_id('warcinfo')}\r\nWARC-Date: {_DATE}\r\n"
        f"Content-Type: application/warc-fields\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    warc.write(_record(head, block, compress))


def _response(capture: Capture, compress: bool) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in capture.headers)
    http = f"HTTP/1.1 {capture.status} {_REASONS[capture.status]}\r\n{lines}Content-Length: {len(capture.body)}\r\n\r\n"
    block = http.encode("utf-8") + capture.body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: {_record_id(capture.url)}\r\nWARC-Date: {_DATE}\r\n"
        f"WARC-Target-URI: {capture.url}\r\nWARC-Payload-Digest: {_digest(capture.body)}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return _record(head, block, compress)
