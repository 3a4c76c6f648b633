"""Words as librarians see them."""

import re
import unicodedata

ARTICLES = ("the", "a", "an")


def fold(text):
    """Lower case, without accents: what searches compare."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold()


def sort_key(title):
    """Titles are filed without their leading article."""
    words = fold(title).split()
    if len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words)


def slug(title):
    """A title as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", fold(title)).strip("-")
