"""The catalogue of a small lending library."""

from shelf.catalog import Book, Catalog
from shelf.isbn import InvalidISBN
from shelf.query import QueryError

__all__ = ["Book", "Catalog", "InvalidISBN", "QueryError"]
