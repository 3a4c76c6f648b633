"""Ruby: RSpec; minitest and test-unit by reporters of our own, which are found in Ruby's path."""

from __future__ import annotations

from crucible.domains.code.suite import Runner, runner
from verifiers.readers import events
from verifiers.readers import rspec as rspec_json
from verifiers.runners.framework import Framework, files_of


@runner("rspec")
def rspec() -> Runner:
    """RSpec. A test is called `file::full description`."""
    return Framework(rspec_json.READERS["rspec"], files_of)


@runner("minitest")
def minitest() -> Runner:
    """Minitest. A test is called `file::Class#method`. What is run is the command's own business."""
    return Framework(events.READERS["minitest"])


@runner("test-unit")
def test_unit() -> Runner:
    """test-unit. A test is called `file::Class#method`. What is run is the command's own business."""
    return Framework(events.READERS["test-unit"])
