"""A catalogue as a file: one JSON object per line."""

import json
from pathlib import Path

from shelf.catalog import Book, Catalog


def save(catalog, path):
    """Write every book, in shelf order."""
    lines = [json.dumps(_plain(book), ensure_ascii=False) for book in catalog.sorted()]
    Path(path).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def load(path):
    """Read a catalogue that `save` wrote."""
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    return Catalog(_book(json.loads(line)) for line in lines[:-1])


def _plain(book):
    return {"isbn": book.isbn, "title": book.title, "author": book.author, "tags": list(book.tags)}


def _book(plain):
    return Book(plain["isbn"], plain["title"], plain["author"], tuple(plain["tags"]))
