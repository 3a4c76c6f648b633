"""Twins: alterations of the task's own tests that right code must fail.

drafting.py       all candidates for a set of test files, in a seeded order
literals.py       another value of the same type and look
known_values.py   a value that another test expects
base_values.py    the value that the base gives
python_tests.py   places in Python tests, by its own syntax tree
python_values.py  values of Python's own types, as tests write them
syntax_file.py    a test file as its grammar reads it
syntax_tests.py   places in other languages that have a grammar, by the queries in `rules/`
line_tests.py     places in languages without one, line by line
names.py          which tests of a report a place belongs to
tree_files.py     the test files of a task that names none
settling.py       which candidates the reference fails, when a task is proven
trying.py         runs of sets of candidates over the reference
hits.py           which of them made tests fail
judging.py        what a run of twins says of an attempt
answers.py        what an attempt answered to an altered test, as an altered value of its own
draws.py          what is laid into each of the runs that judge an attempt
copies/           copies of a test, each altered in another place
denials.py        every altered value asserted not to be so, in one run
other_places.py   further places of the same tests, which nobody has tried
other_values.py   further values in the same places
same_values.py    other assertions that expect the same text, taken out
refusals.py       what other tests hold to be good, in tests that ask for a refusal
suspects.py       which further twins an attempt that looks like a cheat has to meet

They are laid into the files by `crucible/domains/code/altering.py`.
"""

from crucible.domains.code.altering import apply_twins as apply_twins
from crucible.domains.code.altering import group_by_test as group_by_test
from verifiers.twins.drafting import draft_twins as draft_twins
