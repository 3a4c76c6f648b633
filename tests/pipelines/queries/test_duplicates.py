"""Near-duplicates: found whatever the order, and nothing else is taken for one."""

from __future__ import annotations

from random import Random

from datasketch import MinHash

from pipelines.queries.duplicates import NUMBERS, RUN, SeenTexts

VOCABULARY = [f"word{number}" for number in range(3000)]


def _draw(random: Random, words: int = 80) -> list[str]:
    return random.choices(VOCABULARY, k=words)


def test_a_text_with_one_word_changed_is_a_duplicate_and_another_text_is_not() -> None:
    random, seen = Random(1), SeenTexts(0.8)
    texts = [_draw(random) for _ in range(300)]
    assert seen.add_all([(str(number), " ".join(words)) for number, words in enumerate(texts)]) == [""] * 300
    for words in texts:
        words[40] = "changed"
    again = seen.add_all([(f"again {number}", " ".join(words)) for number, words in enumerate(texts)])
    assert sum(twin == str(number) for number, twin in enumerate(again)) >= 297


def test_what_was_remembered_in_one_batch_is_known_in_the_next() -> None:
    seen = SeenTexts(0.8)
    assert seen.add_all([("a", "one two three four five six")]) == [""]
    assert seen.add_all([("b", "One, two: three four FIVE six!")]) == ["a"]


def test_short_and_empty_texts_are_texts_too() -> None:
    seen = SeenTexts(0.8)
    assert seen.add_all([("a", ""), ("b", "one"), ("c", "one two"), ("d", "one"), ("e", "one two three")]) == [
        "",
        "",
        "",
        "b",
        "",
    ]


def test_texts_are_as_alike_as_datasketch_says() -> None:
    random, seen = Random(2), SeenTexts(0.5)
    for _ in range(30):
        words = _draw(random)
        other = [random.choice(VOCABULARY) if random.random() < 0.08 else word for word in words]
        first, second = seen._sketch([" ".join(words), " ".join(other)])
        assert abs((first == second).mean() - _minhash(words).jaccard(_minhash(other))) < 0.35


def _minhash(words: list[str]) -> MinHash:
    sketch = MinHash(num_perm=NUMBERS)
    for start in range(len(words) - RUN + 1):
        sketch.update(" ".join(words[start : start + RUN]).encode())
    return sketch
