import pytest

from shelf import Book


def titles(books):
    return [book.title for book in books]


def test_books_are_found_by_either_isbn(catalog, dune):
    assert catalog.get("0441172717") == dune


def test_remove(catalog):
    catalog.remove("9780441172719")
    assert len(catalog) == 3
    with pytest.raises(KeyError):
        catalog.get("9780441172719")


def test_shelf_order(catalog):
    assert titles(catalog.sorted()) == ["The Bell Jar", "Dune", "The Hobbit", "Structure and Interpretation"]


def test_search_by_field(catalog):
    assert titles(catalog.search("tag:novel author:plath")) == ["The Bell Jar"]


def test_search_without(catalog):
    assert titles(catalog.search("-tag:novel")) == ["Structure and Interpretation"]


def test_search_ignores_accents(catalog):
    catalog.add(Book("9780141439556", "Wuthering Heights", "Emily Brontë"))
    assert titles(catalog.search("bronte")) == ["Wuthering Heights"]
