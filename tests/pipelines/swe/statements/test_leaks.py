"""What tells how a change was made is no part of what a solver is told."""

from pipelines.swe.statements.leaks import cut_sections

KONG = """Fix counter panic on a uint field

### Problem

A counter panics when the field is a `uint`:

```go
# Fix
kong.Parse(&cli, "--count=3")
```

### Cause

`SetInt` is only valid on int kinds.

#### More

It always was.

### Fix

Assign by the target's kind.

### Expected

It counts.
"""


def test_sections_on_cause_and_fix_go_with_what_is_beneath_them_and_the_problem_stays() -> None:
    told = cut_sections(KONG, is_fix=True)
    assert "SetInt" not in told
    assert "It always was" not in told
    assert "Assign by" not in told
    assert told.endswith('kong.Parse(&cli, "--count=3")\n```\n\n### Expected\n\nIt counts.')


def test_what_a_feature_consists_of_is_said_under_changes_and_stays() -> None:
    text = "Add halves\n\n## Changes\n\n- `halve(n)` is new\n\n## How was this tested?\n\nBy hand."
    assert cut_sections(text, is_fix=False) == "Add halves\n\n## Changes\n\n- `halve(n)` is new"
    assert cut_sections(text, is_fix=True) == "Add halves"


def test_headings_in_bold_and_plain_ones_with_their_paragraph() -> None:
    text = "Fix it\n\n**Problem:**\n\nIt panics.\n\n**Solution**\n\nCatch it.\n"
    assert cut_sections(text, is_fix=True) == "Fix it\n\n**Problem:**\n\nIt panics."
    text = "Fix it\n\nTests:\n- one\n- two\n\nIt panics where `n` is odd."
    assert cut_sections(text, is_fix=True) == "Fix it\n\nIt panics where `n` is odd."


def test_a_sentence_on_the_fix_goes_over_its_lines() -> None:
    text = (
        "Fix it\n\nAn alias stays seen. The\nfix mirrors `build.go` and its\ncount when unseeing. It was new in 1.16."
    )
    assert cut_sections(text, is_fix=True) == "Fix it\n\nAn alias stays seen. It was new in 1.16."


def test_a_statement_that_says_nothing_of_it_stays_as_it_is() -> None:
    text = "Fix it\n\n## Problem\n\nThe fixture is odd.\n\n```\n## Fix\n```\n\nNote: it is old."
    assert cut_sections(text, is_fix=True) == text
