from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from agents.scaffolds.tool_specs import load_vocabulary
from agents.translation import own_names
from crucible import parts
from crucible.acting import Scaffold, tool_schema

NAMES = [part.name for part in parts.every("scaffold")]
SEEDS = range(40)


def build(name: str, seed: int, tools: Sequence[str] = ()) -> Scaffold:
    scaffold: Scaffold = parts.find("scaffold", name).make(seed, tools)
    return scaffold


def test_three_scaffolds_ship() -> None:
    assert {"native", "bash", "text"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_bytes(name: str) -> None:
    assert all(build(name, seed).model_dump_json() == build(name, seed).model_dump_json() for seed in SEEDS)


@pytest.mark.parametrize("name", NAMES)
def test_seed_zero_is_the_plain_scaffold(name: str) -> None:
    scaffold = build(name, 0)
    assert all(tool.name == tool.does for tool in scaffold.tools)
    assert all(shown == own for tool in scaffold.tools for shown, own in own_names(tool).items())
    assert "x-is" not in scaffold.model_dump_json()


@pytest.mark.parametrize("name", NAMES)
def test_seeds_differ_in_names_phrasing_and_observations(name: str) -> None:
    many = [build(name, seed) for seed in SEEDS]
    assert len({scaffold.model_dump_json() for scaffold in many}) == len(many)
    for vary in ("system", "prompt", "observation"):
        assert len({getattr(scaffold, vary) for scaffold in many}) > 1


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_left_open_and_none_is_given_twice(name: str) -> None:
    for seed in SEEDS:
        scaffold = build(name, seed)
        assert len({tool.name for tool in scaffold.tools}) == len(scaffold.tools)
        assert not any(hole in scaffold.system for hole in ("{tools}", "{example}", "{arguments}"))
        assert {"{instruction}", "{workdir}"} <= {
            hole for hole in ("{instruction}", "{workdir}") if hole in scaffold.prompt
        }
        assert "submit" in {tool.does for tool in scaffold.tools}


def test_no_word_means_two_tools() -> None:
    words = [set(tool.names) for tool in load_vocabulary().tools.values()]
    assert all(not one & other for one, other in itertools.combinations(words, 2))


def test_no_word_means_two_parameters_of_a_tool() -> None:
    for tool in load_vocabulary().tools.values():
        words = [set(parameter.names) for parameter in tool.parameters.values()]
        assert all(not one & other for one, other in itertools.combinations(words, 2))


def test_a_text_scaffold_spells_out_every_tool_under_its_own_name() -> None:
    for seed in SEEDS:
        scaffold = build("text", seed)
        assert all(f"## {tool.name}\n" in scaffold.system for tool in scaffold.tools)
        assert all(f"`{name}`" in scaffold.system for tool in scaffold.tools for name in own_names(tool))


def test_what_a_model_is_offered_has_no_annotations_of_ours() -> None:
    perturbed = [tool_schema(tool) for seed in SEEDS for tool in build("native", seed).tools]
    assert "x-is" not in str(perturbed)
    assert "x-is" in str([build("native", seed) for seed in SEEDS])
