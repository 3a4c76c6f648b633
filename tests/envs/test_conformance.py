"""The Docker world keeps every promise a world makes."""

import pytest

from crucible.sandbox import Env, World
from envs.conformance import CLAIMS, Claim


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
async def test_the_docker_world_conforms(claim: Claim, world: World, plain: Env) -> None:
    await claim(world, plain)
