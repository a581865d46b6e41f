"""Label trees of overlapping sites -> concepts and how they nest."""
