"""Twins: alterations of the task's own tests that right code must fail.

places/        where a test file can be altered, in each language
values/        what stands there instead
drafting.py    all candidates for a set of test files, in a seeded order
names.py       which tests of a report a place belongs to
copies/        copies of a test, each altered in another place
denials.py     every altered value asserted not to be so, in one run
answers.py     what was answered to an altered test, as an altered value of its own
settling/      which candidates the reference fails, when a task is proven
grading/       what an attempt has to fail, and whether it does

They are laid into the files by `crucible/domains/code/altering.py`.
"""

from crucible.domains.code.altering import apply_twins as apply_twins
from crucible.domains.code.altering import group_by_test as group_by_test
from verifiers.twins.drafting import draft_twins as draft_twins
