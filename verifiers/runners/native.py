"""C and C++ (and whatever else these build): CTest, GoogleTest, Meson and automake."""

from __future__ import annotations

from crucible.domains.code.suite import Runner, runner
from verifiers.readers import automake as automake_files
from verifiers.readers import native as native_xml
from verifiers.runners.framework import Framework


@runner("ctest")
def ctest() -> Runner:
    """CTest. A test is called by the name it was added under."""
    return Framework(native_xml.READERS["ctest"])


@runner("gtest")
def gtest() -> Runner:
    """GoogleTest binaries. A test is called `binary::Suite.Name`."""
    return Framework(native_xml.READERS["gtest"])


@runner("meson")
def meson() -> Runner:
    """Meson's own test command. A test is called `suite::name`."""
    return Framework(native_xml.READERS["meson"])


@runner("automake")
def automake() -> Runner:
    """Automake's `make check`. A test is called by its path, with `::` and a name where it reports several."""
    return Framework(automake_files.READERS["automake"])
