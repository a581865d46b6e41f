"""One page: what it says and how it is organised: tables, blocks, label hierarchy (OntoMiner 4)."""
