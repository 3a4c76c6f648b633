"""Minitest's specs are told from RSpec's and run, in real boxes, whatever a project thinks of plug-ins."""

from collections.abc import Callable

import pytest

from crucible.blobs import Blobs
from crucible.mining import Workshop
from crucible.sandbox import World
from pipelines.swe.environment import environment
from pipelines.swe.model import Candidate
from pipelines.swe.rewards.tested import build

Files = dict[str, str]

SPEC = """
require_relative 'spec_helper'
describe 'a' do
  it('answers') { _(a).must_equal ANSWER }
  it('is there') { _(a).wont_be_nil }
end
"""
BASE = {
    "lib/a.rb": "def a = 1\n",
    "spec/spec_helper.rb": "ENV['MT_NO_PLUGINS'] = '1'\nrequire 'minitest/autorun'\nrequire 'a'\n",
    "spec/a_spec.rb": SPEC.replace("ANSWER", "1"),
}
CHANGE = {"lib/a.rb": "def a = 2\n", "spec/a_spec.rb": SPEC.replace("ANSWER", "2")}


@pytest.mark.slow
async def test_specs_of_minitest_are_run_even_where_plug_ins_are_turned_off(
    world: World, blobs: Blobs, change: Callable[[Files, Files], Candidate]
) -> None:
    shop = Workshop(world=world, blobs=blobs, repeats=1)
    [made] = await environment(change(BASE, CHANGE), shop)
    assert made.suite.runner == "minitest"
    assert len((await build(made, shop)).fail_to_pass) == 1
