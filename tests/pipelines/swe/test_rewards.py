"""Rewards of the routes beside fixes, by execution on an authored repository, proven sound."""

from __future__ import annotations

from crucible.rewards import Fact
from pipelines.swe.rewards.facts import goals

LONG = "def area(kind):\n" + "".join(f"    if kind == {n}:\n        return {n}\n" for n in range(6))


def test_goals_are_what_is_false_before_and_true_after() -> None:
    before = {"a.py": LONG + "\n\ndef old():\n    pass\n", "b.py": None, "c.py": "X = 1\n"}
    after = {"a.py": "def area(kind):\n    return kind\n", "b.py": "def old():\n    pass\n", "c.py": None}
    found = goals(before, after)
    assert Fact(what="file", path="b.py") in found
    assert Fact(what="no_file", path="c.py") in found
    assert Fact(what="no_name", path="a.py", name="old") in found
    assert Fact(what="name", path="b.py", name="old") in found
    assert Fact(what="lines", path="a.py", name="area", most=7) in found
    assert Fact(what="branches", path="a.py", name="area", most=3) in found
    assert len(found) == 6


def test_private_helpers_are_nobodys_goal() -> None:
    assert goals({"a.py": "def f():\n    pass\n"}, {"a.py": "def f():\n    pass\n\n\ndef _g():\n    pass\n"}) == ()
