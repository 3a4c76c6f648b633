"""Which of Ruby's frameworks a project tests with is told by its files, and it is run, in real boxes."""

from collections.abc import Callable

import pytest

from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.model import Candidate
from pipelines.swe.rewards.fail_to_pass import build_task

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
    context = MiningContext(world=world, blobs=blobs, repeats=1)
    [made] = await prepare_environment(change(BASE, CHANGE), context)
    assert made.suite.runner == "minitest"
    assert len((await build_task(made, context)).fail_to_pass) == 1


UNIT = "require 'bundler/setup'\nrequire 'test/unit'\nrequire 'a'\nclass TestA < Test::Unit::TestCase\n"
UNIT += "  def test_a = assert_equal(ANSWER, a)\n  def test_b = assert(a)\nend\n"
GEMS = "gem 'rake', '~> 1.0'\n"
BEFORE = {"lib/a.rb": "def a = 1\n", "Gemfile": GEMS, "test/test_a.rb": UNIT.replace("ANSWER", "1")}
AFTER = {"lib/a.rb": "def a = 2\n", "test/test_a.rb": UNIT.replace("ANSWER", "2")}


@pytest.mark.slow
async def test_tests_of_test_unit_are_run_and_read(
    world: World, blobs: Blobs, change: Callable[[Files, Files], Candidate]
) -> None:
    context = MiningContext(world=world, blobs=blobs, repeats=1)
    [made] = await prepare_environment(change(BEFORE, AFTER), context)
    assert made.suite.runner == "test-unit"
    assert (await build_task(made, context)).fail_to_pass == ("test/test_a.rb::TestA#test_a",)
