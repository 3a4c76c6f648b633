"""Sentences that ask for something are counted; chatter that ends with a question mark asks for nothing."""

from __future__ import annotations

from pipelines.terminal.posts.chatter import count_questions, states_goal


def test_questions_that_are_chatter_do_not_count() -> None:
    body = (
        "<p>Why is that? How can I sort <code>a.txt</code>? Is this possible?</p><p>And how do I number its lines?</p>"
    )
    assert count_questions(body) == 2


def test_a_title_that_only_tells_what_went_wrong_needs_a_wish() -> None:
    assert not states_goal("chmod: cannot read directory", "<p>It says so each time.</p>")
    assert states_goal("chmod: cannot read directory", "<p>How can I make all folders readable?</p>")
    assert states_goal("Make all folders readable", "")
