"""The form of results is read off what the reference did, without giving a hidden result away."""

from __future__ import annotations

from crucible.domains.terminal.comparing import Case
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from pipelines.terminal.drafting.forms import collect_results, describe_form, untold_words


def cases(*pairs: tuple[str, str]) -> list[Case]:
    """Cases with a file, `in.txt`, and what is printed for it; the last one is hidden."""
    return [
        Case(
            scene=Scene(entries={"in.txt": Entry(text=text)}),
            expected=Effect(code=0, out=out, entries={"in.txt": Entry(text=text)}),
            hidden=number == len(pairs),
        )
        for number, (text, out) in enumerate(pairs, start=1)
    ]


def describe(*pairs: tuple[str, str]) -> str:
    return describe_form(collect_results(cases(*pairs))[""], any_order=False)


def test_one_number_is_said_to_be_one() -> None:
    assert describe(("a\n", "1\n"), ("a\nb\n", "2\n"), ("a\nb\nc\n", "3\n")) == "That is one number."


def test_words_of_the_result_that_come_from_no_file_are_said() -> None:
    form = describe(
        ("maple\n", "found maple here\n"), ("cedar\n", "found cedar here\n"), ("iris\n", "found iris here\n")
    )
    assert "`found … here`" in form


def test_a_word_of_the_hidden_result_is_not_given_away() -> None:
    form = describe(("Hi all\n", "hi all\n"), ("Ana Ben\n", "ana ben\n"), ("Rosa Tom\n", "rosa tom\n"))
    assert "rosa" not in form


def test_lines_of_a_file_in_their_order_are_said_to_be_so() -> None:
    form = describe(("c\nb\na\n", "c\na\n"), ("x\nz\ny\n", "x\ny\n"), ("k\nm\nl\n", "k\nl\n"))
    assert form == "They are in the order in which they stand in `in.txt`."


def test_an_empty_result_among_others_is_said_to_be_possible() -> None:
    form = describe(("a\n", "yes\n"), ("b\n", ""), ("c\n", "yes\n"))
    assert form == "That is one line. The line is `yes`. Where there is nothing to print, it prints nothing."


def test_fixed_words_that_nobody_told_are_found() -> None:
    results = collect_results(cases(("a\n", "total 1\n"), ("b\n", "total 2\n"), ("c\n", "total 3\n")))[""]
    assert untold_words(results, "Count the lines.") == ["total"]
    assert untold_words(results, "Print `total` and the number.") == []


def test_what_the_lines_share_with_their_folders_is_no_form() -> None:
    form = describe(("Amber Tom\n", "Ambe\n"), ("Amber Ben\n", "Ambe\n"), ("Cedar\n", "Ceda\n"))
    assert form == "That is one line."
    form = describe(("a,b\nc,d\n", "b,a\nd,c\n"), ("k,l\nm,n\n", "l,k\nn,m\n"), ("x,y\nz,w\n", "y,x\nw,z\n"))
    assert form == ""


def test_an_order_is_said_where_the_commands_sort() -> None:
    results = collect_results(cases(("c\nx y\n", "a\nb\n"), ("k\n", "k1\nk2\n"), ("m\n", "m1\nm2\n")))[""]
    assert describe_form(results, any_order=False, script="dirname x; basename x") == ""
    assert "order" in describe_form(results, any_order=False, script="sort a")
    assert describe_form(results, any_order=False, script="sort -n a") == ""
