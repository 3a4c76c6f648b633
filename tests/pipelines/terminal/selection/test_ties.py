"""A draft is made of the block that answers the question, not of an aside."""

from __future__ import annotations

import pytest

from crucible.errors import Rejected
from pipelines.terminal.model import Answer, Suggestion, Thread
from pipelines.terminal.selection.selecting import tied_suggestions
from pipelines.terminal.selection.suggestions import asked_commands, runnable_blocks
from pipelines.terminal.selection.ties import check_ties


def thread(title: str, body: str = "") -> Thread:
    return Thread(site="x.example", number=1, title=title, body=body, tags=("bash",))


def suggestion(text: str, prose: str = "", place: int = 0) -> Suggestion:
    return Suggestion(answer=2, text=text, prose=prose, place=place)


def test_a_goal_that_both_speak_of_ties_the_first_block() -> None:
    assert check_ties(thread("How to count lines?"), suggestion("wc -l notes.txt"), False) == (
        "goal: count or calculate",
    )


def test_commands_that_do_something_else_than_the_title_asks_are_rejected() -> None:
    with pytest.raises(Rejected) as dropped:
        check_ties(thread("Make an alias that takes a parameter"), suggestion('move() { mv "$1" "$1.bak"; }'), False)
    assert dropped.value.reason == "not_the_question"


def test_a_block_that_only_checks_is_an_aside() -> None:
    question = thread("Replace `red` by `blue`", "")
    with pytest.raises(Rejected) as dropped:
        check_ties(question, suggestion("grep red colours.txt", "To check that nothing is left:", 1), False)
    assert dropped.value.reason == "aside"


def test_a_block_that_a_comment_warns_of_is_an_aside() -> None:
    text = "# THIS WILL GIVE YOU AN EMPTY FILE!\nsed s/red/blue/ a > a"
    with pytest.raises(Rejected) as dropped:
        check_ties(thread("Replace `red` by `blue`"), suggestion(text), False)
    assert dropped.value.reason == "aside"


def test_a_later_block_needs_a_value_of_the_question() -> None:
    question = thread("Replace text in a file", "<p>I want <code>Suzi</code> to become <code>Sara</code>.</p>")
    assert "value: Suzi" in check_ties(question, suggestion("sed s/Suzi/Sara/ letter", place=1), False)
    with pytest.raises(Rejected):
        check_ties(question, suggestion("sed s/[0-9]/X/ letter", place=1), False)


def test_a_later_block_needs_a_word_of_a_question_that_names_no_value() -> None:
    with pytest.raises(Rejected):
        check_ties(thread("Delete all branches"), suggestion("git branch -d branchname", place=2), False)


def test_the_result_that_a_question_shows_ties_whatever_gives_it() -> None:
    assert check_ties(thread("Sales"), suggestion("awk '{print $2}' a"), True) == ("result",)


def test_the_block_with_more_of_the_questions_words_comes_first() -> None:
    question = thread("Find several patterns", "<p>I want lines with <code>foo</code> or <code>bar</code>.</p>")
    first, second = suggestion("grep foo a.txt"), suggestion("grep -e foo -e bar a.txt", place=1)
    assert tied_suggestions(question, [first, second])[0] == second


def test_of_a_block_of_alternatives_only_the_first_is_run() -> None:
    body = "<pre><code>diff --brief one two # long\ndiff -q one two # short</code></pre>"
    [block] = runnable_blocks(Answer(number=2, body=body))
    assert block.text == "diff --brief one two"


def test_text_between_two_spans_of_code_is_no_command() -> None:
    body = "<p>Use <code>ls</code>. Something like <code>ls -a</code> does it.</p>"
    assert [block.text for block in runnable_blocks(Answer(number=2, body=body))] == ["ls -a"]


def test_the_commands_of_the_question_itself_are_known() -> None:
    assert asked_commands(thread("x", '<p>I use <code>sed -i 1d "$FILE"</code> now.</p>')) == [
        'FILE=file.txt\nsed -i 1d "$FILE"'
    ]


def test_what_an_answer_is_shown_to_print_comes_with_its_commands() -> None:
    blocks = ["$ rev a.txt\ncba", "sort -r a.txt", "z y"]
    body = "".join(
        f"<p>{prose}</p><pre><code>{code}</code></pre>"
        for prose, code in zip(("Use", "or", "gives"), blocks, strict=True)
    )
    assert [block.output for block in runnable_blocks(Answer(number=2, body=body))] == ["cba", "z y"]
