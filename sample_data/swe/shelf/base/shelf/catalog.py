"""Books, and the catalogue that holds them."""

from dataclasses import dataclass

from shelf.isbn import to_isbn13
from shelf.query import parse
from shelf.text import fold, sort_key


@dataclass(frozen=True)
class Book:
    """One title, however many copies."""

    isbn: str
    title: str
    author: str
    tags: tuple = ()


class Catalog:
    """Books by their ISBN."""

    def __init__(self, books=()):
        self._books = {}
        for book in books:
            self.add(book)

    def __len__(self):
        return len(self._books)

    def __iter__(self):
        return iter(self._books.values())

    def add(self, book):
        """Add or replace a book."""
        self._books[to_isbn13(book.isbn)] = book

    def get(self, isbn):
        """The book with that ISBN, in either form."""
        return self._books[to_isbn13(isbn)]

    def remove(self, isbn):
        """Take a book out of the catalogue."""
        del self._books[to_isbn13(isbn)]

    def sorted(self):
        """All books as they stand on the shelf."""
        return sorted(self, key=lambda book: (sort_key(book.title), book.isbn))

    def search(self, query):
        """The books that match every term, as they stand on the shelf."""
        terms = parse(query)
        return [book for book in self.sorted() if all(_matches(book, term) for term in terms)]


def _matches(book, term):
    haystack = " ".join(_values(book, term.field))
    return (fold(term.text) in fold(haystack)) != term.negated


def _values(book, field):
    values = {"title": [book.title], "author": [book.author], "isbn": [book.isbn], "tag": list(book.tags)}
    return values[field] if field else sum(values.values(), [])
