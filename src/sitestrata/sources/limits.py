"""How much of one input is read before it counts as hostile: options with documented defaults."""

from dataclasses import dataclass

__all__ = ["Limits"]

_MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper bounds on what one record may cost; what exceeds them becomes a `Reject`, never an allocation."""

    max_body: int = 16 * _MIB  # bytes of a decoded body; the largest pages of Common Crawl are cut at 5 MiB
    max_header: int = 256 * 1024  # bytes of a WARC, ARC or HTTP head; browsers stop at 256 KiB
    max_record: int = 8192 * _MIB  # unpacked bytes of one record that are read to check it; videos are that large
    max_codings: int = 5  # content codings on top of one another; curl's limit
    max_files: int = 10_000_000  # in one folder

    @property
    def max_kept(self) -> int:
        """Bytes of a record that are held in memory: a body as it was sent, its heads, and room for chunk sizes."""
        return self.max_body + 2 * self.max_header + self.max_body // 8
