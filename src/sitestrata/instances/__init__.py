"""Pages of a concept -> its instances with attributes and values."""
