"""pytest, by its JUnit XML: one outcome per test."""

from __future__ import annotations

from crucible.domains.code.outcomes import FinishedCommand, Report
from verifiers.readers.bad_report import BadReport
from verifiers.readers.junit import Case, read_cases
from verifiers.readers.live_events import dispute_outcomes, read_events
from verifiers.readers.reader import LOG_CHARS, OUTPUT_CHARS, worst_outcomes

FINISHED_CODES = (0, 1)
"""Exit codes of a run that came to its end: all passed, some failed."""
OTHER_CODES = {2: "it was interrupted", 3: "an internal error", 4: "it was called wrongly", 5: "it found no tests"}


class PytestReader:
    """Implements `crucible.domains.code.outcomes.ReportReader`. Whether the exit code agrees with the report is for
    the verifier to ask."""

    module = __name__

    def parse(self, report: bytes, done: FinishedCommand) -> Report:
        """What each test did, the worse of its body and its teardown; not complete unless pytest itself came to its
        end."""
        output = f"{done.out}\n{done.err}".strip()[-OUTPUT_CHARS:]
        log = output[-LOG_CHARS:]
        try:
            outcomes = worst_outcomes((test_id(case), case.status) for case in read_cases(report))
        except BadReport as bad:
            return Report(code=done.code, why=_why_unfinished(done) or str(bad), log=log)
        why = _why_unfinished(done) or ("" if outcomes else "the report counts no tests")
        return Report(outcomes=outcomes, complete=not why, code=done.code, why=why, log=log, output=output)

    def dispute(self, report: Report, events: bytes) -> Report:
        """The report held against what our plugin said of each test when it ended."""
        return dispute_outcomes(report, read_events(events))


def test_id(case: Case) -> str:
    """`path::Class::name[param]`. A file that could not be collected is named by its path alone."""
    if not case.classname:
        return case.file or f"{case.name.replace('.', '/')}.py"
    path, classes = _locate(case)
    return "::".join([path, *classes, case.name])


def _locate(case: Case) -> tuple[str, list[str]]:
    """The path and the classes of a test. One that is inherited from another file reports that file, so the class name
    decides where it is."""
    module = case.file.removesuffix(".py").replace("/", ".")
    if case.file and f"{case.classname}.".startswith(f"{module}."):
        return case.file, [part for part in case.classname[len(module) :].split(".") if part]
    parts = case.classname.split(".")
    last = next(
        (n for n, part in enumerate(parts) if part.startswith("test_") or part.endswith("_test")), len(parts) - 1
    )
    return "/".join(parts[: last + 1]) + ".py", parts[last + 1 :]


def _why_unfinished(done: FinishedCommand) -> str:
    """Why pytest did not come to its end; empty when it did."""
    if done.stopped:
        return f"pytest was stopped: {done.stopped}"
    if done.code in FINISHED_CODES:
        return ""
    return f"pytest ended with code {done.code}, {OTHER_CODES.get(done.code, 'not its own')}"


READERS = {"pytest": PytestReader()}
