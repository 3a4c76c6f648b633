"""Languages with one framework each (PHP, Perl, Lua, .NET, Swift), and whatever prints one line for each test."""

from __future__ import annotations

from crucible.domains.code.suite import Runner, runner
from verifiers.readers import busted as busted_xml
from verifiers.readers import dotnet as dotnet_xml
from verifiers.readers import lines as lines_text
from verifiers.readers import phpunit as phpunit_xml
from verifiers.readers import prove as prove_tap
from verifiers.readers import swift as swift_xml
from verifiers.runners.framework import Framework, files_of


@runner("phpunit")
def phpunit() -> Runner:
    """PHPUnit. A test is called `file::Class::method`. It runs one path at most, so all are run."""
    return Framework(phpunit_xml.READERS["phpunit"])


@runner("prove")
def prove() -> Runner:
    """Perl's prove. A test is called `file::description`."""
    return Framework(prove_tap.READERS["prove"], files_of)


@runner("busted")
def busted() -> Runner:
    """busted, for Lua. A test is called `file::full name`."""
    return Framework(busted_xml.READERS["busted"], files_of)


@runner("dotnet")
def dotnet() -> Runner:
    """dotnet test. A test is called `Namespace.Class::Method(parameters)`."""
    return Framework(dotnet_xml.READERS["dotnet"])


@runner("swift")
def swift() -> Runner:
    """swift test. A test is called `Module.Class::method`."""
    return Framework(swift_xml.READERS["swift"])


@runner("lines")
def lines() -> Runner:
    """Whatever prints `ok name`, `PASS: name`, `[FAIL] name`, `name ... ok`, `name - OK`: so a test is called."""
    return Framework(lines_text.READERS["lines"])
