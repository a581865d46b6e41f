"""Tell whether bytes are valid UTF-8: specification and fallback of ``utf8.pyx``."""

__all__ = ["is_utf8"]


def is_utf8(data: bytes) -> bool:
    """Tell whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
