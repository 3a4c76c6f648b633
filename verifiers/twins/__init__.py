"""Drafting of twins: alterations of the task's own tests that right code must fail.

drafting.py       all candidates for a set of test files, in a seeded order; twins laid into the files
literals.py       another value of the same type and look
python_tests.py   places in Python tests, by its own syntax tree
syntax_tests.py   places in other languages that have a grammar, by the queries in `rules/`
line_tests.py     places in languages without one, line by line
"""

from verifiers.twins.drafting import apply_twins as apply_twins
from verifiers.twins.drafting import draft_twins as draft_twins
from verifiers.twins.drafting import group_by_test as group_by_test
