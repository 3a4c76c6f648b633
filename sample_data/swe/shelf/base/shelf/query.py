"""The search language: words, "quoted phrases", field:word and -word."""

from dataclasses import dataclass

FIELDS = ("title", "author", "isbn", "tag")


class QueryError(ValueError):
    """The query cannot be understood."""


@dataclass(frozen=True)
class Term:
    """One thing to look for."""

    text: str
    field: str = ""
    negated: bool = False


def tokens(query):
    """The query cut at spaces; quoted phrases stay whole."""
    found, word, quoted = [], "", False
    for char in query:
        if char == '"':
            quoted = not quoted
        elif char == " " and not quoted:
            found.append(word)
            word = ""
        else:
            word += char
    if quoted:
        raise QueryError("a quotation mark is never closed")
    found.append(word)
    return [token for token in found if token]


def parse(query):
    """The terms of a query, in order."""
    return [_term(token) for token in tokens(query)]


def _term(token):
    negated = len(token) > 1 and token.startswith("-")
    if negated:
        token = token[1:]
    field, colon, text = token.partition(":")
    if not colon:
        return Term(token, negated=negated)
    if field not in FIELDS:
        raise QueryError(f"unknown field {field!r}; the fields are {', '.join(FIELDS)}")
    return Term(text, field, negated)
