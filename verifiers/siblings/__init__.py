"""The task's own tests with other inputs: who knows only what the tests ask answers like the base there.

Nothing of the right answers is in the box: a sibling notes what it is answered, and that is compared outside.

python_tests.py  makes them of tests in Python
inputs.py        alters what a test hands to the code
recorder.py      is laid in with them, and notes the answers
program.py       runs them without a test framework
asking.py        runs them over a tree
settling.py      sees, when a task is proven, which tell right code from the base
judging.py       what an attempt's answers say of it
"""
