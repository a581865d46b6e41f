"""A SKOS file -> the vocabulary that an ontology extends."""

from collections import defaultdict
from pathlib import Path

import pyoxigraph as ox

from sitestrata.errors import UsageError
from sitestrata.taxonomy.seed import Seed, SeedConcept

__all__ = ["read_seed"]

SKOS = "http://www.w3.org/2004/02/skos/core#"
_RANK = {"prefLabel": 0, "altLabel": 1, "hiddenLabel": 2}


def read_seed(path: Path) -> Seed:
    """Read the concepts of a SKOS file, their labels, and which are broader; its ending says how it is written."""
    form = ox.RdfFormat.from_extension(path.suffix.removeprefix("."))
    if form is None:
        raise UsageError(f"{path}: name the file by its format, as in vocabulary.ttl, .nt, .rdf or .jsonld")
    labels: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    broader = set()
    try:
        with path.open("rb") as file:
            for quad in ox.parse(file, format=form, base_iri=path.resolve().as_uri()):
                if not isinstance(quad.subject, ox.NamedNode) or not quad.predicate.value.startswith(SKOS):
                    continue
                name = quad.predicate.value.removeprefix(SKOS)
                if name in _RANK and isinstance(quad.object, ox.Literal):
                    entry = (_RANK[name], quad.object.language or "", quad.object.value)
                    labels[quad.subject.value].append(entry)
                elif name in ("broader", "narrower") and isinstance(quad.object, ox.NamedNode):
                    pair = (quad.object.value, quad.subject.value)
                    broader.add(pair if name == "broader" else pair[::-1])
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}") from error
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{path} is no RDF that can be read: {error}") from error
    concepts = tuple(_concept(iri, sorted(some)) for iri, some in sorted(labels.items()))
    if not concepts:
        raise UsageError(f"{path} names no SKOS concept with a label.")
    return Seed(concepts, tuple(sorted(broader)))


def _concept(iri: str, found: list[tuple[int, str, str]]) -> SeedConcept:
    labels = tuple(dict.fromkeys((text, language or None) for _, language, text in found))
    preferred = {language for rank, language, _ in found if rank == 0}  # one a language
    return SeedConcept(iri, labels, max(1, len(preferred)))
