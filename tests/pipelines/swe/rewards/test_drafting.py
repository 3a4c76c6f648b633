"""A draft says where it came from."""

from __future__ import annotations

from crucible.mining import Route
from crucible.model import Reference
from pipelines.swe.model import Candidate, PullRequest
from pipelines.swe.rewards.drafting import make_draft


def test_a_draft_names_the_licence_and_the_author_of_the_change() -> None:
    pull = PullRequest(
        repo="o/n",
        number=3,
        title="Mend",
        author="Ada Byron",
        licence="MIT",
        base_commit="b" * 40,
        merge_commit="m" * 40,
        origin="o",
    )
    candidate = Candidate(pull=pull, route=Route(kind="bugfix", confidence=1.0, why="a test"))
    origin = make_draft(candidate, "Mend it.", (), Reference(patch="p")).provenance
    assert (origin.source, origin.licence, origin.author) == ("git:o/n#3", "MIT", "Ada Byron")
