"""Bodies as a reader sees them."""

from __future__ import annotations

from pipelines.terminal.posts.bodies import Block, read_blocks


def texts(body: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in read_blocks(body)]


def test_prose_and_code_come_apart_and_code_is_exact() -> None:
    body = "<p>See <code>a.txt</code> &amp; <b>more</b>:</p><pre><code>one &lt;x&gt;\n\ttwo \n\n</code></pre><p>end</p>"
    assert texts(body) == [("text", "See `a.txt` & more:"), ("code", "one <x>\n\ttwo"), ("text", "end")]


def test_lists_keep_their_marks_and_their_nesting() -> None:
    body = "<ol><li>first</li><li>second<ul><li>inner</li></ul></li></ol>"
    assert read_blocks(body) == [
        Block("text", "1. first", 1),
        Block("text", "2. second", 1),
        Block("text", "  - inner", 2),
    ]


def test_code_within_lists_and_quotations_is_code() -> None:
    body = "<ul><li><p>run</p><pre><code>ls</code></pre></li></ul><blockquote><p>said</p><pre>x</pre></blockquote>"
    assert texts(body) == [("text", "- run"), ("code", "ls"), ("quote", "said"), ("code", "x")]


def test_line_breaks_links_and_bad_markup_are_read() -> None:
    assert texts('a<br>b <a href="http://x.example/">c</a>') == [("text", "a\nb c (http://x.example/)")]
    assert texts("<p>never <b>closed <pre>code") == [("text", "never"), ("text", "closed"), ("code", "code")]


def test_empty_and_odd_bodies_give_nothing() -> None:
    assert read_blocks("") == read_blocks("\0 \n") == read_blocks("<p> </p><!-- no -->") == []
