"""Taxonomy and instances together: the ontology of the overlapping sites of one domain (OntoMiner 3)."""
