from shelf.text import fold, slug, sort_key


def test_fold():
    assert fold("Brontë") == "bronte"


def test_leading_articles_do_not_count():
    assert sort_key("The Bell Jar") == "bell jar"


def test_a_lonely_article_is_a_title():
    assert sort_key("A") == "a"


def test_slug():
    assert slug("Catch-22: a novel!") == "catch-22-a-novel"
