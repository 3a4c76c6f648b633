"""Where one alteration says too little there are more runs: a test of several assertions, one that shows no answer."""

from __future__ import annotations

import re
from itertools import product
from random import Random, SystemRandom

import pytest

from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins import apply_twins
from verifiers.twins.grading.draws import draw_runs

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


@pytest.mark.parametrize("places", [shape for tests in (1, 2, 3, 4) for shape in product((1, 2), repeat=tests)])
def test_every_test_is_altered_in_both_of_its_places_every_time(places: tuple[int, ...]) -> None:
    tests = [str(number) for number, count in enumerate(places) for _ in range(count)]
    twins = [twin(at, at + 1, "2", test=test, shown="1 2") for at, test in enumerate(tests)]
    for seed in range(50):
        first, second, *more = draw_runs(params("1" * len(twins), twins), Random(seed))
        assert sorted(each.test for each in (*first, *second)) == sorted(set(tests)), "as it was in one of two"
        assert sorted(each.start for draw in (first, second, *more) for each in draw) == list(range(len(twins)))
        assert len(more) == (2 in places), "no run is made for nothing"
        assert all(len({each.test for each in draw}) == len(draw) for draw in (first, second, *more)), (
            "a test that ends where it fails tells of one place"
        )


def test_no_half_writes_the_right_value_that_it_takes_away_elsewhere() -> None:
    exchanged = [twin(0, 3, "2.9", test="a"), twin(4, 7, "0.5", test="b"), twin(8, 9, "7", test="c")]
    halves = [draw_runs(params("0.5 2.9 3", exchanged), Random(seed))[:2] for seed in range(50)]
    found = {tuple("".join(sorted(each.test for each in half)) for half in pair) for pair in halves}
    assert found == {("a", "bc"), ("ac", "b"), ("b", "ac"), ("bc", "a")}


def test_the_first_place_of_a_test_is_always_altered_and_any_other_may_be() -> None:
    text = "".join(f'a == "x{at}"\n' for at in range(5))
    twins = [
        twin(at * 10 + 5, at * 10 + 9, '"zz"', shown="1 2").model_copy(update={"is_proven": at < 2}) for at in range(5)
    ]
    drawn = [draw_runs(params(text, twins), Random(seed)) for seed in range(100)]
    assert {tuple(len(draw) for draw in runs) for runs in drawn} == {(0, 1, 1)}
    assert {runs[1][0].start for runs in drawn} == {5}, "the place where the base fails is altered every time"
    assert {runs[2][0].start for runs in drawn} == {15, 25, 35, 45}
    texts = {runs[2][0].text for runs in drawn if runs[2][0].start == 45}
    assert '"zz"' in texts
    assert any(re.fullmatch('"x[^4]"', near) for near in texts), "a value that is right but for its end"
    assert draw_runs(params(text, twins), Random(3)) == drawn[3], "the same seed draws the same"


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


def test_a_test_without_copies_that_shows_no_answer_is_altered_in_a_third_place_every_time() -> None:
    text = "".join(f'a == "x{at}"\n' for at in range(6))
    twins = [twin(at * 10 + 5, at * 10 + 9, '"zz"').model_copy(update={"is_proven": at < 2}) for at in range(6)]
    for seed in range(50):
        runs = draw_runs(params(text, twins), Random(seed))
        assert len({each.start for draw in runs for each in draw if each.text}) >= 3
