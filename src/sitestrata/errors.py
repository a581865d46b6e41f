"""Every exception a caller may catch, as one tree.

::

    Error
    ├── UsageError            the call makes no sense: wrong option, wrong combination, unknown name (exit code 2)
    ├── SourceError           an input as a whole cannot be read (a single bad record or page is a Reject, not an error)
    ├── WorkspaceError        the workspace folder cannot be used
    │   ├── WorkspaceLocked   another run is at work in it
    │   └── FormatError       it was written by another format version
    └── MissingExtraError     an optional dependency is not installed

A message says what happened, with which input, and what to do next, best as a command to type.
"""

__all__ = [
    "Error",
    "FormatError",
    "MissingExtraError",
    "SourceError",
    "UsageError",
    "WorkspaceError",
    "WorkspaceLocked",
]


class Error(Exception):
    """Anything Sitestrata raises on purpose."""


class UsageError(Error):
    """The call makes no sense as it stands."""


class SourceError(Error):
    """An input cannot be read at all."""


class WorkspaceError(Error):
    """The workspace cannot be used."""


class WorkspaceLocked(WorkspaceError):  # noqa: N818 - reads as a claim about the workspace
    """Another run is at work in the workspace."""


class FormatError(WorkspaceError):
    """The workspace was written by a format version this release cannot read."""


class MissingExtraError(Error):
    """A feature needs an optional dependency that is not installed."""
