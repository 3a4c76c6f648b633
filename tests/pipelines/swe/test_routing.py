"""Every router is asked; the surest wins; a tie is decided in the open."""

import pytest

from crucible.errors import Rejected
from crucible.mining import Workshop
from pipelines.swe.model import PullRequest
from pipelines.swe.routing import choose, route


@pytest.mark.parametrize("number", [4, 7, 11, 12, 13])
async def test_fixes_are_recognised(number: int, pulls: dict[int, PullRequest], no_world: Workshop) -> None:
    [candidate] = await route(pulls[number], no_world)
    assert candidate.route.kind == "bugfix"
    assert candidate.id == f"shelf#{number}"


async def test_a_feature_has_no_reward_yet(pulls: dict[int, PullRequest], no_world: Workshop) -> None:
    with pytest.raises(Rejected) as caught:
        await route(pulls[5], no_world)
    assert caught.value.reason == "no_reward_for_route"
    assert "feature" in caught.value.detail


def test_a_conventional_commit_outweighs_a_label(pulls: dict[int, PullRequest]) -> None:
    mixed = pulls[7].model_copy(update={"title": "feat: quoted phrases", "labels": ("bug",)})
    assert choose(mixed).kind == "feature"
    assert "bugfix 0.80" in choose(mixed).why


def test_a_tie_is_said_to_be_one(pulls: dict[int, PullRequest]) -> None:
    tied = pulls[7].model_copy(update={"title": "x", "labels": ("bug", "feature")})
    assert choose(tied).kind == "bugfix"
    assert "tied" in choose(tied).why


def test_what_no_router_knows_is_rejected(pulls: dict[int, PullRequest]) -> None:
    with pytest.raises(Rejected, match="no_route"):
        choose(pulls[7].model_copy(update={"title": "x", "labels": (), "files": (big_change(pulls[7]),)}))


def big_change(pull: PullRequest):  # type: ignore[no-untyped-def]
    return pull.files[0].model_copy(update={"added": 400})
