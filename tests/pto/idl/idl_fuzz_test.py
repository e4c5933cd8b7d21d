"""Damaged and random texts: each gives code for both targets, or errors with a place; never anything else, and quickly."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from pto.codegen import generate
from pto.idl import IdlErrors, Source, load
from random_operators import operator_text

HERE = Path(__file__).parent

CORPUS = sorted((HERE / "corpus").glob("*.idl"))
#: Pieces that a mutation inserts: everything the grammar knows, and what it does not.
PIECES = (
    "package operator input output attr computation Tensor FLOAT32 FLOAT16 BFLOAT16 INT32 INT64 UINT8 BOOL inf axis where cast "
    "transpose reshape sum max min mean exp x y e M N K B rint floor 0 1 2 -1 1e-5 1e400 0.5 99999999999999999999 { } [ ] ( ) "
    ", ; : . = == != < <= > >= + - * / @ // /* */ $ é \t \n \x00 \\ \" ' \u2028 <a, FLOAT32> [M*M*M*M] (((((((( --------"
).split(" ")  # fmt: skip
#: Seconds for one text; the slowest takes a fiftieth of it.
LIMIT = 5.0


def outcome(text: str) -> str:
    """ "code" or "errors"; fails for anything else."""
    source = Source("fuzz.idl", text)
    start = time.monotonic()
    try:
        program = load(source)
        pieces = [*generate(program, "pypto").values()]
        result = "code"
    except IdlErrors as errors:
        pieces, result = [str(errors)], "errors"
        check_places(source, errors)
    else:
        assert all(pieces)
        try:
            generate(program, "ascendc")
        except IdlErrors as errors:
            check_places(source, errors)
    assert time.monotonic() - start < LIMIT
    return result


def check_places(source: Source, errors: IdlErrors) -> None:
    """Every error has a place in the text, its line, a caret and a message on one line."""
    assert errors.errors
    for error in errors.errors:
        assert 0 <= error.span.start <= len(source.text)
        head, shown, caret, *rest = str(error).split("\n")
        assert head.startswith("fuzz.idl:") and ": error: " in head
        assert caret.strip().startswith("^") and len(rest) <= 1
        assert len(shown) <= 200


def mutated(rng: random.Random, text: str) -> str:
    """A text with a few pieces deleted, doubled, exchanged, inserted or flipped."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice((1, 1, 2, 5, 20, 80)))
        match rng.randrange(6):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:end] + text[at:]
            case 2:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 3:
                text = text[:at] + " " + rng.choice(PIECES) + " " + text[end:]
            case 4:
                other = rng.randrange(len(text) + 1)
                text = text[:at] + text[other : other + end - at] + text[end:]
            case 5:
                text = text[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x3000)))) + text[at + 1 :]
    return text


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_itself_is_right(path):
    assert outcome(path.read_text()) == "code"


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_mutations_of_the_corpus(path):
    rng = random.Random(path.stem)
    text = path.read_text()
    outcomes = [outcome(mutated(rng, text)) for _ in range(600)]
    assert {"code", "errors"} == set(outcomes)


def test_random_tokens():
    rng = random.Random(1)
    for _ in range(600):
        outcome(" ".join(rng.choices(PIECES, k=rng.randint(0, 60))))


def test_random_expressions():
    """Token soup where an expression stands: past the parser more often than anywhere else."""
    rng = random.Random(2)
    head = "operator X { input { Tensor x, FLOAT32 [M, N]; Tensor b, BOOL [N]; Tensor i, INT32 [M, 1]; } output { Tensor y, FLOAT32 [M, N]; } computation { y = "
    words = "x b i M N 2 0.5 ( ) , + - * / @ < == max( min( sum( where( cast( exp( transpose( axis= [ ] FLOAT32 inf ) )".split(
        " "
    )
    for _ in range(2000):
        outcome(f"{head}{' '.join(rng.choices(words, k=rng.randint(1, 12)))}; }} }}")


def test_operators_that_follow_the_grammar():
    outcomes = [outcome(operator_text(seed, whole=seed % 2 == 0)) for seed in range(1000, 1120)]
    assert set(outcomes) == {"code"}


def test_long_and_deep_texts_end():
    many = "".join(f"t{n} = t{n - 1} * 1.5 + x;\n" for n in range(1, 400))
    head = "operator X { input { Tensor x, FLOAT32 [M, N]; } output { Tensor y, FLOAT32 [M, N]; } computation { "
    assert outcome(f"{head} t0 = x; {many} y = t399; }} }}") == "code"
    assert outcome(f"{head} y = {'(' * 5000}x{')' * 5000}; }} }}") == "errors"
    assert outcome(f"{head} y = {'-' * 5000}x; }} }}") == "errors"
    assert outcome(f"{head} y = {'+'.join(['x'] * 5000)}; }} }}") == "errors"
    assert outcome(f"{head} y = x; }} }}" + " " * 100000 + "\n" * 100000) == "code"
    assert (
        outcome("operator X { input { Tensor x, FLOAT32 [" + "*".join("(A+B+C)" for _ in range(40)) + "]; }")
        == "errors"
    )


def test_the_same_text_gives_the_same_code():
    for path in CORPUS:
        first, second = (generate(load(Source("a.idl", path.read_text())), "pypto") for _ in range(2))
        assert first == second
    program = load(Source("a.idl", operator_text(1003)))
    before = generate(program, "pypto")
    generate(program, "pypto")
    assert generate(program, "pypto") == before
