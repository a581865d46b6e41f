from collections.abc import Sequence

from sitestrata._kernels.walk_twin import Walk

NODE_ROWS: int
OK: int
TOO_DEEP: int
TOO_MANY_NODES: int
TOO_MANY_ATTRIBUTES: int
TOO_MUCH_MEMORY: int
REFUSED: int

def has_too_many_attributes(html: bytes, limit: int) -> bool: ...

class Walker:
    def __init__(
        self, tags: Sequence[str], attributes: Sequence[str], raw_tags: Sequence[int], script: int
    ) -> None: ...
    def walk(
        self,
        html: bytes,
        depth_cap: int,
        depth_limit: int,
        node_limit: int,
        attribute_limit: int,
        memory_limit: int,
    ) -> Walk: ...
