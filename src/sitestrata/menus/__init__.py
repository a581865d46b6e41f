"""Menus: link lists that many pages show, what they are for, and which pages show them."""

from sitestrata.menus.stage import MenuOptions, find_menus

__all__ = ["MenuOptions", "find_menus"]
