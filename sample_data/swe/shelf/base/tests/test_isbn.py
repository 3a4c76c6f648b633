import pytest

from shelf.isbn import InvalidISBN, is_valid, to_isbn13


@pytest.mark.parametrize("text", ["9780441172719", "978-0-441-17271-9", "0441172717", "0 571 08989 5"])
def test_valid(text):
    assert is_valid(text)


@pytest.mark.parametrize("text", ["", "978044117271", "9780441172718", "044117271X", "abc"])
def test_invalid(text):
    assert not is_valid(text)


def test_an_x_is_a_check_digit():
    assert is_valid("043942089X")


def test_ten_digits_become_thirteen():
    assert to_isbn13("0441172717") == "9780441172719"


def test_a_wrong_number_is_refused():
    with pytest.raises(InvalidISBN):
        to_isbn13("0441172718")
