import pytest

from shelf.query import QueryError, Term, parse


def test_words():
    assert parse("dune  herbert") == [Term("dune"), Term("herbert")]


def test_an_empty_query_has_no_terms():
    assert parse("  ") == []


def test_a_phrase_stays_whole():
    assert parse('"bell jar" plath') == [Term("bell jar"), Term("plath")]


def test_fields():
    assert parse("author:herbert") == [Term("herbert", field="author")]


def test_a_field_takes_a_phrase():
    assert parse('title:"bell jar"') == [Term("bell jar", field="title")]


def test_negation():
    assert parse("-abridged") == [Term("abridged", negated=True)]


def test_a_negated_field():
    assert parse('-tag:"large print"') == [Term("large print", field="tag", negated=True)]


def test_an_apostrophe_is_a_letter():
    assert parse("o'brien") == [Term("o'brien")]


def test_an_unknown_field_is_an_error():
    with pytest.raises(QueryError, match="publisher"):
        parse("publisher:penguin")


def test_an_open_quotation_is_an_error():
    with pytest.raises(QueryError):
        parse('"bell jar')
