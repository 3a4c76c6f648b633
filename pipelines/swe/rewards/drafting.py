"""A draft task from its parts: the same for every route."""

from __future__ import annotations

from crucible.domains.code.inline_tests import extract_tests
from crucible.domains.code.suite import SuiteParams
from crucible.model import Check, Difficulty, Provenance, Reference, Task
from crucible.record import Record
from pipelines.swe.model import Candidate, Overlay
from pipelines.swe.rewards.classify import Split, file_of_test


def make_check(verifier: str, params: Record) -> Check:
    """A verifier with its parameters, as a task names it."""
    return Check(verifier=verifier, params=params.model_dump(mode="json"))


def make_suite_check(candidate: Candidate, tests: Overlay, split: Split) -> Check:
    """The check that the suite shows what the split says. Where no test has to start passing, all those of the change's
    own files (else all there are) must pass and may not be skipped."""
    in_own_files = tuple(test for test in split.pass_to_pass if file_of_test(test) in tests.tests)
    must_pass = split.fail_to_pass or in_own_files or split.pass_to_pass
    params = SuiteParams(
        suite=candidate.suite,
        tests=tests.tests,
        data=tests.data,
        inline={path: extract_tests(text) for path, text in tests.inline.items()},
        deleted=tests.deleted,
        fail_to_pass=must_pass,
        pass_to_pass=tuple(test for test in split.pass_to_pass if test not in must_pass),
    )
    return make_check("suite", params)


def make_draft(candidate: Candidate, instruction: str, checks: tuple[Check, ...], reference: Reference) -> Task:
    """The task as it stands before it has proved itself."""
    pull = candidate.pull
    return Task(
        domain="swe",
        kind=candidate.route.kind,
        instruction=instruction,
        env=candidate.env,
        checks=checks,
        reference=reference,
        difficulty=Difficulty(repair_rounds=candidate.repair_rounds),
        provenance=Provenance(
            source=f"git:{pull.id}",
            licence=pull.licence,
            author=pull.author,
            url=pull.url,
            commit=pull.base_commit,
            created=pull.merged_at,
        ),
    )
