"""The goal of a task is the question without chatter, without attempts, and without what its examples contradict."""

from __future__ import annotations

from pipelines.terminal.model import Thread
from pipelines.terminal.statements.goals import goal_of, is_named, write_goal
from tests.pipelines.terminal.drafted import make_draft


def thread(body: str) -> Thread:
    return Thread(site="x.example", number=1, title="Names in a list", body=body)


WITH_RESULT = "<p>Print the names.</p><p>The expected output is:</p><pre><code>{}</code></pre>"


def test_a_result_that_the_examples_have_is_shown() -> None:
    assert "ana, ben" in goal_of(
        make_draft("cat a.txt", "a.txt", out="ana, ben\n", body=WITH_RESULT.format("ana, ben"), shows_result=True)
    )


def test_a_result_that_differs_from_the_examples_is_left_out_with_its_announcement() -> None:
    goal = goal_of(
        make_draft("cat a.txt", "a.txt", out="ana,ben\n", body=WITH_RESULT.format("ana, ben"), shows_result=True)
    )
    assert goal == "# Names in a list\n\nPrint the names."


def test_words_that_announce_code_which_is_left_out_go_with_it() -> None:
    body = "<p>Put it into a variable `name`, so that</p><pre><code>$ echo $name | cat\nx</code></pre><p>How?</p>"
    assert write_goal(thread(body)) == "# Names in a list\n\nPut it into a variable `name`.\n\nHow?"


def test_what_is_said_of_an_attempt_is_left_out_up_to_the_next_wish() -> None:
    body = "<p>So far this is what I have. Swapping the groups has the same effect. I want one name on each line.</p>"
    assert write_goal(thread(body)) == "# Names in a list\n\nI want one name on each line."


def test_a_list_keeps_the_words_before_it() -> None:
    body = "<p>I need these:</p><ul><li>names</li><li>numbers</li></ul>"
    assert write_goal(thread(body)) == "# Names in a list\n\nI need these:\n\n- names\n\n- numbers"


def test_what_leads_to_code_that_is_left_out_and_what_goes_on_from_it_is_left_out() -> None:
    body = (
        "<p>I need the second word. So I refined my command to</p><pre><code>$ cut -f2 a\nx</code></pre>"
        "<p>which gives nothing. Only lines with a number count.</p>"
    )
    assert write_goal(thread(body)) == "# Names in a list\n\nI need the second word.\n\nOnly lines with a number count."


def test_what_only_tells_of_the_asker_is_left_out() -> None:
    body = (
        "<p>We moved to a new server last week. I have a list of names. I want the last one. I woke up late.</p>"
        "<p>Is this the right way? I have heard of <code>sed</code>.</p>"
    )
    assert write_goal(thread(body)) == (
        "# Names in a list\n\nI have a list of names. I want the last one.\n\nI have heard of `sed`."
    )


def test_what_somebody_got_and_on_which_system_is_left_out_with_what_is_said_of_it() -> None:
    body = (
        "<p>The list:</p><pre><code>ana\nben</code></pre><p>But my output is</p><pre><code>ana</code></pre>"
        "<p>This is half of it. But I need the number of names.</p>"
        "<p>The result of <code>bash --version</code>:</p><pre><code>GNU bash 3.1</code></pre>"
    )
    assert write_goal(thread(body)) == (
        "# Names in a list\n\nThe list:\n\n```\nana\nben\n```\n\nI need the number of names."
    )


def test_a_sign_within_code_names_nothing_and_a_word_there_does() -> None:
    assert is_named("abc", "Find `x=abc`.")
    assert not is_named("=", "Find `x=abc`.")
    assert is_named("=", "Split it at `=`.")


def test_a_title_that_asks_for_more_than_is_done_is_left_out() -> None:
    draft = make_draft("sort a.txt", "a.txt")
    assert goal_of(draft).startswith("# Names in a list")
    thread = draft.selected.thread.model_copy(update={"title": "Sort names in a docker container"})
    other = draft.model_copy(update={"selected": draft.selected.model_copy(update={"thread": thread})})
    assert goal_of(other).startswith("# What the examples show")
