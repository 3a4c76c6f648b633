from shelf.store import load, save


def test_a_catalogue_survives_the_file(catalog, tmp_path):
    save(catalog, tmp_path / "books.jsonl")
    assert load(tmp_path / "books.jsonl").sorted() == catalog.sorted()


def test_one_line_per_book(catalog, tmp_path):
    save(catalog, tmp_path / "books.jsonl")
    assert len((tmp_path / "books.jsonl").read_text().splitlines()) == 4
