"""Menus: link lists that many pages show, what they are for, and which pages show them."""

from sitestrata.menus.front_page import read_front_pages
from sitestrata.menus.joining import join_menus
from sitestrata.menus.main_menu import main_menus
from sitestrata.menus.stage import MenuOptions, find_menus

__all__ = ["MenuOptions", "find_menus", "join_menus", "main_menus", "read_front_pages"]
