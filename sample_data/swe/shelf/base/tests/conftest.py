import pytest

from shelf import Book, Catalog


@pytest.fixture
def dune():
    return Book("9780441172719", "Dune", "Frank Herbert", ("novel", "desert"))


@pytest.fixture
def catalog(dune):
    return Catalog(
        [
            dune,
            Book("9780547928227", "The Hobbit", "J. R. R. Tolkien", ("novel",)),
            Book("0571089895", "The Bell Jar", "Sylvia Plath", ("novel",)),
            Book("9780262510875", "Structure and Interpretation", "Harold Abelson", ("computing",)),
        ]
    )
