"""Pages reduced to the hierarchy of their hyperlinks (MenuMiner 4)."""

from sitestrata.segments.transform import Segments, find_segments, segments_to_batch

__all__ = ["Segments", "find_segments", "segments_to_batch"]
