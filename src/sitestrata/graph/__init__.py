"""Algorithms on integer arrays, with no idea of the Web."""
