"""Menus: link lists that many pages show, what they are for, and which pages show them."""

from sitestrata.menus.main_menu import main_menus
from sitestrata.menus.stage import MenuOptions, find_menus

__all__ = ["MenuOptions", "find_menus", "main_menus"]
