"""What a user names becomes sources: globs, folders, archives, standard input."""

import io
import os
import zipfile
from pathlib import Path

import pytest

from sitestrata.errors import SourceError, UsageError
from sitestrata.model import Capture, Reject
from sitestrata.sources import Source, find_sources, index_source, read_bodies

from .archives import Archive, index, pages

BASE = "https://example.org/docs"


def rows(sources: list[Source]) -> tuple[list[Capture], list[Reject]]:
    found = [row for source in sources for row in index_source(source)]
    return [row for row in found if isinstance(row, Capture)], [row for row in found if isinstance(row, Reject)]


class TestNames:
    def test_files_come_sorted_and_once(self, tmp_path: Path) -> None:
        for name in ("b.warc.gz", "a.warc.gz", "c.warc.gz"):
            (tmp_path / name).write_bytes(pages(1).bytes())
        specs = [f"{tmp_path}/c.warc.gz", f"{tmp_path}/*.warc.gz", tmp_path / "." / "b.warc.gz", tmp_path]

        sources = find_sources(specs)

        assert [f"{tmp_path}/{name}.warc.gz" for name in "abc"] == [source.name for source in sources]

    def test_names_stay_as_given(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "a.warc").write_bytes(pages(1, gzip=False).bytes())
        monkeypatch.chdir(tmp_path)

        (source,) = find_sources(["a.warc"])

        assert ("a.warc", f"{tmp_path}/a.warc", "plain") == (source.name, source.path, source.framing)

    @pytest.mark.parametrize("spec", ["nothing.warc.gz", "nothing*.warc.gz"])
    def test_a_name_without_a_file_is_an_error(self, tmp_path: Path, spec: str) -> None:
        with pytest.raises(SourceError, match="nothing"):
            find_sources([tmp_path / spec])

    def test_a_file_whose_name_is_a_pattern_is_that_file(self, tmp_path: Path) -> None:
        (tmp_path / "a[1].warc.gz").write_bytes(pages(1).bytes())

        assert 1 == len(find_sources([tmp_path / "a[1].warc.gz"]))

    def test_a_mixture_is_one_collection(self, tmp_path: Path) -> None:
        (tmp_path / "a.warc.gz").write_bytes(pages(2).bytes())
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "x.html").write_text("<p>x")
        with zipfile.ZipFile(tmp_path / "c.wacz", "w") as archive:
            archive.writestr("archive/data.warc.gz", pages(2).bytes())

        captures, rejects = rows(
            find_sources([tmp_path / name for name in ("site", "c.wacz", "a.warc.gz")], base_url=BASE)
        )

        assert [] == rejects
        assert ["a.warc.gz"] * 2 + ["c.wacz!archive/data.warc.gz"] * 2 + ["site!x.html"] == [
            capture.source.removeprefix(f"{tmp_path}/") for capture in captures
        ]


class TestStandardInput:
    def test_it_is_kept_and_read_back(self, tmp_path: Path) -> None:
        data = pages(3).bytes()

        (source,) = find_sources(["-"], spool=tmp_path / "spool", stdin=io.BytesIO(data))
        captures, rejects = rows([source])

        assert ("-", "warc", []) == (source.name, source.kind, rejects)
        assert 3 == sum(isinstance(item, tuple) for item in read_bodies(source, captures))
        assert [data] == [path.read_bytes() for path in (tmp_path / "spool").iterdir()]

    def test_the_same_input_is_kept_once(self, tmp_path: Path) -> None:
        data = pages(3).bytes()
        for _ in range(2):
            find_sources(["-"], spool=tmp_path, stdin=io.BytesIO(data))

        assert 1 == len(list(tmp_path.iterdir()))

    def test_it_needs_a_folder(self) -> None:
        with pytest.raises(UsageError):
            find_sources(["-"], stdin=io.BytesIO(b""))

    def test_a_full_disk_is_one_clear_error_and_leaves_nothing(self, tmp_path: Path) -> None:
        class Full(io.BytesIO):
            def read(self, size: int | None = -1, /) -> bytes:  # noqa: ARG002
                raise OSError(28, "No space left on device")

        with pytest.raises(SourceError, match="No space left on device"):
            find_sources(["-"], spool=tmp_path, stdin=Full())

        assert [] == list(tmp_path.iterdir())


class TestFolder:
    def make(self, root: Path, files: dict[str, bytes]) -> Path:
        for name, data in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return root

    def test_paths_become_addresses_as_on_a_server(self, tmp_path: Path) -> None:
        files = {
            "index.html": b"<p>home",
            "index.htm": b"<p>second choice",
            "a/index.htm": b"<p>a",
            "a/b.html": b"<p>b",
            "a/100% & more?#.html": b"<p>odd",
            "a/no-suffix": b"<!doctype html><p>x",
            "a/page.php": b"<html>x",
            "a/style.css": b"<html>not",
            "a/notes.txt": b"<html>not",
            "a/data.json": b"{}",
            "a/feed.xml": b"<rss></rss>",
            "a/page.xml": b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>',
            "empty.html": b"",
            "caf\u00e9.html": b"<p>c",
        }
        self.make(tmp_path, files)

        captures, rejects = rows(find_sources([tmp_path], base_url=BASE))

        assert [] == rejects
        assert {
            f"{BASE}/": "index.html",
            f"{BASE}/index.htm": "index.htm",
            f"{BASE}/a/": "a/index.htm",
            f"{BASE}/a/b.html": "a/b.html",
            f"{BASE}/a/100%25%20&%20more%3F%23.html": "a/100% & more?#.html",
            f"{BASE}/a/no-suffix": "a/no-suffix",
            f"{BASE}/a/page.php": "a/page.php",
            f"{BASE}/a/page.xml": "a/page.xml",
            f"{BASE}/empty.html": "empty.html",
            f"{BASE}/caf%C3%A9.html": "caf\u00e9.html",
        } == {capture.url: capture.source.removeprefix(f"{tmp_path}!") for capture in captures}
        assert {("file", 200, True, None)} == {(c.record_type, c.status, c.is_html, c.fetched_at) for c in captures}

    def test_pages_come_back(self, tmp_path: Path) -> None:
        self.make(tmp_path, {"index.html": b"<p>home", "a!b/%!c.html": b"<p>odd"})
        (source,) = find_sources([tmp_path], base_url=BASE)
        captures, _ = rows([source])

        found = {item[0].url: item[1] for item in read_bodies(source, captures) if isinstance(item, tuple)}

        assert {f"{BASE}/": b"<p>home", f"{BASE}/a!b/%25!c.html": b"<p>odd"} == found

    def test_names_that_are_no_text_are_read_too(self, tmp_path: Path) -> None:
        odd = os.fsencode(tmp_path) + b"/caf\xe9.html"
        try:
            Path(os.fsdecode(odd)).write_bytes(b"<p>latin")
        except OSError:
            return  # a file system that takes only UTF-8 cannot hold the case
        (source,) = find_sources([tmp_path], base_url=BASE)
        (capture,), rejects = rows([source])

        assert [] == rejects
        assert f"{BASE}/caf%E9.html" == capture.url
        capture.source.encode()
        assert [(capture, b"<p>latin")] == list(read_bodies(source, [capture]))

    def test_loops_end_and_links_do_not_lead_out(self, tmp_path: Path) -> None:
        root = self.make(tmp_path / "site", {"v1/a.html": b"<p>a", "b.html": b"<p>b"})
        (tmp_path / "secret.html").write_text("<p>secret")
        (root / "v1" / "up").symlink_to(root)
        (root / "latest").symlink_to("v1")
        (root / "out.html").symlink_to(tmp_path / "secret.html")
        (root / "dangling.html").symlink_to(root / "nowhere.html")
        (root / "self.html").symlink_to("self.html")

        captures, rejects = rows(find_sources([root], base_url=BASE))

        assert ["b.html", "latest/a.html", "v1/a.html"] == [c.source.removeprefix(f"{root}!") for c in captures]
        assert {"link-loop": 2, "link-outside": 1, "unreadable": 2} == {
            reason: sum(reject.reason == reason for reject in rejects) for reason in {r.reason for r in rejects}
        }

    def test_what_cannot_be_read_is_a_reject_and_the_rest_is_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.make(tmp_path, {"a.html": b"<p>a", "closed.html": b"<p>x", "picture.html": b"\x89PNG\r\n\x1a\n"})
        os.mkfifo(tmp_path / "pipe.html")
        really_open = os.open

        def refuse(path: str, *rest: object) -> int:  # permissions do not stop the user root
            if str(path).endswith("closed.html"):
                raise PermissionError(13, "Permission denied")
            return really_open(path, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr("os.open", refuse)

        captures, rejects = rows(find_sources([tmp_path], base_url=BASE))

        assert [f"{BASE}/a.html"] == [capture.url for capture in captures]
        assert {("closed.html", "unreadable"), ("pipe.html", "unreadable"), ("picture.html", "not-html")} == {
            (reject.input.removeprefix(f"{tmp_path}!"), reject.reason) for reject in rejects
        }

    def test_a_folder_of_pages_needs_an_address(self, tmp_path: Path) -> None:
        self.make(tmp_path, {"a.html": b"<p>a"})

        with pytest.raises(UsageError, match="--base-url"):
            find_sources([tmp_path])
        with pytest.raises(UsageError, match="--base-url"):
            find_sources([tmp_path], base_url="ftp://example.org/")

    def test_a_folder_of_archives_is_their_collection(self, tmp_path: Path) -> None:
        self.make(tmp_path, {"x/a.warc.gz": pages(2).bytes(), "b.warc.gz": pages(2).bytes(), "readme.txt": b"x"})

        captures, rejects = rows(find_sources([tmp_path]))

        assert (4, []) == (len(captures), rejects)

    def test_pages_beside_archives_are_told_about(self, tmp_path: Path) -> None:
        self.make(tmp_path, {"a.warc.gz": pages(2).bytes(), "b.html": b"<p>x"})

        captures, rejects = rows(find_sources([tmp_path]))

        assert (2, ["no-base-url"]) == (len(captures), [reject.reason for reject in rejects])

    def test_a_single_page_is_a_source(self, tmp_path: Path) -> None:
        self.make(tmp_path, {"a b.html": b"<!doctype html><p>a"})
        (source,) = find_sources([tmp_path / "a b.html"], base_url=BASE)
        (capture,), _ = rows([source])

        assert f"{BASE}/a%20b.html" == capture.url
        assert [(capture, b"<!doctype html><p>a")] == list(read_bodies(source, [capture]))


class TestWacz:
    def make(self, path: Path, members: dict[str, bytes], *, method: int = zipfile.ZIP_STORED) -> Path:
        with zipfile.ZipFile(path, "w", method) as archive:
            for name, data in members.items():
                archive.writestr(zipfile.ZipInfo(name), data, compress_type=method)
        return path

    def test_stored_members_are_read_in_place(self, tmp_path: Path) -> None:
        members = {
            "pages/pages.jsonl": b"{}",
            "archive/a.warc.gz": pages(3).bytes(),
            "archive/b.warc": pages(2, gzip=False).bytes(),
        }
        sources = find_sources([self.make(tmp_path / "c.wacz", members)])
        captures, rejects = rows(sources)

        assert [] == rejects
        assert ["wacz-member", "wacz-member"] == [source.kind for source in sources]
        assert [f"{tmp_path}/c.wacz!archive/a.warc.gz"] * 3 == [c.source for c in captures[:3]]
        for source in sources:
            mine = [capture for capture in captures if capture.source == source.name]
            assert len(mine) == sum(isinstance(item, tuple) for item in read_bodies(source, mine))

    def test_deflated_members_are_unpacked_once(self, tmp_path: Path) -> None:
        path = self.make(
            tmp_path / "c.wacz", {"archive/a.warc": pages(3, gzip=False).bytes()}, method=zipfile.ZIP_DEFLATED
        )

        captures, rejects = rows(find_sources([path], spool=tmp_path / "spool"))
        assert (3, []) == (len(captures), rejects)

        captures, rejects = rows(find_sources([path]))
        assert (0, ["deflated-member"]) == (len(captures), [reject.reason for reject in rejects])

    @pytest.mark.parametrize(
        "name", ["../../evil.warc.gz", "/etc/evil.warc.gz", "C:\\evil.warc.gz", "a\\..\\e.warc.gz"]
    )
    def test_names_that_lead_out_are_refused(self, tmp_path: Path, name: str) -> None:
        members = {name: pages(1).bytes(), "archive/a.warc.gz": pages(3).bytes()}

        captures, rejects = rows(find_sources([self.make(tmp_path / "c.wacz", members)], spool=tmp_path / "spool"))

        assert (3, ["unsafe-member"]) == (len(captures), [reject.reason for reject in rejects])
        assert ["c.wacz"] == [path.name for path in tmp_path.iterdir()]

    def test_every_cut_is_reported_and_the_rest_is_read(self, tmp_path: Path) -> None:
        one, two = pages(6).bytes(), pages(6).bytes()
        whole = self.make(tmp_path / "c.wacz", {"archive/a.warc.gz": one, "archive/b.warc.gz": two}).read_bytes()
        for cut in range(100, len(whole), 211):
            (tmp_path / "c.wacz").write_bytes(whole[:cut])
            captures, rejects = rows(find_sources([tmp_path / "c.wacz"]))

            assert rejects, cut
            assert len(captures) >= 14 * (cut - 700) // len(whole) - 1, cut

    def test_every_flipped_bit_of_a_member_is_reported(self, tmp_path: Path) -> None:
        """The checksum in the directory sees even what cannot matter."""
        data = pages(4, gzip=False).bytes()
        whole = self.make(tmp_path / "c.wacz", {"archive/a.warc": data}).read_bytes()
        start = whole.index(b"WARC/")
        for bit in range(start * 8, (start + len(data)) * 8, 509):
            spoilt = bytearray(whole)
            spoilt[bit // 8] ^= 1 << bit % 8
            (tmp_path / "c.wacz").write_bytes(spoilt)

            assert rows(find_sources([tmp_path / "c.wacz"]))[1], bit

    def test_a_member_that_the_package_lists_and_the_zip_lacks_is_reported(self, tmp_path: Path) -> None:
        package = b'{"resources": [{"path": "archive/a.warc.gz"}, {"path": "archive/lost.warc.gz"}]}'
        path = self.make(tmp_path / "c.wacz", {"archive/a.warc.gz": pages(3).bytes(), "datapackage.json": package})

        captures, rejects = rows(find_sources([path]))

        assert (3, ["missing-member"]) == (len(captures), [reject.reason for reject in rejects])

    def test_a_zip_of_something_else_is_one_reject(self, tmp_path: Path) -> None:
        captures, rejects = index(self.make(tmp_path / "c.wacz", {"a.txt": b"x"}))

        assert ([], ["no-archive-inside"]) == (captures, [reject.reason for reject in rejects])

    def test_a_deflated_bomb_stops_at_the_size_it_admits(self, tmp_path: Path) -> None:
        data = Archive(gzip=False).add("http://example.org/", b"<html>" + b"x" * 3_000_000).bytes()
        path = self.make(tmp_path / "c.wacz", {"archive/a.warc": data}, method=zipfile.ZIP_DEFLATED)
        raw = bytearray(path.read_bytes())
        directory = raw.rindex(b"PK\x01\x02")
        raw[directory + 24 : directory + 28] = (1000).to_bytes(4, "little")
        path.write_bytes(raw)

        captures, rejects = rows(find_sources([path], spool=tmp_path / "spool"))

        assert [] == captures
        assert rejects
        assert sum(file.stat().st_size for file in (tmp_path / "spool").iterdir()) < 2_000_000
