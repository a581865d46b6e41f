"""The web interface of one workspace, for the person at this machine."""

from sitestrata.report.server.app import bundle_is_built, make_app

__all__ = ["bundle_is_built", "make_app"]
