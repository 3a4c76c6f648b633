"""Where one alteration says too little there are more runs: a single test, or one that does not show what it got."""

from __future__ import annotations

from random import SystemRandom

from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins import apply_twins
from verifiers.twins.draws import draw_runs

C = """int main(void)
{
    char out[64];
    if (morse("A B", out) < 0 || strcmp(out, ".- / -...") != 0)
        return 1;
    const char *same = ".- / -...";
    if (morse(" A  B ", out) != 9 || strcmp(out, ".- / -...") != 0)
        return 1;
    return 0;
}
"""


def params(text: str, twins: list[Twin]) -> SuiteParams:
    return SuiteParams(tests={twin.path: text for twin in twins}, fail_to_pass=("t",), twins=tuple(twins))


def twin(start: int, end: int, text: str, *, test: str = "", shown: str = "") -> Twin:
    return Twin(
        path="t.c", start=start, end=end, text=text, test=test, is_value=True, fails=(test or "t",), shown=shown
    )


def test_a_single_test_is_altered_in_both_of_its_places_every_time() -> None:
    places = [twin(0, 1, "2", shown="1 2"), twin(4, 5, "2", shown="1 2")]
    for _ in range(9):
        plain, *altered = draw_runs(params("1 = 1", places), SystemRandom())
        assert not plain
        assert sorted(each.start for draw in altered for each in draw) == [0, 4]


def test_so_is_the_only_test_that_has_two_beside_others_every_other_time() -> None:
    places = [twin(at, at + 1, "2", test=test, shown="1 2") for at, test in ((0, "a"), (4, "a"), (8, "b"))]
    drawn = [draw_runs(params("1 = 1 = 1", places), SystemRandom()) for _ in range(60)]
    assert {tuple(sorted(each.start for draw in draws for each in draw)) for draws in drawn} == {
        (0, 4, 8),
        (0, 8),
        (4, 8),
    }


def test_of_two_tests_that_show_their_answers_each_is_altered_once() -> None:
    places = [twin(at, at + 1, "2", test=str(at), shown="1 2") for at in (0, 4)]
    assert [len(draw) for draw in draw_runs(params("1 = 1", places), SystemRandom())] == [1, 1]


def test_a_test_that_shows_no_answer_meets_a_near_value_and_no_other_assertion_of_the_right_one() -> None:
    at = C.rfind(".- / -...")
    plain, far, *runs = draw_runs(params(C, [twin(at, at + 9, "... --- ...")]), SystemRandom())
    assert (len(plain), len(far)) == (0, 1)
    for near in runs:
        altered = apply_twins({"t.c": C}, near)["t.c"]
        assert altered.count('strcmp(out, ".- / -...")') == 0
        assert altered.count(".- / -...") == 1, "what is declared may be needed"
        assert len(altered.splitlines()) == len(C.splitlines())
        [text] = [each.text for each in near if each.fails]
        assert f"!= {len(text)} ||" in altered
    texts = [each.text for near in runs for each in near if each.fails]
    assert sorted(text.replace(" ", "") for text in texts) == [".-/-...", ".-//-..."]
