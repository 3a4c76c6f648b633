"""Java and its kin: Maven and Gradle."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.domains.code.suite import Runner, runner
from verifiers.readers import java as java_xml
from verifiers.runners.framework import Framework

CLASS_END = re.compile(r"::|\$")
# matches: the "$" of "acme.SumTest$Nested::adds"


@runner("maven")
def maven() -> Runner:
    """Maven's Surefire. A test is called `package.Class::method`."""
    return Framework(java_xml.READERS["maven"], classes_of)


@runner("gradle")
def gradle() -> Runner:
    """Gradle's test tasks. A test is called `package.Class::method`."""
    return Framework(java_xml.READERS["gradle"])


def classes_of(tests: Sequence[str]) -> Sequence[str]:
    """The outermost classes of these tests, each with those nested in it."""
    outer = {CLASS_END.split(test)[0] for test in tests}
    return sorted(pattern for name in outer for pattern in (name, f"{name}$*"))
