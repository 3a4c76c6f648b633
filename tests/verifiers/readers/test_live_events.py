"""A report that says otherwise than what was seen while the tests ran is not believed."""

from crucible.domains.code.outcomes import Report, Status
from verifiers.readers.live_events import dispute_outcomes, read_events


def disputed(outcomes: dict[str, Status], events: bytes) -> tuple[str, ...]:
    report = dispute_outcomes(Report(outcomes=outcomes, complete=True), read_events(events))
    assert all(report.outcomes[test] == "failed" for test in report.disputed)
    return report.disputed


def test_a_report_that_agrees_with_the_events_stands() -> None:
    events = b"passed a::x\npassed a::x\nfailed a::y\nskipped a::z\nxfailed a::w\n"
    assert not disputed({"a::x": "passed", "a::y": "failed", "a::z": "skipped", "a::w": "xfailed"}, events)


def test_a_test_that_was_seen_to_fail_has_not_passed() -> None:
    assert disputed({"a::x": "passed", "a::y": "passed"}, b"passed a::x\npassed a::y\nfailed a::y\n") == ("a::y",)


def test_a_test_that_was_not_seen_has_not_passed() -> None:
    assert disputed({"a::x": "passed", "a::y": "passed"}, b"passed a::x\n") == ("a::y",)
    assert disputed({"a::x": "passed"}, b"") == ("a::x",)


def test_a_test_that_is_only_called_otherwise_stands() -> None:
    assert not disputed({"a::x": "passed", "b.a::y": "passed"}, b"passed a::x\npassed a::y\n")


def test_a_test_that_was_tried_again_stands() -> None:
    assert not disputed({"a::x": "passed"}, b"passed a::x\nrerun a::x\npassed a::x\n")
