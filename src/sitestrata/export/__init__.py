"""Records to files: one module a format; knows formats, not mining, and neither workspace nor database."""
