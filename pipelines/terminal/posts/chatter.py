"""Which sentences of a question say what is wanted, and which only tell of the asker, of attempts, or of nothing."""

from __future__ import annotations

import re
from itertools import dropwhile
from pathlib import Path

from crucible.datafile import read_words
from pipelines.terminal.posts.bodies import read_blocks

TABLE = Path(__file__).with_name("chatter.toml")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`(])")
# splits: I have a file. How can I sort it?
POINTS_BACK = re.compile(r"(?:(?:but|however,?|and|so) )?(?:this|that|it|which|these|the above)\b", re.IGNORECASE)
# matches: This works great within a folder
JOINS_ON = re.compile(r"(?:but|however|and|so|also|now|anyway|basically|note that)\b,? +", re.IGNORECASE)
# matches: the beginning of: But I want to
EXACT = re.compile(r"```\n(.*?)\n```|`([^`\n]+)`|[\"“]([^\"”\n]+)[\"”]|'([^'\n]+)'", re.DOTALL)
# matches: `abc`, "few", and blocks of code


def count_questions(body: str) -> int:
    """How many sentences of a question's prose ask for something, as far as they are no chatter."""
    blocks = (block for block in read_blocks(body) if block.kind == "text")
    texts = (without_chatter(block.text, leads_to_code=False) for block in blocks)
    return sum(sentence.rstrip().endswith("?") for text in texts for sentence in SENTENCE.split(text))


def states_goal(title: str, body: str) -> bool:
    """Whether a question says what is wanted: in its title, unless that only tells what went wrong, or in its prose."""
    texts = [title, *(block.text for block in read_blocks(body) if block.kind == "text")]
    sentences = (sentence for text in texts for sentence in SENTENCE.split(text))
    return not has_word(title, "faults") or any(has_word(sentence, "wishes") for sentence in sentences)


def without_links(sentences: list[str]) -> list[str]:
    """Sentences behind something that was left out, without those that speak of it, and without the word that joins
    the first of the others to it."""
    kept = list(dropwhile(_points_back, sentences))
    if kept and JOINS_ON.match(kept[0]):
        first = JOINS_ON.sub("", kept[0], count=1)
        kept[0] = first[:1].upper() + first[1:]
    return kept


def _points_back(sentence: str) -> bool:
    return bool(re.match(r"[a-z]", sentence) or (POINTS_BACK.match(sentence) and not has_word(sentence, "wishes")))


def without_chatter(text: str, leads_to_code: bool) -> str:
    """A text without sentences that say nothing of what is wanted, and without what is said of an attempt, or of the
    asker; the last one may lead to code."""
    kept: list[str] = []
    is_attempt = False
    sentences = SENTENCE.split(text)
    for place, sentence in enumerate(sentences, start=1):
        is_attempt = (is_attempt or has_word(sentence, "attempts")) and not has_word(sentence, "wishes")
        leads = leads_to_code and place == len(sentences)
        if not is_attempt and not has_word(sentence, "sentences") and (leads or not _is_background(sentence)):
            kept.append(sentence)
    return " ".join(kept).strip()


def _is_background(sentence: str) -> bool:
    """Whether a sentence only tells of the asker: it wishes for nothing, quotes nothing, describes nothing that is
    there and leads to nothing."""
    tells = has_word(sentence, "background") and not sentence.endswith(":") and not EXACT.search(sentence)
    return tells and not has_word(sentence, "wishes") and not has_word(sentence, "things")


def has_word(sentence: str, table: str) -> bool:
    """Whether a sentence has one of the patterns of a table of `chatter.toml`."""
    return any(re.search(pattern, sentence, re.IGNORECASE) for pattern in read_words(TABLE, table))
